import type { ConversionStatus } from '#contract/traffic/conversion.ts'
import { isDepositDate, isDepositFlag } from './postback-names.ts'
import { plainText, plainWords, senseOf, type Sense } from './status-vocabulary.ts'

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
/** As common as "cancel anytime": among other words they are no status. */
const MEANT_ALONE = setOf('approve confirm wait decline reject cancel trash')

/** Neither refusal nor approval everywhere, where it is all there is: pending at one platform, approved at another. */
const UNCLEAR_ALONE = setOf(
  `accept accepted expect expected created added new lead reg registration install subscribe paid payed buyout boughtout sale ftd firstdep
   dep deposit rebill billed redeem redeemed qualification revshare autosell прийнято принято`,
)
const PARTLY = setOf('pre partially partly half semi')
/** Written in words of their own, read as one. */
const PHRASES = setOf(
  `chargedback chargeback insufficientfunds wrongnumber wrongphone notinterested alreadyregistered existingcustomer noanswer nocontact outofstock inprogress underreview preapproved`,
)

const MOST_WORDS = 5
const LONGEST = 40
/** So far behind a "not", or from the thing it is said of, a word is looked for. */
const NEAR = 3
/** Where a result is told: any length is read, and any word in it counts. */
const RESULTS = /(result|outcome|verdict|decision|resolution|disposition|message|msg|response|answer)s?\d*$/
const RESULT_CODES = /(result|outcome|verdict|decision|resolution|disposition)$/
/** Where what became of a lead is told: any word but a good one leaves it open. */
const OUTCOMES = /(result|outcome|verdict|decision|disposition)\d*$/
const OTHER_OUTCOMES = /(search|quiz|test|match|game|survey|race|score)_?(result|outcome|decision)\d*$/
/** Names of a verb, which tell the same by a yes. */
const VERB_FLAGS = setOf('accept accepted validate qualify match matched sold')
const DONE = setOf('done won win pass good')
const DOUBTS = setOf('maybe perhaps possibly probably likely later soon until unless if callback recheck suspicious')
/** Titles, addresses and marks of a visitor: a word in them says nothing unless it is all they hold. */
const TEXTS =
  /^(utm_|(aff_)?sub_?(id)?_?\d*$|[sp]\d+$|(.*_)?(ua|agent|referr?er|url|uri|campaign|creative|ad|adset|placement|keyword|term|query|offer|landing|page|site|source|title|name|product|item|sku|category|brand|model|device|browser|os|isp|carrier|coupon|promo|promocode|tag|tags|description)(_?name)?$)/
/** Of people and places, or their own: such a word in them is a name, or an answer to something else. */
const NAMES =
  /(^|[_.])((first|last|full|sur|nick|middle|customer|client|user|buyer|player|company)_?name|company|e?mail|city|town|region|province|country|street|address_?\d?|cookies?|consent|gift_?(message|note))$/
const OF_PEOPLE = /customer|user|client|player|buyer|visitor/
const ADDRESS = /@|:\/\/|^\/|^www\./

/** Whether a parameter names a person or place, so that nothing in it speaks of a status. */
export function isName(name: string): boolean {
  return NAMES.test(name)
}

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
 * money: so a short value (5 words, 40 characters) is searched under any name, a longer one where a result is told
 * (`message`) or such a word is said of a lead or order; titles, campaigns and sub ids count only where it is all they
 * hold. Words that are usual in other meanings (`deleted`, `returned`, `double`) count
 * among words of results only: `order returned`, not `Return of the Jedi`. A "not" turns a word around.
 */
