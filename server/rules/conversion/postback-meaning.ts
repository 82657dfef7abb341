import type { ConversionStatus } from '#contract/traffic/conversion.ts'
import { toUnits } from '#contract/money/amount.ts'
import type { PostbackRefusal } from '#contract/traffic/postback-outcome.ts'
import { goalNumbered } from './goal-number.ts'
import { readAmount } from './amount-reading.ts'
import { eventClassOf, isEventName } from './dialect/guess.ts'
import { isLost } from './conversion-status.ts'
import { countedAmounts, isAmount, isNothing } from './counted-amounts.ts'
import { amountInCurrency, isDepositAmount, isDepositFlag, isEventNumber, isSameName, kindOf } from './postback-names.ts'
import type { Mention } from './postback-reading.ts'
import type { Stated } from '#server/rules/offer/payout.ts'
import { flagOf, isName, isTestCall, isYesOrNo, spokenOf, STATUS_WORDS, type Flag } from './status-words.ts'

/** An advertiser's word and what it means: a status, or a goal by its code. */
export type PostbackWord = { word: string; status: ConversionStatus | null; goal: string | null }
type GoalOf = { code: string; title?: string; type: string; is_default: boolean; retired: boolean; repeatable?: boolean }
/** Where no status is named, `status` is what a new conversion takes. */
export type Understanding<Goal> = {
  goal: Goal
  status: ConversionStatus
  statusNamed: boolean
  amount: string | null
  stated?: Stated | undefined
}
/** `parameter` is the one that was not understood; `detail` a sentence about it. */
export type NotUnderstood = { refusal: PostbackRefusal; parameter?: string; detail?: string }

type Asked<Goal> = {
  /** In the order in which people see them. */
  goals: readonly Goal[]
  /** The advertiser's own words; the network's statuses come after them. */
  words: readonly PostbackWord[]
  statuses: Readonly<Record<string, ConversionStatus>>
  /** Where none is named. */
  unnamedStatus: ConversionStatus
  /** What the amount is in; a sign beside it must not say another. */
  currency: string
  /** Whether the call itself says so. */
  currencyNamed?: boolean
  /** Codes of goals that share an amount: of these it must be sure that it is the sale. */
  sharing?: ReadonlySet<string>
  /** Names, in lower case, by which the advertiser's dialect says why something was turned down: filled without a status they decline. */
  rejections?: ReadonlySet<string>
  /** In Keitaro a status may be an event of the network's own, and `rebill` is another payment. */
  statusIsEvent?: boolean
  /** In Affise `goal=1` is what a call without a goal is about. */
  firstIsDefault?: boolean
}
type Meant<Goal> = { goal: Goal; status?: ConversionStatus } | { goal?: undefined; status: ConversionStatus } | null

/**
 * What a postback says of goal, status and amount. Whatever names one of them has to be understood, and all of it has to
 * agree; otherwise it is refused with the parameter at fault, and nothing is guessed. Only a postback that names no event
 * is about the default goal.
 */
