import type { ConversionStatus } from '#contract/traffic/conversion.ts'

/**
 * Words that mean the same wherever they come from, in lower case. The same `1`, `hold`, `accepted`, `lead` or `refund` is
 * pending money at one platform and approved at another (reference: postback-dialects 1.3), so those are for advertisers
 * to map: `hold` is here because it is our own.
 */
export const STATUS_WORDS: Readonly<Record<string, ConversionStatus>> = {
  approved: 'approved', approve: 'approved', confirmed: 'approved', confirm: 'approved',
  pending: 'pending', wait: 'pending', waiting: 'pending',
  declined: 'declined', decline: 'declined', rejected: 'declined', reject: 'declined', cancelled: 'declined', canceled: 'declined', cancel: 'declined', denied: 'declined',
  hold: 'hold', on_hold: 'hold', 'on-hold': 'hold',
  trash: 'trash',
  схвалено: 'approved', підтверджено: 'approved', одобрено: 'approved', подтверждено: 'approved',
  очікує: 'pending', очікується: 'pending', ожидает: 'pending',
  відхилено: 'declined', скасовано: 'declined', відмовлено: 'declined', отклонено: 'declined', отменено: 'declined',
} // prettier-ignore

const MEANT = new Map(Object.entries(STATUS_WORDS))
const setOf = (words: string) => new Set(words.split(/\s+/))

/** No money, wherever in a short value they stand; two words are written as one. */
const BAD = setOf(
  `refund refunds refunded rfnd cgbk chargeback chargebacks chargedback reversed reversal disapproved scrubbed voided failed failure
   unsuccessful fraud fraudulent invalid duplicate duplicated expired unapproved unconfirmed unpaid unqualified disqualified
   unverified ineligible nonpayable refused refusal rejects rejection declines cancels cancellation canceling denial storno annulled
   revoked dispute disputed insufficientfunds wrongnumber
   відмова отказ отказано скасування отмена відхилений отклонен отклонён отменен отменён повернення возврат дубль дублікат дубликат шахрайство`,
)
/** The same, but so usual in names of products and people that they count only alone, or where a result is told. */
const BAD_ALONE = setOf(
  'double dup dupe fake spam void fail fails error errors err returned return blocked banned bad rej junk lost dead incomplete insf bounced',
)
/** Neither refusal nor approval everywhere: pending at one platform, approved at another. */
const UNCLEAR = setOf('processing inprogress underreview awaiting preapproved обробка обработка')
const UNCLEAR_ALONE = setOf(
  `accept accepted expect expected created added new lead reg registration install subscribe paid payed buyout boughtout sale ftd firstdep
   dep deposit rebill billed redeem redeemed qualification revshare autosell прийнято принято`,
)
/** With a "not" before them no money; alone nothing against an approval. */
const GOOD = setOf(
  `paid payed valid qualified accepted accept success successful converted completed complete verified eligible payable redeemed billed
   confirmed approved approve confirm sold`,
)
const NEGATIONS = setOf('not no non never isnt wasnt не нет ні')
const PARTLY = setOf('pre partially partly half semi')

const MOST_WORDS = 5
const LONGEST = 40
/** Where a result is told: any length is read, and any word in it counts. */
const RESULTS = /(result|outcome|verdict|decision|resolution|disposition|message|msg|response|answer)s?\d*$/
const RESULT_CODES = /(result|outcome|verdict|decision|resolution|disposition)$/
/** Titles, addresses and marks of a visitor: a word in them says nothing unless it is all they hold. */
const TEXTS =
  /^(utm_|(aff_)?sub_?(id)?_?\d*$|[sp]\d+$|(.*_)?(ua|agent|referr?er|url|uri|campaign|creative|ad|adset|placement|keyword|term|query|offer|landing|page|site|source|email|mail|city|region|country|street|address|company|title|name|product|item|sku|category|brand|model|device|browser|os|isp|carrier|coupon|promo|promocode|tag|tags|description)(_?name)?$)/
const OF_PEOPLE = /customer|user|client|player|buyer|visitor/

/** What the value of a parameter that nobody reads says of a status. */
export type Spoken = {
  /** Of STATUS_WORDS. */
  statuses: ConversionStatus[]
  bad: boolean
  /** A word that is pending money at one platform and approved at another. */
  unclear: boolean
}

/**
 * Looks for words of a status in a value nobody reads. Refusing real money costs a mapping, booking a refused lead costs
 * money: so a short value (5 words, 40 characters) is searched under any name, a longer one only where a result is told
 * (`message`), and names, campaigns, sub ids and addresses count only where such a word is all they hold. Words that are
 * usual in other meanings (`new`, `returned`, `double`) always have to stand alone.
 */