export function spokenOf(name: string, value: string): Spoken {
  const whole = value.toLowerCase()
  const isText = TEXTS.test(name)
  // digits make it a number of something: `LEAD-10023`
  const joined = whole.replaceAll(/[^\p{L}\d]/gu, '')
  const own = MEANT.get(whole) ?? MEANT.get(joined)
  const sense = senseOf(plainText(joined))
  const alone: Spoken = {
    statuses: own === undefined ? [] : [own],
    bad: own === undefined && (sense === 'bad' || (sense === 'weak' && !isText && !OF_PEOPLE.test(name))),
    unclear:
      sense === 'unclear' ||
      (UNCLEAR_ALONE.has(joined) && !isText && !OF_PEOPLE.test(name)) ||
      isLeftOpen(name, value) ||
      (RESULT_CODES.test(name) && /^(\d+|-\d+|[a-z]|no|ko|nok|false)$/.test(whole) && whole !== '1' && whole !== 'y'),
  }
  if (own !== undefined || alone.bad || alone.unclear || isText || ADDRESS.test(value)) return alone
  if (value.split(/[,;|&]/).some(isAgainst)) return { ...alone, bad: true }
  const clauses = value
    .split(/[,;|&!?]|\.\s/)
    .map(wordsIn)
    .filter((clause) => clause.length > 0)
  const inResult = RESULTS.test(name)
  const isShort = inResult || (clauses.flat().length <= MOST_WORDS && value.length <= LONGEST)
  const areResults = clauses.every(isOfResults)
  const spoken = clauses.map((clause) =>
    spokenIn(clause, { inResult, isShort, only: areResults || (isOfResults(clause) && clause.some(isThing)) }),
  )
  return {
    statuses: spoken.flatMap(({ statuses }) => statuses),
    bad: spoken.some(({ bad }) => bad),
    unclear: spoken.some(({ unclear }) => unclear),
  }
}

/** Whether a result is told in words, or a code, that nobody knows to be good. */
function isLeftOpen(path: string, value: string): boolean {
  const name = path.toLowerCase()
  const isResult = (OUTCOMES.test(name) && !OTHER_OUTCOMES.test(name)) || isVerbFlag(path)
  if (!isResult || YES.test(value.trim()) || (isVerbFlag(path) && /^(\d{4}-\d\d-\d\d.*|[1-9]\d{9,12})$/.test(value))) return false
  const words = wordsIn(value)
  const isGood = words.some(({ text, sense }) => sense === 'good' || DONE.has(text) || MEANT.get(text) === 'approved')
  return !isGood || words.some(({ text }) => DOUBTS.has(text))
}

/** `accept`, `lead_matched` */
function isVerbFlag(path: string): boolean {
  const leaf = path.split(/[.[\]]+/).findLast((part) => part !== '') ?? ''
  const name = leaf.toLowerCase().replaceAll(/[^a-z]/g, '')
  return [name, name.replace(/^(is|has|was)/, ''), name.replaceAll(AROUND, '')].some((one) => VERB_FLAGS.has(one))
}

type Word = { text: string; sense: Sense }
/** `only` = every word is one of results. */
type Place = { inResult: boolean; isShort: boolean; only: boolean }

/** What a clause says: its words one by one, each turned around by a "not" before it. */
function spokenIn(words: readonly Word[], { inResult, isShort, only }: Place): Spoken {
  const isRead = isShort || only
  let denied = false
  const standing = new Set(words)
  for (const [at, { sense }] of words.entries()) {
    if (sense !== 'not') continue
    const about = words.slice(at + 1, at + 1 + NEAR).find((word) => isDeniable(word, only || inResult))
    // "approved: no"
    if (about === undefined) denied ||= only && words.slice(0, at).some((word) => word.sense === 'good')
    else if (about.sense === 'bad' || about.sense === 'weak') standing.delete(about)
    else denied ||= isRead
  }
  if (denied) return { statuses: [], bad: true, unclear: false }
  const left = [...standing]
  const statuses = isRead ? left.flatMap(({ text }) => (MEANT_ALONE.has(text) && !only && !inResult ? [] : (MEANT.get(text) ?? []))) : []
  const partly = isRead && left.some(({ text }) => PARTLY.has(text)) && left.some(({ sense }) => sense === 'good')
  const isVague = only && words.length > 1 && words.some(({ sense }) => sense === 'vague') && !words.some(({ sense }) => sense === 'person')
  return {
    statuses: partly ? [] : statuses,
    bad: left.some(
      (word) =>
        (word.sense === 'bad' && (isRead || isSaidOfThing(words, word))) ||
        (word.sense === 'weak' && (inResult || (only && words.some((one) => one !== word && isEvidence(one))))),
    ),
    unclear: partly || isVague || (isRead && left.some(({ sense }) => sense === 'unclear')),
  }
}

function isDeniable({ sense }: Word, amongResults: boolean): boolean {
  return sense === 'bad' || sense === 'weak' || sense === 'good' || (amongResults && (sense === 'verb' || sense === 'thing'))
}

/** "Your lead has been rejected", however long the rest; not "order and ask for a refund". */
function isSaidOfThing(words: readonly Word[], word: Word): boolean {
  const at = words.indexOf(word)
  const around = words.slice(Math.max(0, at - NEAR), at + NEAR + 1)
  return /(ed|en|t|[oa]|е|о)$/.test(word.text) && around.some(isThing) && around.every(({ sense }) => sense !== 'other')
}