export function understand<Goal extends GoalOf>(said: readonly Mention[], asked: Asked<Goal>): Understanding<Goal> | NotUnderstood {
  const test = said.find((one) => one.kind !== 'goal' && !isWhy(one) && isTestCall(one))
  if (test !== undefined) return { refusal: 'test_call', ...faulty(test) }
  let goal: { is: Goal; name: string } | null = null
  let status: { is: ConversionStatus; name: string } | null = null
  for (const mention of said.toSorted((a, b) => Number(isOfOther(a)) - Number(isOfOther(b)))) {
    if (mention.kind === 'amount' || mention.kind === 'amount?' || mention.kind === 'rejection' || mention.kind === 'other') continue
    if (flagIn(mention, asked) !== null) continue
    const meant = meaningByLists(mention, asked)
    if (meant === 'against') return ambiguous(mention, `"${mention.value}" means another status in the lists of the call`)
    if (status !== null && isOfOther(mention) && !saysLoss(mention, meant)) continue
    if (meant === null && (isPlace(mention) || isDate(mention))) continue
    if (meant === 'both') return ambiguous(mention, `"${mention.value}" is a goal and a status`)
    if (meant === null) return { refusal: isAboutStatus(mention) ? 'status_unknown' : 'goal_unknown', ...faulty(mention) }
    if (meant.goal !== undefined) {
      if (goal !== null && goal.is !== meant.goal) return ambiguous(mention, `${goal.name} names another goal`)
      goal ??= { is: meant.goal, name: mention.name }
    }
    if (meant.status !== undefined) {
      if (mention.kind === 'status' && mention.listed === undefined && saysOtherwise(mention, meant.status))
        return { refusal: 'status_unknown', ...faulty(mention) }
      if (status !== null && status.is !== meant.status) return ambiguous(mention, `${status.name} names another status`)
      status ??= { is: meant.status, name: mention.name }
    }
  }
  const turnedDown = status === null ? said.find(({ kind, name }) => kind === 'rejection' && asked.rejections?.has(name)) : undefined
  if (turnedDown !== undefined) status = { is: 'declined', name: turnedDown.name }
  const goalMeant = goal?.is ?? asked.goals.find((one) => one.is_default && !one.retired)
  if (goalMeant === undefined) return { refusal: 'goal_unknown' }
  const again =
    goal === null && asked.statusIsEvent ? said.find((one) => one.kind === 'status' && isRebill(one.listed ?? one.value)) : undefined
  if (again !== undefined && goalMeant.repeatable === false) return { refusal: 'goal_unknown', ...faulty(again) }
  const statusMeant = status?.is ?? asked.unnamedStatus
  // why it is trash may well be that it was a test
  const why = isLost(statusMeant) ? undefined : said.find((one) => isWhy(one) && isTestCall(one))
  if (why !== undefined) return { refusal: 'test_call', ...faulty(why) }
  for (const mention of said) {
    const stray = strayOf(mention, {
      ...asked,
      goal: goalMeant,
      goalNamed: goal !== null,
      status: statusMeant,
      statusNamed: status !== null,
    })
    if (stray !== null) return stray
  }
  const deposited = noDeposit(said, goalMeant, statusMeant, asked)
  if ('refusal' in deposited) return deposited
  const counted = countedAmounts(deposited, statusMeant, asked.sharing?.has(goalMeant.code) === true)
  if ('refusal' in counted) return counted
  const amount = amountOf(counted, asked, goalMeant)
  if (amount !== null && 'refusal' in amount) return amount
  const stated = amount?.stated === undefined ? {} : { stated: amount.stated }
  return { goal: goalMeant, status: statusMeant, statusNamed: status !== null, amount: amount?.is ?? null, ...stated }
}

/**
 * A call without the mentions of an event by a number of its own (`event_id` with a UUID), unless a goal or a mapped word
 * is called so; `number` is that number, which names a transaction where nothing else does.
 */
export function withoutEventNumber(
  said: readonly Mention[],
  { goals, words }: { goals: readonly GoalOf[]; words: readonly PostbackWord[] },
): { said: Mention[]; number: string } {
  const isCalled = (value: string) =>
    goalByCode(goals, value) !== undefined || words.some(({ word }) => word.toLowerCase() === value.toLowerCase())
  const numbers = said.filter(({ name, value }) => isEventNumber(name, value) && !isCalled(value))
  return { said: said.filter((one) => !numbers.includes(one)), number: numbers[0]?.value ?? '' }
}

function isWhy({ kind, name }: Mention): boolean {
  return kind === 'rejection' || kindOf(name) === 'reason'
}

const FORMER = /(^|_)(previous|prev|old|former|from)_?([a-z]+_)?(status|state)$/

/** Whether a status is another than the conversion's own, where that is named: what it was before, or its payment's. */
function isOfOther({ kind, name }: Mention): boolean {
  return kind === 'status?' && (FORMER.test(name) || /^payment_?status$/.test(name))
}

