/**
 * What a word says where a result is spoken of. `bad` = no money, wherever it stands in a short value; `weak` = the same, but
 * so usual in names of products and people that nothing else may stand beside it; `good` = money, so that a "not" before it
 * is none; `verb` = only with a "not"; `unclear` = pending money at one platform, approved at another;
 * `vague` = the same where only words of results stand beside it. `thing`, `person`,
 * `filler` and `number` are what such sentences are made of besides; `other` is everything else.
 */
export type Sense = 'bad' | 'weak' | 'good' | 'verb' | 'unclear' | 'vague' | 'not' | 'thing' | 'person' | 'filler' | 'number' | 'other'

/** Endings of participles and adjectives: Spanish, Portuguese, Italian; French; Polish; Russian and Ukrainian. */
const O = '(?:[oaie]|os|as)'
const E = '(?:e|ee|es|ees)?'
const Y = '(?:[yaeio]|ych|ym|ego|ej)?'
const EN = '(?:[оаыиі]|о|ий|ый|ая|яя|ое|ые|ную|ний|на|не|ні|ный|ная|ное|ные|ную|ен|ена|ено|ены|ені|ений|енный|енная|енное|ено)?'

const words = (text: string) => text.trim().split(/\s+/)
/** Stems with their endings, as one expression over a whole word. */
const oneOf = (...stems: string[]) => new RegExp(`^(?:${stems.flatMap(words).join('|')})$`, 'u')