export function spokenOf(name: string, value: string): Spoken {
  const words = wordsIn(value)
  const whole = value.toLowerCase()
  // digits make it a number of something: `LEAD-10023`
  const joined = whole.replaceAll(/[^\p{L}\d]/gu, '')
  const inResult = RESULTS.test(name)
  const own = MEANT.get(whole) ?? MEANT.get(joined)
  const alone: Spoken = {
    statuses: own === undefined ? [] : [own],
    bad: BAD.has(joined) || (BAD_ALONE.has(joined) && !TEXTS.test(name)),
    unclear:
      UNCLEAR.has(joined) ||
      (UNCLEAR_ALONE.has(joined) && !TEXTS.test(name) && !OF_PEOPLE.test(name)) ||
      (RESULT_CODES.test(name) && /^(\d+|-\d+|[a-z]|no|ko|nok|false)$/.test(whole) && whole !== '1' && whole !== 'y'),
  }
  const isShort = words.length <= MOST_WORDS && value.length <= LONGEST
  if (own !== undefined || alone.bad || alone.unclear || /@|:\/\//.test(value) || TEXTS.test(name) || !(isShort || inResult)) return alone

  const parts = [...words, ...words.slice(1).map((word, index) => `${words[index] ?? ''}${word}`)]
  const statuses = words.flatMap((word) => MEANT.get(word) ?? [])
  const isGood = words.some((word) => GOOD.has(word)) || statuses.length > 0
  if (isGood && words.some((word) => NEGATIONS.has(word))) return { statuses: [], bad: true, unclear: false }
  const bad = parts.some((word) => BAD.has(word) || (inResult && BAD_ALONE.has(word)))
  const partly = isGood && words.some((word) => PARTLY.has(word))
  return { statuses: partly ? [] : statuses, bad, unclear: partly || parts.some((word) => UNCLEAR.has(word)) }
}

/** What a yes or no says. `silent` = nothing against anything; `approval` = that it is approved; `not_good` = no to something good. */
export type Flag = 'test' | 'bad' | 'not_good' | 'waiting' | 'approval' | 'silent'

const GOOD_FLAGS = setOf(
  'success successful succeeded converted accepted paid valid qualified completed complete verified eligible payable billable ok okay',
)
const APPROVAL_FLAGS = setOf('approved approve confirmed confirm')
const WAITING_FLAGS = setOf('pending hold onhold waiting processing')
const BAD_FLAGS = setOf(
  `refund refunded chargeback chargedback reversed reversal rejected reject declined decline cancelled canceled cancel fraud fraudulent
   fake duplicate duplicated dup double spam void voided invalid failed failure fail error expired blocked banned returned unpaid
   disqualified trash trashed scrubbed suspicious`,
)
const TEST_FLAGS = setOf('test testing tests sandbox dryrun testmode sandboxmode')
const LIVE_FLAGS = setOf('live livemode production productionmode')
/** Money that went back: any amount, time or number says so. */
const WENT_BACK =
  /^(amount|total)?(refund|refunds|refunded|chargeback|chargebacks|reversed|reversal|cancelled|canceled|voided)(amount|sum|total|value|at|date|time|on|id|count)?$/
const ENVIRONMENTS = /(^|[a-z])(environment|env|mode)$/
const THINGS = 'conversion|lead|order|transaction|txn|sale|payment|deposit|purchase|event|action|call|postback|request|flag'
const AROUND = new RegExp(`^(?:${THINGS})(?:is|has|was)?|(?:${THINGS})s?$`, 'g')

const YES = /^(1|true|yes|y|t|on)$/i
const NO = /^(0|0[.,]0+|false|no|n|f|off|null|none)$/i

/** Whether a parameter of that name may be a yes or no about a status, or a code of a result: its value counts however short it is. */
export function isBrief(name: string): boolean {
  return RESULT_CODES.test(name.toLowerCase()) || flagOf(name, '1') !== null
}

/** What a parameter says by its name and a yes or no (`is_paid=false`, `refund_amount=5`, `environment=sandbox`); null = it is none of these. */
export function flagOf(path: string, value: string): Flag | null {
  const name = (path.split(/[.[\]]+/).findLast((part) => part !== '') ?? '').toLowerCase().replaceAll(/[^a-z]/g, '')
  const word = value.toLowerCase().trim()
  if (ENVIRONMENTS.test(name) && /^(sandbox|test|tests|testing|staging|stage|dev|development|debug|qa|uat)$/.test(word)) return 'test'
  const [yes, no] = [YES.test(word), NO.test(word)]
  if (WENT_BACK.test(name)) return no ? 'silent' : 'bad'
  if (!yes && !no) return null
  const bare = name.replace(/^(is|has|was)/, '')
  const names = [name, bare, bare.replaceAll(AROUND, '')]
  const isOne = (flags: ReadonlySet<string>) => names.some((one) => flags.has(one))
  if (isOne(TEST_FLAGS)) return yes ? 'test' : 'silent'
  if (isOne(LIVE_FLAGS)) return yes ? 'silent' : 'test'
  if (isOne(BAD_FLAGS)) return yes ? 'bad' : 'silent'
  if (isOne(WAITING_FLAGS)) return yes ? 'waiting' : 'silent'
  if (isOne(APPROVAL_FLAGS)) return yes ? 'approval' : 'not_good'
  return isOne(GOOD_FLAGS) ? (yes ? 'silent' : 'not_good') : null
}

/** Whether a call says that it is none of real money: by a flag, or as ClickBank does (`TEST_SALE`). */
export function isTestCall({ name, value }: { name: string; value: string }): boolean {
  if (flagOf(name, value) === 'test') return true
  return (
    /^(sandbox|test[ _-]?(sale|bill|rfnd|cgbk|order|call|postback|conversion|event|purchase|lead|transaction|payment))$/i.test(value) &&
    !TEXTS.test(name)
  )
}

/** `REJECTED_DUPLICATE`, `notQualified` → rejected, duplicate; not, qualified. */
function wordsIn(value: string): string[] {
  return value
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .replaceAll(/['’]/g, '')
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter((word) => word !== '')
}