function saysLoss(mention: Mention, meant: Meant<never> | 'both' | Meant<GoalOf>): boolean {
  if (FORMER.test(mention.name)) return false
  if (meant !== null && meant !== 'both' && meant.status !== undefined) return isLost(meant.status)
  return spokenOf(mention.name, mention.value).bad
}

/** Whether a name that is read as the status makes its yes or no another: `chargeback=1` is no approval, whatever 1 means elsewhere. */
function saysOtherwise({ name, value }: Mention, status: ConversionStatus): boolean {
  const flag = flagOf(name, value)
  return (flag === 'bad' && !isLost(status)) || (flag === 'not_good' && status === 'approved')
}

const REGIONS = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
const COUNTRIES = new Map(
  LETTERS.flatMap((one) => LETTERS.map((other) => one + other)).flatMap((code) => {
    const name = REGIONS.of(code)
    return name === undefined ? [] : [[code, name.toUpperCase()] as const]
  }),
)
/** States of the USA, Canada and Australia. */
const STATES = new Map(
  (
    'AL Alabama,AK Alaska,AZ Arizona,AR Arkansas,CA California,CO Colorado,CT Connecticut,DE Delaware,DC District of Columbia,FL Florida,GA Georgia,HI Hawaii,' +
    'ID Idaho,IL Illinois,IN Indiana,IA Iowa,KS Kansas,KY Kentucky,LA Louisiana,ME Maine,MD Maryland,MA Massachusetts,MI Michigan,MN Minnesota,MS Mississippi,' +
    'MO Missouri,MT Montana,NE Nebraska,NV Nevada,NH New Hampshire,NJ New Jersey,NM New Mexico,NY New York,NC North Carolina,ND North Dakota,OH Ohio,OK Oklahoma,' +
    'OR Oregon,PA Pennsylvania,PR Puerto Rico,RI Rhode Island,SC South Carolina,SD South Dakota,TN Tennessee,TX Texas,UT Utah,VT Vermont,VA Virginia,WA Washington,' +
    'WV West Virginia,WI Wisconsin,WY Wyoming,AB Alberta,BC British Columbia,MB Manitoba,NB New Brunswick,NL Newfoundland and Labrador,NS Nova Scotia,ON Ontario,' +
    'PE Prince Edward Island,QC Quebec,SK Saskatchewan,NSW New South Wales,QLD Queensland,SA South Australia,TAS Tasmania,VIC Victoria'
  )
    .toUpperCase()
    .split(',')
    .map((state) => [state.slice(0, state.indexOf(' ')), state.slice(state.indexOf(' ') + 1)] as const),
)
const PLACES: ReadonlySet<string> = new Set([...COUNTRIES, ...STATES].flat())

/** `state=CA`: where, not how. */
function isPlace({ kind, name, value }: Mention): boolean {
  const place = value.toUpperCase()
  if (kind !== 'status?' || !/^state(_?(code|name))?$/.test(name) || place === 'NO') return false
  return PLACES.has(place) || COUNTRIES.has(/^([A-Z]{2})-[A-Z\d]{1,3}$/.exec(place)?.[1] ?? '')
}

/** `registration=2026-11-20`: when, not what. */
function isDate({ kind, value }: Mention): boolean {
  return kind === 'event?' && /^(\d{4}-\d\d-\d\d|\d\d[./]\d\d[./]\d{4})([T ][\d:.+Z-]+)?$/.test(value)
}

/** What a status means where the call has lists of what its words stand for: they come before the words of everybody, and must not speak against those of the advertiser. */
function meaningByLists<Goal extends GoalOf>(mention: Mention, asked: Asked<Goal>): Meant<Goal> | 'both' | 'against' {
  const { listed, ...plain } = mention
  const meant = meaningOf(plain, asked)
  if (listed === undefined || meant === 'both') return meant
  const means = meaningOf({ ...plain, value: listed }, asked)
  if (means === null || means === 'both' || means.status === undefined) return means
  if (meant === null) return means
  const isOwn = asked.words.some(({ word, status }) => status !== null && word.toLowerCase() === plain.value.toLowerCase())
  if (meant.status !== undefined && meant.status !== means.status && (isOwn || meant.goal !== undefined)) return 'against'
  return meant.goal === undefined ? means : { ...meant, status: means.status }
}