/** What must not be lost of a good word when its negation is one with it: `unpaid`, `nieopłacony`, `неоплачено`, `ungültig`. */
const GOOD = oneOf(
  `approv(?:ed|als?) confirm(?:ed|ation|ations) accept(?:ed|able|ance) valid(?:s|ated|ation|ity)? verif(?:ied|ication) qualif(?:ied|ication)
   convert(?:ed|ing) paid payed payable success(?:ful|fully)? succeeded completed? eligible eligibility redeem(?:ed)? billed billable credited creditable
   chargeable captured settled authori[sz]ed authori[sz]ation honou?red counted countable commissionable rewarded attributed delivered claimed
   passed allowed granted recogni[sz]ed acknowledged received sold collected ok okay`,
  `genehmigt bestatigt bestatigung akzeptiert angenommen gultig(?:e|er|es)? bezahlt verifiziert qualifiziert erfolgreich freigegeben anerkannt gezahlt gezaehlt`,
  `aprobad${O} confirmad${O} aceptad${O} valid${O} pagad${O} verificad${O} c(?:al|ual)ificad${O} exitos${O} completad${O} cobrad${O}`,
  `aprovad${O} aceit${O} pag(?:[oa]s?) confirmat${O} approvat${O} accettat${O} pagat${O} verificat${O} riuscit${O} completat${O} convalidat${O}`,
  `approuve${E} confirme${E} accepte${E} valide${E} validee paye${E} verifie${E} reussi${E} aboutie?`,
  `zatwierdzon${Y} zaakceptowan${Y} potwierdzon${Y} oplacon${Y} zaplacon${Y} wazn${Y} przyjet${Y} zrealizowan${Y} udan${Y} zaliczon${Y}`,
  `onaylandi onayli kabul odendi gecerli basarili`,
  `одобрен${EN} подтвержд[её]н${EN} принят${EN} оплачен${EN} выплачен${EN} засчитан${EN} зачтен${EN} действител(?:ен|ьн${EN}) успеш(?:ен|н${EN}) валид(?:ен|н${EN})? вал[иі]дн${EN} годн${EN}`,
  `схвален${EN} п[іи]дтверджен${EN} прийнят${EN} виплачен${EN} зарахован${EN} д[іи]йсн${EN} усп[іи]шн${EN}`,
  `schvalen[oaye]? potvrzen[oaye]? zaplacen[oaye]? prijat[oaye]? platn[yae] goedgekeurde? bevestigde? geaccepteerde? betaald geldige? geslaagd
   aprobat confirmat acceptat platit[ae]? validat elfogadva elfogadott jovahagyva jovahagyott fizetett kifizetve kifizetett ervenyes visszaigazol(?:t|va) sikeres
   disetujui diterima dikonfirmasi dibayar(?:kan)? terverifikasi berhasil sukses`,
)
const VERBS = oneOf(
  `approve approves confirm confirms accept accepts validate verify qualify qualifies convert converts pay pays count counts complete pass redeem deliver credit answer
   прош[её]л прошла прошло прошли пройден${EN} пройшов пройшла дозвон\\p{L}* додзвон\\p{L}* оплатил${EN} подтвердил${EN} п[іи]дтвердив`,
)
const BAD = oneOf(
  // the usual ones in whatever case, number or person they stand
  `отклон(?:[её]н|ил|яе)\\p{L}{0,5} отмен(?:[её]н|ил|яе)\\p{L}{0,5} отмен[ыуе] отменой отказ(?:ы|ов|у|ом|е|ам|ами|ах|али|ались) возврат(?:ы|ов|у|ом|е|ам|ами|ах) аннулир\\p{L}{2,8}
   в[іи]дхил(?:[её]н|ил|яє)\\p{L}{0,5} скас(?:ов|ув)\\p{L}{1,8} анульов\\p{L}{1,7} в[іи]дмов(?:и|ою|ам|ами|ах) поверненн(?:ю|ям|ями|ях)
   abgelehnt\\p{L}{0,2} abgewiesen\\p{L}{1,2} zuruckgewiesen\\p{L}{1,2} storniert\\p{L}{0,2} stornierungen annulliert\\p{L}{0,2} erstattungen
   refuse(?:e|es|s) rejetee?s? annule(?:e|es|s) annulations remboursements? remboursee?s? reembolsos devoluciones devolucoes estornos cancelaciones cancelamentos rechazos anulaciones
   rimborsi rifiuti annullamenti storni odrzuc\\p{L}{2,6} anulow\\p{L}{2,6} zwrot(?:u|y|em|ow|ami) zwroc\\p{L}{2,5} odmow(?:ie|ami) iptal(?:ler|i|leri)? iade(?:ler|si) reddedil\\p{L}*`,
  `reject(?:ed|ing|ion|ions|s) declin(?:ed|es|ing|ation) denied refus(?:ed|ing|als?) disapprov(?:ed?|es|al|als|ing) cancel(?:s|led|ed|ling|ing)
   refund(?:s|ed|ing)? rfnd cgbk chargeback(?:s|ed)? chargedback revers(?:ed|als?|ing) void(?:ed|ing) invalid(?:ated?|ates|ating|ation|ity)? nullif(?:y|ied|ication)
   rescind(?:ed|s)? rescission revok(?:ed|es|ing) revocation annul(?:led|s|ment|ed) disqualif(?:y|ied|ication) disallow(?:ed)? dishonou?red
   ineligib(?:le|ility) inaccepted deauthori[sz]ed scrubb(?:ed|ing) failed failures? fraudulent duplicat(?:es?|ed|ion)
   trashed nosale nolead noconversion nopay dispute[ds]? insufficientfunds wrongnumber wrongphone notinterested noanswer nocontact outofstock
   unreachable underage blacklisted alreadyregistered existingcustomer unsuccess(?:ful|fully)?`,
  `abgelehnt(?:e|er|es)? ablehnung abgewiesen zuruckgewiesen abgebrochen storno stornier(?:t|te|ten|en|ung) widerruf(?:en)? ruckerstattung ruckerstattet erstattet ruckbuchung ruckgebucht
   rucklastschrift verweigert fehlgeschlagen gescheitert annulliert(?:e)? dublette unbezahlt ungultig(?:e|er|es)?`,
  `rechaz(?:ad${O}|os?|ar|ado) cancelad${O} cancelacion cancelamento anulad${O} anulacion denegad${O} reembolsad${O} reembolso devuelt${O} devolucion devolucao fallid${O} duplicad${O}
   invalid${O} descartad${O} desaprobad${O} contracargo revertid${O} caducad${O} impagad${O}`,
  `rejeitad${O} rejeicao recusad${O} recusa reprovad${O} estornad${O} estorno devolvid${O} negad${O} falhou excluid${O} desaprovad${O}`,
  `refuse(?:e|es) rejete${E} rejet annule${E} annulation rembourse${E} remboursement invalide${E} echoue${E} echec doublons? impaye${E} decline(?:e|es) supprime${E} refus`,
  `rifiutat${O} rifiuto respint${O} annullat${O} annullamento cancellat${O} rimborsat${O} rimborso stornat${O} negat${O} fallit${O} duplicat${O} scartat${O} revocat${O} bocciat${O} impagat${O}`,
  `odrzucon${Y} odrzuceni[ea] odrzucil anulowan${Y} anulowani[ea] zwrocon${Y} zwrot odmow[ay] odmowion${Y} niewazn${Y} nieudan${Y} zduplikowan${Y} duplikat wycofan${Y} skasowan${Y} cofniet${Y}`,
  `reddedil\\p{L}* iptal iade gecersiz\\p{L}* basarisiz\\p{L}* onaylanma(?:di|mis|yan) odenme(?:di|mis|yen) mukerrer onaysiz edilmedi`,
  `отклон[её]н${EN} отклонение отказ отказа отказан${EN} отказался отмен[её]н${EN} отмена отменил${EN} аннулирован${EN} возврат возврата возвращ[её]н${EN} дубл(?:ь|я|и|икат|икаты|ированн${EN}|ирован${EN})
   мошенни\\p{L}* фрод невалид${EN} неоплат[аы] недействител\\p{L}* отвергнут${EN} забракован${EN} сторнирован${EN} просрочен${EN} недозвон недодзвон чарджбек рефанд реджект дисквалифицирован${EN} неуспе\\p{L}*`,
  `в[іи]дхил[еи]н${EN} в[іи]дхилив в[іи]дмов(?:а|у|лено|лений|ився|ено) скасован${EN} скасування скасував анульован${EN} повернен${EN} повернут${EN} повернення дубл[іи]кат дубльован${EN} шахрай\\p{L}*
   нед[іи]йсн${EN} невал[іи]дн?${EN} невдал${EN} сторнован${EN} прострочен${EN}`,
  `zamitnut[oaye]? zamietnut[eayo]? zamitnuti odmitnut[oaye]? zrusen[oaye]? zruseni stornovan[oaye]? vracen[oaye]? neplatn[yae] neschvalen[oaye]? nepotvrzen[oaye]? nezaplacen[oaye]? duplicitni podvod`,
  `afgewezen afwijzing geweigerde? weigering geannuleerde? annulering afgekeurde? ongeldige? teruggeboekt terugbetaald terugbetaling geretourneerd verworpen mislukte? gestorneerd onbetaald`,
  `respins[aei]? refuzat[aei]? refuz anulat[aei]? rambursat[ae]? rambursare returnat[ae]? stornat duplicat neconfirmat[ae]? neaprobat[ae]? neplatit[ae]? neachitat[ae]? nevalid[ae]? esuat[ae]? frauduloas[ae]?`,
  `elutasit(?:va|ott|as) torolve torolt lemondva visszavon(?:va|t) visszautasit(?:va|ott) visszaterit(?:ve|ett|es) ervenytelen sikertelen meghiusult sztorno sztornozva duplikalt csalas kifizetetlen`,
  `ditolak penolakan dibatalkan pembatalan batal gagal dikembalikan pengembalian duplikat penipuan kadaluarsa kedaluwarsa`,
)
const WEAK = oneOf(
  `double dup dupe fake spam void fail fails errors? err returned return blocked banned bad rej junk lost dead incomplete insf bounced expired fraud trash
   deleted? deletion removed discarded deny denies denial refuse revoke reject decline cancel cancellations? cancelations? wrong incorrect scrub shaved eliminated
   doppelt geloscht gesperrt betrug fehler fraude frode eliminad${O} borrad${O} expirad${O} fallado duplicata supprime
   oszustwo usuniet${Y} blad sahte hatali silindi silinmis
   ошибк[аи] удал[её]н${EN} брак спам тр[эе]ш заблокирован${EN} провал помилк[аи] видален${EN} заблокован${EN}`,
)
const UNCLEAR = oneOf(
  `processing inprogress underreview awaiting preapproved ausstehend pendientes? pendentes? attente attesa oczekuj(?:e|acy|aca|ace) bekle(?:mede|niyor|yen) bekliyor
   обработк[аеиу] обрабатывается обробк[аиі] обробляється модераци[яюи] модерац[іи][іюяї] рассмотрени[иея] розгляд[іу]? ожидани[ие] оч[іи]кування перев[іи]рц[іи]`,
)
const VAGUE = oneOf('expect expected created added new moderation review approval bearbeitung проверке обработке роботі')
const NOT = oneOf(
  `not no non never none nor without isnt wasnt arent werent hasnt havent hadnt didnt doesnt dont wont cant cannot couldnt unable
   nicht kein(?:e|er|en|em|es)? ohne sin nunca ningun(?:a|o)? nao sem ne pas sans jamais aucune? senza nessun(?:a|o)? nie brak bez degil yok
   не нет ни без ні немає нема neni niet geen nu nem nincs tidak belum bukan`,
)
const THINGS = `leads? orders? sales? conversions? transactions? txn trx payments? deposits? purchases? events? actions? postbacks? requests? applications? registrations? bookings? subscriptions?
  invoices? ftd cpa cpl install status state result payouts? commission rebill trial form entry record
  bestellung(?:en)? zahlung(?:en)? auftrag kauf verkauf buchung anfrage transaktion
  pedidos? ventas? pagos? compras? solicitud transaccion orden vendas? pagamento encomenda transacao solicitacao commandes? ventes? paiement achat demande ordine vendita acquisto richiesta transazione
  zamowieni[ea] sprzedaz[y]? platnosc[i]? transakcj[aie] wniosek zakup siparis satis odeme islem basvuru
  objednavk[ay] platb[ay] zadost bestelling betaling aanvraag comand[ae] plata vanzare cerere (?:meg)?rendeles fizetes pesanan pembayaran transaksi pendaftaran penjualan
  заявк[аиу] заказ[аы]? оплат[аыиу] продаж[аиуі]? лид[аы]? л[іи]д[аи]? конверси[яию] конверс[іи]я плат[её]ж[аи]? плат[іи]ж транзакци[яию] покупк[аиу] депозит[а]? замовлення`