/** More than the glue of any title: "Double A" is no lead. */
function isEvidence({ sense, text }: Word): boolean {
  return sense === 'filler' ? text.length > 3 : sense !== 'number'
}

function isThing({ sense, text }: Word): boolean {
  return sense === 'thing' || /^err(or)?s?$/.test(text)
}

/** A number is one of results where it numbers a thing: `order 5512 returned`. */
function isOfResults(words: readonly Word[]): boolean {
  const hasThing = words.some(isThing)
  return words.every(({ sense }) => sense !== 'other' && (sense !== 'number' || hasThing))
}

/** `paid:0`, `valid = no` */
function isAgainst(part: string): boolean {
  const at = part.search(/[:=]/)
  const name = part.slice(0, Math.max(0, at)).trim()
  const value = part.slice(at + 1).trim()
  if (!/^[\p{L}_ -]{2,40}$/u.test(name) || !/^\S{1,10}$/.test(value) || !isYesOrNo(value)) return false
  const flag = flagOf(name, value)
  return flag === 'bad' || flag === 'not_good'
}

function wordsIn(text: string): Word[] {
  const words = plainWords(text)
  const read: Word[] = []
  for (let at = 0; at < words.length;) {
    const length = [3, 2].find((count) => PHRASES.has(words.slice(at, at + count).join(''))) ?? 1
    const word = words.slice(at, at + length).join('')
    read.push({ text: word, sense: senseOf(word) })
    at += length
  }
  return read
}

/** What a yes or no says. `silent` = nothing against anything; `approval` = that it is approved; `not_good` = no to something good; `deposit` = that there was a deposit, `no_date` = none is told of. */
export type Flag = 'test' | 'bad' | 'not_good' | 'waiting' | 'approval' | 'deposit' | 'no_date' | 'silent'

const APPROVAL_FLAGS = setOf('approved approve confirmed confirm')
const WAITING_FLAGS = setOf('pending hold onhold waiting processing')
const TEST_FLAGS = setOf('test testing tests sandbox dryrun testmode sandboxmode')
const LIVE_FLAGS = setOf('live livemode production productionmode')
/** A no to these is usual for real money, and so is a yes to "return". */
const NO_FLAGS = setOf(
  'return delivered claimed passed allowed granted settled captured collected recognized recognised acknowledged authorized authorised authorization',
)
const AUXILIARIES = setOf('is has was been be are did got get yet already now out flag count number total qty by auto fully')
/** Money that went back: any amount, time or number says so. */
const WENT_BACK =
  /^(amount|total)?(refund|refunds|refunded|chargeback|chargebacks|reversed|reversal|cancelled|canceled|voided|deleted|removed|trashed|rejected|declined)(amount|sum|total|value|at|date|time|on|id|count)?$/
const ENVIRONMENTS = /(^|[a-z])(environment|env|mode)$/
const THINGS = 'conversion|lead|order|transaction|txn|sale|payment|deposit|purchase|event|action|call|postback|request|flag'
const AROUND = new RegExp(`^(?:${THINGS})(?:is|has|was)?|(?:${THINGS}|count|out)s?$`, 'g')

const YES = /^(1|true|yes|y|t|on|si|sí|oui|ja|sim|tak|evet|да|так)$/i
const NO = /^(0|0[.,]0+|false|no|n|f|off|null|none|nil|nein|non|nie|não|hayır|нет|ні|\[\]|\{\}|n\/a|-)$/i

/** Whether a value is a yes, in any of the usual words. */
export function isYes(value: string): boolean {
  return YES.test(value)
}

/** Whether a value is a yes or a no, in any of the usual words. */
export function isYesOrNo(value: string): boolean {
  return YES.test(value) || NO.test(value)
}

/** Whether a column says yes or no, and nothing else, wherever it says something. */
export function areYesOrNo(values: readonly string[]): boolean {
  const filled = values.filter((value) => value.trim() !== '')
  return filled.length > 0 && filled.every((value) => isYesOrNo(value.trim()))
}

/** Whether why something was turned down is left open, so that nothing was. */
export function isNoReason(value: string): boolean {
  return NO.test(value) || /^(0+|ok|success|no[ _-]?errors?|na|n\.a\.|-{2,}|–|—|undefined|nan)$/i.test(value)
}

/** Whether a parameter of that name may be a yes or no about a status, or a code of a result: its value counts however short it is. */
export function isBrief(name: string): boolean {
  return RESULT_CODES.test(name.toLowerCase()) || flagOf(name, '1') !== null
}