/** A goal's own code is always itself; then come the advertiser's words, the network's, and those that mean the same everywhere. */
function meaningOf<Goal extends GoalOf>({ kind, name, value }: Mention, asked: Asked<Goal>): Meant<Goal> | 'both' {
  const word = value.toLowerCase()
  const isEvent = kind === 'goal' || kind === 'event?'
  const coded = goalByCode(asked.goals, word)
  if (kind === 'goal' && coded !== undefined) return { goal: coded }
  const own = asked.words.find((one) => one.word.toLowerCase() === word)
  if (kind === 'status' && asked.statusIsEvent && coded !== undefined) {
    const status = own === undefined ? (statusOf(word, asked.statuses) ?? undefined) : (own.status ?? undefined)
    if (own === undefined && status === undefined) return { goal: coded }
    if (isRebill(word) && status !== undefined) return { goal: coded, status }
  }
  // the number of a status is not that of a goal
  if (own !== undefined && !(isEvent && own.status !== null && /^\d+$/.test(word))) {
    if (own.status !== null) return { status: own.status }
    const mapped = goalByCode(asked.goals, own.goal ?? '')
    // a yes to one event is none to another
    if (kind === 'event?' && mapped !== undefined && isEventName(name) && isYesOrNo(word) && !isCalled(mapped, name)) return null
    return mapped === undefined ? null : { goal: mapped }
  }
  const counted = kind === 'goal' && name === 'goal' ? goalNumbered(asked, word) : undefined
  if (kind === 'goal') return counted === undefined ? null : { goal: counted }
  const known = statusOf(word, asked.statuses)
  if (kind === 'status') return known === null ? null : { status: known }
  if (coded !== undefined && known !== null) return 'both'
  if (known !== null) return { status: known }
  return isEvent && coded !== undefined ? { goal: coded } : null
}

function isCalled({ code, title = '' }: GoalOf, event: string): boolean {
  return [code, title].some((name) => eventClassOf(name) === eventClassOf(event))
}

function isRebill(word: string): boolean {
  return word.toLowerCase() === 'rebill'
}

function statusOf(word: string, statuses: Asked<never>['statuses']): ConversionStatus | null {
  const own = Object.entries(statuses).find(([name]) => name.toLowerCase() === word)
  return own?.[1] ?? (Object.hasOwn(STATUS_WORDS, word) ? (STATUS_WORDS[word] ?? null) : null)
}

function goalByCode<Goal extends GoalOf>(goals: readonly Goal[], code: string): Goal | undefined {
  return goals.find((one) => one.code.toLowerCase() === code.toLowerCase())
}

type Concluded<Goal> = Asked<Goal> & { goal: Goal; goalNamed: boolean; status: ConversionStatus; statusNamed: boolean }