const THING = oneOf(THINGS)
const PERSON = oneOf(
  `customers? clients? users? buyers? players? visitors? merchant advertiser shop store seller manager operator admin system partner network affiliate publisher antifraud sender courier bank card phone number email data contacts? details geo country age ip address
   kunde kunden handler clientes? vendeur client(?:e|a)? klient(?:a|em)? sklep musteri satici
   клиент(?:а|ом|у)? кл[іи][єе]нт(?:а|ом|у)? рекламодател(?:я|ем|ь)? магазин(?:а|ом|у)? банк(?:а|ом)? магазином менеджер(?:а|ом)?`,
)
const FILLER = oneOf(
  `is was has had have been be are were will would did does do could the a an this that these your our my its it by from of to due as for at on in and or with because after before
   already yet still now just finally auto automatically manually fully partially totally completely marked flagged detected reported suspected got out so full high traffic bot click
   validation check quality under sorry unfortunately flag pending hold wait waiting
   der die das ist wurde wird worden durch von vom als wegen und bei im den dem ein eine der
   el la los las lo ha sido fue es esta por de del para y que se un una os foi pelo pela le les des du ete est par pour et cette ce
   il e stato stata da dal per di en zostal zostala zostalo przez jest na tarafindan olarak edildi edilmis oldu
   был была было были по от из за на и как в с со ваша ваш ваше эта этот этого
   був була було були від з із та і як у ваш ваша`,
)
/** With a good word after them, no money; checked by pairs, since "discounted", "deposit" and "invoice" are ordinary. */
const NEGATED =
  /^(?:(?:un|non|not|no|nicht|nie|не)(\p{L}+)|(?:in|im)((?:val|elig|accep|paye|paga)\p{L}*)|(?:des)((?:apro)\p{L}*)|(?:dis)((?:approv|qualif)\p{L}*))$/u
