import type { ConversionStatus } from '#contract/traffic/conversion.ts'
import { plainText, plainWords, senseOf } from '../status-vocabulary.ts'
import { flagOf, STATUS_WORDS } from '../status-words.ts'

/*
 * What a word probably means, for somebody to confirm: by how most of some four hundred networks use it (reference:
 * postback-dialects 1.3). Nothing is ever booked by it.
 */
const MOSTLY: Readonly<Record<ConversionStatus, string>> = {
  pending:
    '2 0 lead new wait waiting pending processing created expect expected added pre_approved p in_progress review moderation accept accepted open unconfirmed callback',
  hold: 'hold onhold on_hold',
  approved:
    '1 sale approved approve confirmed confirm paid payed buyout boughtout billed redeem redeemed qualification qualified revshare autosell rebill a ok success successful done completed complete valid win won yes true payout',
  declined:
    '3 -1 rejected reject cancel cancelled canceled declined decline fail failed duplicate double invalid denied not_redeemed d f no false refund refunded chargeback charge_back charged_back fraud expired void error reversed',
  trash: 'trash spam fake junk bot test_lead',
}
const STATUSES = new Map(
  Object.entries(MOSTLY).flatMap(([status, words]) => words.split(' ').map((word) => [word, status as ConversionStatus] as const)), // its own keys
)

/** The status a word probably means under a name; null = nobody can say. A yes to a refund is no approval, and a no to a payment tells little. */
export function guessStatus(word: string, name: string): ConversionStatus | null {
  const flag = flagOf(name, word)
  if (flag === 'bad') return 'declined'
  if (flag === 'waiting') return 'pending'
  // a yes to something good
  if (flag === 'approval' || (flag === 'silent' && flagOf(name, 'no') === 'not_good')) return 'approved'
  if (flag !== null) return null
  const plain = word.trim().toLowerCase()
  const listed = STATUS_WORDS[plain] ?? STATUSES.get(plain) ?? STATUSES.get(plain.replaceAll(/[\s-]+/g, '_'))
  if (listed !== undefined) return listed
  const senses = plainWords(word).map(senseOf)
  // what went back in part leaves the rest, and only an amount says how much
  if (senses.includes('bad') || senses.includes('weak')) return isPartly(word) ? null : 'declined'
  if (senses.includes('not')) return senses.includes('good') ? 'declined' : null
  if (senses.includes('unclear') || senses.includes('vague')) return 'pending'
  return senses.includes('good') ? 'approved' : null
}

function isPartly(word: string): boolean {
  return plainWords(word).some((one) =>
    /^(partial|partially|partly|part|half|teilweise|parcial|parcialmente|частичн\p{L}*|частков\p{L}*)$/u.test(one),
  )
}

/** Whether a word is that of a status rather than of an event; numbers are either. */
export function isStatusWord(word: string, name: string): boolean {
  return !EVENTS.has(eventClassOf(word)) && guessStatus(word, name) !== null
}

const CLASSES = [
  'ftd first_dep firstdep first_deposit fd firstdeposit dep deposit deposited af_deposit depo first_time_deposit',
  'reg registration register signup sign_up registered complete_registration af_complete_registration regs account account_opened',
  'lead form application af_lead',
  'sale purchase order buy af_purchase checkout transaction paid_order',
  'install app_install af_install first_open',
  'trial start_trial af_start_trial free_trial',
  'rebill recurring renewal subscription_renewal',
  'subscribe subscription af_subscribe sub_start',
  'upsell',
  'loan issued loan_issued credit_issued',
  'card first_card_payment card_payment',
].map((words) => words.split(' '))
const CLASS = new Map(CLASSES.flatMap((words) => words.map((word) => [word, words[0] ?? ''] as const)))
const EVENTS: ReadonlySet<string> = new Set(CLASS.values())

/** The usual name of an event by any of its names: `first_deposit` → ftd; itself where it has none. */
export function eventClassOf(word: string): string {
  const plain = plainText(word)
    .trim()
    .replaceAll(/[\s-]+/g, '_')
  return CLASS.get(plain) ?? plain
}

/** Whether a name is that of an event itself (`ftd`, `registration`), so that what stands under it says whether there was one. */
export function isEventName(name: string): boolean {
  return EVENTS.has(eventClassOf(name))
}

/** The goal an event probably is: by its code, its title, or another name of the same event; null = none, or several could be. */
export function guessGoal(word: string, goals: readonly { code: string; title: string }[]): string | null {
  const plain = plainText(word)
    .trim()
    .replaceAll(/[\s-]+/g, '_')
  const exact = goals.find(({ code, title }) =>
    [code, title].some(
      (name) =>
        plainText(name)
          .trim()
          .replaceAll(/[\s-]+/g, '_') === plain,
    ),
  )
  if (exact !== undefined) return exact.code
  const meant = eventClassOf(word)
  const alike = goals.filter(({ code, title }) => meant !== '' && [code, title].some((name) => eventClassOf(name) === meant))
  return alike.length === 1 ? (alike[0]?.code ?? null) : null
}