/** What stands where nobody reads it and speaks against what is read. */
function strayOf<Goal extends GoalOf>({ kind, name, value }: Mention, asked: Concluded<Goal>): NotUnderstood | null {
  const mention = { name, value }
  const statusUnknown: NotUnderstood = { refusal: 'status_unknown', ...faulty(mention) }
  const endsBadly = isLost(asked.status)
  // a reason for turning down what nobody has called turned down
  const statusMissing: NotUnderstood = asked.statusNamed ? statusUnknown : { refusal: 'status_missing', ...faulty(mention) }
  if (kind === 'rejection') return endsBadly ? null : statusMissing
  const flag = flagIn({ kind, name, value }, asked)
  if (flag !== null) return speaksAgainst(flag, asked) ? statusUnknown : null
  if (kind !== 'other' || isName(name)) return null
  const word = value.toLowerCase()
  const own = asked.words.find((one) => one.word.toLowerCase() === word)
  const coded = goalByCode(asked.goals, own?.goal ?? word)
  const isNumber = word.length < 3 || /^\d+$/.test(word)
  const status = isNumber ? null : (own?.status ?? statusOf(word, asked.statuses))
  const waits = (one: ConversionStatus) => one === 'pending' || one === 'hold'
  // why it was declined, or what it waits for, is said in words of all kinds
  const isExplained = kindOf(name) === 'reason'
  const agrees = (one: ConversionStatus) => one === asked.status || (isExplained && (endsBadly || (waits(one) && waits(asked.status))))
  if (status !== null) return agrees(status) ? null : isExplained && isLost(status) ? statusMissing : statusUnknown
  const { statuses, bad, unclear } = spokenOf(name, value)
  const isUnclear = unclear && !asked.statusNamed && coded === undefined
  if (bad && !endsBadly && isExplained) return statusMissing
  if (isUnclear || (bad && !endsBadly) || statuses.some((one) => !agrees(one))) return statusUnknown
  // numbers and letters stand in parameters of every kind
  if (isNumber || asked.goalNamed || coded === undefined || coded.code === asked.goal.code) return null
  return { refusal: 'goal_unknown', ...faulty(mention) }
}

/** The flag a mention is; a word the advertiser has mapped is itself, but never a yes to something bad or a no to a deposit. */
function flagIn({ kind, name, value }: Mention, { words }: Pick<Asked<never>, 'words'>): Flag | null {
  if (kind !== 'other' && kind !== 'status?') return null
  const flag = flagOf(name, value)
  const isMapped = kind === 'status?' && words.some(({ word }) => word.toLowerCase() === value.toLowerCase())
  return isMapped && flag !== 'bad' && !(flag === 'not_good' && isDepositFlag(name)) ? null : flag
}

function speaksAgainst(
  flag: Flag,
  { status, statusNamed, goalNamed }: Pick<Concluded<never>, 'status' | 'statusNamed' | 'goalNamed'>,
): boolean {
  const endsBadly = isLost(status)
  const waits = status === 'pending' || status === 'hold'
  if (flag === 'bad') return !endsBadly
  if (flag === 'waiting') return !waits
  if (flag === 'approval') return status !== 'approved'
  // by itself it does not say which goal it is
  if (flag === 'deposit') return !goalNamed && !statusNamed
  if (flag === 'no_date' && goalNamed) return false
  return (flag === 'not_good' || flag === 'no_date') && !endsBadly && !(statusNamed && waits)
}

/** Goals that come before any deposit, or have nothing to do with one. */
const BEFORE_DEPOSITS = new Set('reg lead install trial subscribe'.split(' '))
/** Goals that are a deposit. */
const DEPOSITS = new Set('ftd redeposit redep rdep second_deposit'.split(' '))

/**
 * A deposit of nothing is none: whoever sends it for each registration must not be credited with depositors. A share of what was earned is
 * owed on a day without deposits too: beside it a deposit of nothing says no more than that, and is left out.
 */
function noDeposit(
  said: readonly Mention[],
  { code, title = '', type }: GoalOf,
  status: ConversionStatus,
  { currency }: Pick<Asked<never>, 'currency'>,
): readonly Mention[] | NotUnderstood {
  const events = [code, title].map((name) => eventClassOf(name))
  if (isLost(status) || events.some((event) => BEFORE_DEPOSITS.has(event))) return said
  const none = said.filter((one) => {
    if (!isAmount(one) || !isDepositAmount(one.name)) return false
    const reading = readAmount(one.value, { number: one.number ?? false, currency, format: one.format })
    return reading !== null && 'amount' in reading && toUnits(reading.amount) === 0n
  })
  const [first] = none
  if (first === undefined) return said
  const rest = said.filter((one) => !none.includes(one))
  const isShare = MAY_BE_NEGATIVE.has(type) && !events.some((event) => DEPOSITS.has(event))
  if (isShare && rest.some((one) => isAmount(one) && !isNothing(one.value))) return rest
  const { parameter, detail } = faulty(first)
  return { refusal: 'amount_ambiguous', parameter, detail: `${detail} says that nothing was deposited` }
}