/**
 * What a parameter says by its name and a yes or no (`is_paid=false`, `refund_amount=5`, `errors=3`, `environment=sandbox`);
 * null = it is none of these. Names are read in the words of values, so that one nobody has listed counts too.
 */
export function flagOf(path: string, value: string): Flag | null {
  const leaf = path.split(/[.[\]]+/).findLast((part) => part !== '') ?? ''
  const name = leaf.toLowerCase().replaceAll(/[^a-z]/g, '')
  const word = value.toLowerCase().trim()
  if (ENVIRONMENTS.test(name) && /^(sandbox|test|tests|testing|staging|stage|dev|development|debug|qa|uat)$/.test(word)) return 'test'
  const no = NO.test(word)
  if (isDepositDate(leaf)) return no || word === '' ? 'no_date' : null
  if (isDepositFlag(leaf)) return no ? 'not_good' : word === '' ? 'no_date' : YES.test(word) ? 'deposit' : null
  if (WENT_BACK.test(name)) return no ? 'silent' : 'bad'
  const yes = YES.test(word) || /^[1-9]\d{0,5}$/.test(word)
  const bare = name.replace(/^(is|has|was)/, '')
  const names = [name, bare, bare.replaceAll(AROUND, '')]
  const isOne = (flags: ReadonlySet<string>) => names.some((one) => flags.has(one))
  if (!yes && !no) return errorIn(leaf, word) ? 'bad' : null
  const isOn = YES.test(word)
  if (isOne(TEST_FLAGS)) return isOn ? 'test' : no ? 'silent' : null
  if (isOne(LIVE_FLAGS)) return isOn ? 'silent' : no ? 'test' : null
  if (isOne(WAITING_FLAGS)) return isOn ? 'waiting' : no ? 'silent' : null
  if (isOne(APPROVAL_FLAGS)) return isOn ? 'approval' : no ? 'not_good' : null
  if (isVerbFlag(path)) return no ? 'not_good' : isOn ? 'silent' : null
  const says = names.includes('') || !names.some((one) => NO_FLAGS.has(one)) ? saidByName(leaf, names) : null
  if (says === 'bad') return yes ? 'bad' : 'silent'
  return says === 'good' ? (no ? 'not_good' : isOn ? 'silent' : null) : null
}

/** Whether a parameter that asks for a deposit holds nothing: `ftd_date=`, `is_ftd=`, `ftd_date=null`. */
export function isNoDeposit(path: string, value: string): boolean {
  return flagOf(path, value) === 'no_date'
}

/** An error in words: `error=card expired`. */
function errorIn(leaf: string, word: string): boolean {
  return /^(errors?|err|failure|rejection|refusal)$/i.test(leaf) && !isNoReason(word) && !ADDRESS.test(word)
}

/** Whether a yes under such a name would be good or bad: `paid_out`, `lead_is_valid`; `not_paid`, `isDuplicate`, `no_sale`. */
function saidByName(leaf: string, joined: readonly string[]): 'good' | 'bad' | null {
  const words = plainWords(leaf)
    .filter((text) => !AUXILIARIES.has(text))
    .map((text) => ({ text, sense: senseOf(text) }))
  const [only] = words
  if (words.length === 1 && only?.sense === 'other') only.sense = joined.map(senseOf).find((sense) => sense !== 'other') ?? 'other'
  const isDenied = words.some(({ sense }) => sense === 'not')
  const core = words.filter(({ sense }) => sense !== 'not' && sense !== 'thing')
  if (core.length === 0) return isDenied && words.some(isThing) ? 'bad' : null
  const areAll = (...senses: Sense[]) => core.every(({ sense }) => senses.includes(sense))
  if (areAll('good') || (isDenied && areAll('verb'))) return isDenied ? 'bad' : 'good'
  const isBad = areAll('bad', 'weak', 'person') && !areAll('person')
  return isBad ? (isDenied ? 'good' : 'bad') : null
}

/** Whether a call says that it is none of real money: by a flag, or as ClickBank does (`TEST_SALE`). */
export function isTestCall({ name, value }: { name: string; value: string }): boolean {
  if (flagOf(name, value) === 'test') return true
  return (
    /^(sandbox|test[ _-]?(sale|bill|rfnd|cgbk|order|call|postback|conversion|event|purchase|lead|transaction|payment))$/i.test(value) &&
    !TEXTS.test(name)
  )
}