const AROUND = new RegExp(
  `^(?:lead|order|sale|conversion|transaction|payment|purchase|event|action)|(?:lead|order|sale|conversion|transaction|payment)s?$`,
  'gu',
)

/** What one word says, in lower case and without accents (`plainWords`). */
export function senseOf(word: string): Sense {
  if (/^\d+$/.test(word)) return 'number'
  const numbered = /^(\p{L}+)\d+$/u.exec(word)?.[1]
  if (numbered !== undefined) return BAD.test(numbered) ? 'bad' : 'other'
  const sense = listed(word)
  if (sense !== 'other') return sense
  const bare = word.replaceAll(AROUND, '')
  const inner = bare === word || bare === '' ? 'other' : listed(bare)
  return inner === 'bad' || inner === 'weak' || inner === 'good' ? inner : 'other'
}

function listed(word: string): Sense {
  if (BAD.test(word)) return 'bad'
  if (WEAK.test(word)) return 'weak'
  if (GOOD.test(word)) return 'good'
  const rest = NEGATED.exec(word)
    ?.slice(1)
    .find((part) => part !== undefined)
  if (rest !== undefined && GOOD.test(rest)) return 'bad'
  if (VERBS.test(word)) return 'verb'
  if (UNCLEAR.test(word)) return 'unclear'
  if (VAGUE.test(word)) return 'vague'
  if (NOT.test(word)) return 'not'
  if (THING.test(word)) return 'thing'
  if (PERSON.test(word)) return 'person'
  return FILLER.test(word) ? 'filler' : 'other'
}

/** `REJECTED_DUPLICATE`, `notQualified`, `Nicht bestätigt` → rejected, duplicate; not, qualified; nicht, bestatigt. */
export function plainWords(text: string): string[] {
  return plainText(text)
    .split(/[^\p{L}\d]+/u)
    .filter((word) => word !== '')
}

/** Lower case, words apart, accents of Latin letters taken off: people type with and without them. */
export function plainText(text: string): string {
  return text
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .replaceAll(/['’`]/g, '')
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/(\p{Script=Latin})\p{M}+/gu, '$1')
    .normalize('NFC')
    .replaceAll('ł', 'l')
    .replaceAll('ı', 'i')
    .replaceAll('ø', 'o')
    .replaceAll('ß', 'ss')
}
