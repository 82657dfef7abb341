const words = (text: string) => text.trim().split(/\s+/)

/** Where addresses are had for minutes, and their subdomains. The blacklist of the network adds others. */
export const DISPOSABLE_DOMAINS: ReadonlySet<string> = new Set(
  words(`
  0-mail.com 10mail.org 10minutemail.com 10minutemail.net 10minutemail.co.za 1secmail.com 1secmail.net 1secmail.org 20minutemail.com
  20minutemail.it 33mail.com anonaddy.me anonbox.net antispam.de armyspy.com binkmail.com bobmail.info boun.cr bugmenot.com burnermail.io
  byom.de chammy.info clrmail.com cuvox.de dayrep.com deadaddress.com despam.it devnullmail.com discard.email discardmail.com discardmail.de
  disposable.com disposableaddress.com disposableinbox.com dispostable.com dodgeit.com dodgit.com drdrb.com dropmail.me einrot.com
  emailfake.com emailondeck.com emailsensei.com emailtemporanea.com emailtemporario.com.br ethereal.email fakeinbox.com fakemail.net
  fakemailgenerator.com fleckens.hu freemail.tempmail.dev getairmail.com getnada.com gishpuppy.com grr.la guerrillamail.biz
  guerrillamail.com guerrillamail.de guerrillamail.info guerrillamail.net guerrillamail.org guerrillamailblock.com gustr.com harakirimail.com
  hidemail.de inboxalias.com inboxbear.com inboxkitten.com incognitomail.com jetable.com jetable.net jetable.org jourrapide.com
  kasmail.com koszmail.pl kurzepost.de letthemeatspam.com lroid.com luxusmail.org mail-temp.com mail-temporaire.com mail-temporaire.fr
  mailcatch.com maildrop.cc mailexpire.com mailforspam.com mailinator.com mailinator.net mailinator2.com mailmetrash.com mailmoat.com
  mailnesia.com mailnull.com mailpoof.com mailsac.com mailshell.com mailslite.com mailtemp.info mailtothis.com minuteinbox.com mintemail.com
  moakt.cc moakt.co moakt.com mohmal.com mohmal.in mt2015.com muellmail.com my10minutemail.com mytemp.email mytrashmail.com nada.email
  nada.ltd nepwk.com nomail.xl.cx nospam.ze.tc nowmymail.com objectmail.com odaymail.com oneoffemail.com onewaymail.com pokemail.net
  proxymail.eu rcpt.at reallymymail.com recode.me rhyta.com sharklasers.com shieldemail.com smailpro.com sneakemail.com sogetthis.com
  soodonims.com spam4.me spamavert.com spambog.com spambog.de spambog.ru spambox.us spamcero.com spamdecoy.net spamex.com spamfree24.org
  spamgourmet.com spamhole.com spaml.com spammotel.com spamspot.com spamthis.co.uk superrito.com suremail.info teleworm.us temp-mail.io
  temp-mail.org temp-mail.ru tempail.com tempemail.co tempemail.com tempemail.net tempinbox.com tempmail.com tempmail.de tempmail.dev
  tempmail.eu tempmail.it tempmail.net tempmail.plus tempmailaddress.com tempmailo.com tempomail.fr temporaryemail.net temporaryforwarding.com
  temporaryinbox.com temporarymail.com tempr.email tempthe.net thankyou2010.com throwaway.email throwawaymail.com tmail.ws tmailinator.com
  tmpmail.net tmpmail.org trash-mail.at trash-mail.com trash-mail.de trash2009.com trashmail.at trashmail.com trashmail.de trashmail.io
  trashmail.me trashmail.net trashmail.org trashymail.com tyldd.com vomoto.com wegwerfadresse.de wegwerfemail.de wegwerfmail.de wegwerfmail.net
  wegwerfmail.org wh4f.org whyspam.me willselfdestruct.com yopmail.com yopmail.fr yopmail.net yuurok.com zehnminutenmail.de zippymail.info
  zoemail.org crazymailing.com emlhub.com emltmp.com etempmail.com fexpost.com fexbox.org mailbox.in.ua minutemail.org rover.info spamok.com
  tempmail.ninja tempmail.us.com vusra.com wwjmp.com xojxe.com yoggm.com mail.tm mailto.plus gmailnator.com internxt.com tmpbox.net
`),
)

/** Where most people have their mail, long enough that a name one letter off is rather a slip. */
export const KNOWN_DOMAINS: readonly string[] = words(`
  gmail.com googlemail.com yahoo.com yahoo.fr yahoo.it yahoo.es yahoo.de yahoo.co.uk hotmail.com hotmail.fr hotmail.it hotmail.es
  hotmail.co.uk outlook.com outlook.fr outlook.it outlook.es outlook.de icloud.com protonmail.com yandex.ru yandex.com rambler.ru ukr.net
  bigmir.net seznam.cz centrum.cz azet.sk interia.pl libero.it virgilio.it tiscali.it alice.it orange.fr wanadoo.fr laposte.net t-online.de
  freenet.de comcast.net verizon.net telenet.be skynet.be bluewin.ch naver.com rediffmail.com
`)

/** Names one letter off those that are somebody's all the same. */
export const LIKE_KNOWN: ReadonlySet<string> = new Set(
  words(
    'mail.com email.com ymail.com gmai.com cloud.com yahoo.ie yahoo.in yahoo.ca yahoo.se hotmail.de hotmail.be hotmail.nl outlook.be outlook.ie outlook.at outlook.pt outlook.dk outlook.cz orange.es orange.it yandex.ua yandex.kz yandex.by yandex.uz never.com inter.pl',
  ),
)