/** Negative amounts are for goals that share what was earned. */
const MAY_BE_NEGATIVE = new Set(['RevShare', 'CPS'])

function amountOf(
  said: readonly Mention[],
  { currency, currencyNamed = false }: Pick<Asked<never>, 'currency' | 'currencyNamed'>,
  goal: GoalOf,
): { is: string; stated: Stated | undefined } | NotUnderstood | null {
  let found: { is: string; name: string; stated: Stated | undefined } | null = null
  const amounts = said.filter(isAmount)
  // those that are sure come first: the others count only where they say the same
  for (const mention of amounts.toSorted((a, b) => Number(a.kind === 'amount?') - Number(b.kind === 'amount?'))) {
    if (found !== null && isPartOf(mention.name, found.name)) continue
    const reading = readAmount(mention.value, { number: mention.number ?? false, currency, format: mention.format })
    if (reading === null) {
      if (mention.kind === 'amount?') return { refusal: 'amount_unknown', ...faulty(mention) }
      if (isTwoAmounts(mention.value)) return ambiguous(mention, `"${mention.value}" holds two amounts`)
      return { refusal: 'amount_invalid', ...faulty(mention) }
    }
    if ('readings' in reading) return eitherAmount(mention, reading.readings, 'use a point for decimals and nothing for thousands')
    const cents = mention.unsaid ? readAmount(mention.value, { currency, format: 'minor' }) : null
    if (cents !== null && 'amount' in cents && toUnits(cents.amount) !== toUnits(reading.amount)) {
      const sure = found === null ? null : toUnits(found.is)
      if ([reading.amount, cents.amount].some((one) => toUnits(one) === sure)) continue
      return eitherAmount(mention, [reading.amount, cents.amount], 'say of this name how its amounts are written')
    }
    if (reading.currencies !== null && !reading.currencies.includes(currency))
      return ambiguous(mention, `"${mention.value}" is not in ${currency}`)
    const other = amountInCurrency(mention.name)
    // the same money in another currency
    if (found !== null && currencyNamed && other !== null && other.currency !== currency && isSameName(other.of, found.name)) continue
    if (found !== null && toUnits(found.is) !== toUnits(reading.amount)) return ambiguous(mention, `${found.name} names another amount`)
    if (mention.kind === 'amount?' && found === null) return { refusal: 'amount_unknown', ...faulty(mention) }
    if (toUnits(reading.amount) < 0n && !MAY_BE_NEGATIVE.has(goal.type)) return { refusal: 'amount_invalid', ...faulty(mention) }
    found ??= { is: reading.amount, name: mention.name, stated: mention.stated }
  }
  return found
}

/** Whether an amount is that of one piece, or what was earned by the sale, and not another amount of it. */
function isPartOf(name: string, sure: string): boolean {
  return /(^|[_.])((unit|item|af)_?price|price_per_(unit|item))$/.test(name) || (name === 'commission' && !sure.includes('payout'))
}

function isTwoAmounts(value: string): boolean {
  return /^[\d.]*[,;|][\d.]*$/.test(value.replaceAll(' ', ''))
}

function eitherAmount({ name, value }: Mention, [one, other]: readonly [string, string], advice: string): NotUnderstood {
  return { refusal: 'amount_ambiguous', parameter: name, detail: `${name}=${value} may be ${one} or ${other}: ${advice}` }
}

function isAboutStatus({ kind }: Mention): boolean {
  return kind === 'status' || kind === 'status?'
}

function ambiguous(mention: Mention, detail: string): NotUnderstood {
  return { refusal: 'ambiguous', parameter: mention.name, detail: `${mention.name}: ${detail}` }
}

function faulty({ name, value }: Pick<Mention, 'name' | 'value'>): { parameter: string; detail: string } {
  return { parameter: name, detail: `${name}=${value.slice(0, 60)}` }
}
