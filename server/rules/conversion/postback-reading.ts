import { isPlaceholderWord, isUnfilledMacro } from '#contract/traffic/placeholder.ts'
import { currencyAmong } from './currency-among.ts'
import { byTransaction, kindOf, kindOfPath, type ParameterKind } from './postback-names.ts'
import { isBrief, isNoDeposit, isNoReason } from './status-words.ts'
import { writtenAs, type NumberFormat } from './number-format.ts'
import type { DialectMeaning, DialectNumbers } from '#contract/traffic/dialect.ts'
import type { Stated } from '#server/rules/offer/payout.ts'

/** What one parameter said of event, status or amount, under the name it came with; `number` = a number of JSON, whose point is a decimal one. */
export type Mention = {
  kind: 'goal' | 'event?' | 'status' | 'status?' | 'amount' | 'amount?' | 'rejection' | 'other'
  name: string
  value: string
  number?: boolean | undefined
  /** How the advertiser writes amounts, where its dialect says so. */
  format?: NumberFormat | undefined
  /** Of an amount: its dialect says of other names that theirs are in hundredths, and nothing of this one. */
  unsaid?: boolean | undefined
  /** Of an amount: in the system its dialect is of it is what the conversion pays, and not the sale. */
  earned?: boolean | undefined
  /** Of an amount: a dialect says that it is the sale, whatever its name. */
  sale?: boolean | undefined
  /** Of an amount: a dialect says that it is what the conversion brings us, or the affiliate. */
  stated?: Stated | undefined
  /** Of a status: the word that lists in the same call say it stands for. */
  listed?: string | undefined
}
/** Why nobody can read a call, whatever it means. */
export const READING_PROBLEMS = [
  'placeholder',
  'ambiguous',
  'body_nested',
  'body_unread',
  'body_invalid',
  'body_list',
  'method_unread',
] as const
export type ReadingProblem = { reason: (typeof READING_PROBLEMS)[number]; parameter: string }
/** `of` = its own name, where it stands in JSON that tells of an amount; `means` = what a dialect says that it is, `numbers` = how it says that its amounts are written, `earned` = it is no sale in the dialect's system, `listed` = the word a status stands for by lists beside it. */
export type Pair = {
  name: string
  value: string
  number?: boolean
  of?: string
  means?: DialectMeaning
  numbers?: DialectNumbers | 'unsaid' | undefined
  earned?: boolean
  listed?: string
}
/** How a dialect has a call read: what its parameters mean, and how its amounts are written. */
export type ReadBy = { named: (pair: Pair) => Pair[] }
/** The fields that hold one value whatever the offer; '' = not given. */
type Named = { name: string; value: string }
export type PlainFields = Record<'click_id' | 'txn_id' | 'currency' | 'reason' | 'token' | 'signature' | 'timestamp', string>
export type Reading = {
  plain: PlainFields
  said: Mention[]
  /** The first thing that can be read by nobody, wherever it stands. */
  problem: ReadingProblem | null
}

const MOST_MENTIONS = 120
/** Reading one costs 0.02 to 0.04 ms, and who sends them is not known yet: no more are read. The largest orders of shops have some 300. */
const MOST_PAIRS = 500
const LONGEST_MENTION = 200

/**
 * Reads the parameters of a postback in the order they came in. Empty ones count as not sent. Two different values for a
 * field that can hold one are a problem, and so are a value that nobody has filled in and one that stands in a list or
 * deeper than the first level. Parameters nobody reads are kept beside, because a status or an event may stand in one of
 * them; too many to look at are a problem. What a dialect names is what the dialect says, and nothing else is beside it.
 */
export function readParameters(pairs: readonly Pair[], by?: ReadBy): Reading {
  const plain: PlainFields = { click_id: '', txn_id: '', currency: '', reason: '', token: '', signature: '', timestamp: '' }
  const said: Mention[] = []
  const currencies: Named[] = []
  const transactions = new Map<string, string>()
  const named = new Set<string>()
  let nestedTransaction: string | null = null
  let problem: ReadingProblem | null = null
  const note = (reason: ReadingProblem['reason'], parameter: string) => (problem ??= { reason, parameter: parameter.slice(0, 64) })
  const mention = (one: Mention) => {
    if (said.length >= MOST_MENTIONS) note('ambiguous', one.name)
    else said.push({ ...one, value: one.value.slice(0, LONGEST_MENTION) })
  }

  let looked = 0
  for (const pair of by === undefined ? unfolded(pairs) : namedPairs(unfolded(pairs), by)) {
    if (++looked > MOST_PAIRS) {
      problem = { reason: 'ambiguous', parameter: '' }
      break
    }
    const name = pair.name.trim()
    const { means } = pair
    const own = pair.of === undefined ? undefined : kindOf(pair.of)
    const isOfAmount = means === undefined && pair.of !== undefined && (own === undefined || OF_AMOUNTS.has(own))
    const path = isOfAmount || means !== undefined ? null : kindOfPath(name)
    const usual = isOfAmount ? (own === 'amount' ? 'amount?' : own) : path === null ? kindOf(name) : undefined
    const kind = means === undefined ? usual : KIND_OF[means]
    const isTransaction: boolean = kind === 'txn_id' || (kind === 'txn_id?' && isNumberOfOne(pair.value))
    const value = isTransaction || kind === 'token' ? cleanPostbackValue(pair.value) : decodedAgain(cleanPostbackValue(pair.value))
    const field = name.toLowerCase().slice(0, 64)
    // nothing where a deposit is asked for is an answer
    if (isNoDeposit(name, value)) mention({ kind: 'other', name: field, value })
    if (value === '') continue
    // its sender had nothing to fill in
    if ((kind ?? path?.kind) === 'rejection' && (isNoReason(value) || isUnfilled(value))) continue
    if (path?.kind === 'txn_id?') {
      if (isNumberOfOne(value)) nestedTransaction ??= field
    } else if (path?.kind !== undefined) note('body_nested', field)
    const isNumber = /^\d{1,20}$/.test(value)
    if (isTransaction) {
      if (isPlaceholder(value, field, 'txn_id')) note('placeholder', field)
      if ((transactions.get(field) ?? value) !== value) note('ambiguous', field)
      transactions.set(field, value)
      if (means !== undefined) named.add(field)
      if (kind === 'txn_id?' && !isNumber) mention({ kind: 'other', name: field, value })
      continue
    }
    if (kind === undefined || kind === 'txn_id?') {
      // numbers and letters stand in parameters of every kind
      const as = means === 'test' ? means : field
      if ((value.length > 2 && !isNumber) || isBrief(as)) mention({ kind: 'other', name: as, value })
      continue
    }
    if (kind !== 'token' && kind !== 'signature' && isPlaceholder(value, field, kind)) note('placeholder', field)
    if (kind === 'currency') {
      currencies.push({ name: field, value: value.toUpperCase() })
      if (means !== undefined) named.add(field)
    } else if (isPlain(kind)) {
      const given = kind === 'click_id' ? value.toLowerCase() : value
      if (plain[kind] !== '' && plain[kind] !== given && kind !== 'reason' && kind !== 'token') note('ambiguous', field)
      plain[kind] ||= given
      // free text, in which an advertiser may say more than by its status
      if (kind === 'reason') mention({ kind: 'other', name: field, value })
    } else {
      if (kind === 'rejection') plain.reason ||= value
      const written = writtenAs(kind, name, pair.numbers)
      mention({
        kind,
        name: field,
        value,
        ...(pair.number && { number: true }),
        ...(written === 'unsaid' ? { unsaid: true } : written !== 'auto' && { format: written }),
        ...(pair.earned && { earned: true }),
        ...(kind === 'status' && pair.listed !== undefined && { listed: pair.listed }),
        ...(means === 'sale' && { sale: true }),
        ...((means === 'revenue' || means === 'payout') && { stated: means }),
      })
    }
  }
  const [transaction] = ownOf([...transactions.keys()], named).toSorted(byTransaction)
  plain.txn_id = transactions.get(transaction ?? '') ?? ''
  // one that lies deeper may be that of another sale than the click's last
  if (transaction === undefined && nestedTransaction !== null) note('body_nested', nestedTransaction)
  const given = currencies.some(({ name }) => named.has(name)) ? currencies.filter(({ name }) => named.has(name)) : currencies
  const currency = currencyAmong(given, said)
  if (currency === null) note('ambiguous', (given.find(({ value }) => value !== given[0]?.value) ?? given[0])?.name ?? '')
  plain.currency = currency ?? given[0]?.value ?? ''
  return { plain, said, problem }
}

/** What the meanings of a dialect are among the kinds of parameters; undefined = none of them. */
const KIND_OF: Readonly<Record<DialectMeaning, ParameterKind | undefined>> = {
  click_id: 'click_id',
  goal: 'goal',
  status: 'status',
  amount: 'amount',
  sale: 'amount',
  revenue: 'amount',
  payout: 'amount',
  currency: 'currency',
  txn_id: 'txn_id',
  reason: 'reason',
  rejection: 'rejection',
  token: 'token',
  test: undefined,
  ignored: undefined,
}

/** Those a dialect has named, where it has named any. */
function ownOf(names: readonly string[], named: ReadonlySet<string>): readonly string[] {
  const own = names.filter((name) => named.has(name))
  return own.length > 0 ? own : names
}

function* namedPairs(pairs: Iterable<Pair>, { named }: ReadBy): Generator<Pair> {
  for (const pair of pairs) yield* named(pair)
}

/** Whether a value under a name that others use for more can be the number of one order. */
function isNumberOfOne(value: string): boolean {
  return /^\S*\d\S*$/.test(value.trim()) || isUnfilledMacro(value.trim())
}

const OF_AMOUNTS: ReadonlySet<ParameterKind> = new Set(['amount', 'amount?', 'currency', 'txn_id', 'txn_id?'] as const)

/** Parameters one by one, a value that is JSON itself as its own. */
function* unfolded(pairs: readonly Pair[]): Generator<Pair> {
  for (const pair of pairs) {
    const inner = innerPairs(pair)
    if (inner === null) yield pair
    else if (inner.unfold) yield* unfolded(inner.pairs)
    else yield* inner.pairs
  }
}

/** What the JSON in a value says; null where it is none. Of an amount it is not looked into any deeper. */
function innerPairs(pair: Pair): { pairs: Pair[]; unfold: boolean } | null {
  const kind = kindOf(pair.name)
  if (pair.number || (kind !== undefined && kind !== 'amount?')) return null
  const text = decodedAgain(pair.value.trim())
  if (!/^[{[]/.test(text)) return null
  const { value, problem } = readJson(text)
  if (problem?.reason === 'body_invalid' || typeof value !== 'object' || value === null) return null
  if (kind === 'amount?' && problem === null && !Array.isArray(value)) {
    const parts = pairsOfJson(value).map((one) => ({
      ...one,
      name: `${pair.name}.${one.name}`,
      ...(!/[.[\]]/.test(one.name) && { of: one.name }),
    }))
    return { pairs: parts, unfold: false }
  }
  // one that says a thing twice or lies too deep is refused under a name nobody reads
  return problem === null
    ? { pairs: pairsOfJson(value, pair.name), unfold: true }
    : { pairs: [{ name: `${pair.name}.status`, value: problem.reason }], unfold: false }
}

/** Pulls a query or form apart, after giving back to names what HTML has eaten of them. */
export function pairsOf(text: string): Pair[] {
  return [...new URLSearchParams(repairQuery(text))].map(([name, value]) => ({ name, value }))
}

/** What HTML makes of `&` and the beginning of a name: the sign, the letters it stands for. */
const EATEN: readonly [sign: string, latin1: string, letters: string][] = [
  ['¤', 'A4', 'curren'],
  ['¶', 'B6', 'para'],
  ['×', 'D7', 'times'],
  ['®', 'AE', 'reg'],
  ['©', 'A9', 'copy'],
  ['§', 'A7', 'sect'],
  ['¬', 'AC', 'not'],
  ['°', 'B0', 'deg'],
]
const REPAIRS = EATEN.map(([sign, code, letters]) => {
  const utf8 = code > 'C0' ? `%C3%97` : `%C2%${code}`
  const asBytes = sign === '×' ? 'Ã\u0097' : `Â${sign}`
  return [new RegExp(`(?:%C3%82)?(?:${utf8}|%${code})(?=[a-z0-9_]*=)|(?:${asBytes}|${sign})(?=[a-z0-9_]*=)`, 'gi'), `&${letters}`] as const
})

/**
 * A query as it was before it was pasted through HTML: `¤cy=` was `&currency=`, `×tamp=` was `&timestamp=`, `&amp;a=` was
 * `&a=`. Only where a name and `=` follow, which no value of a query can hold.
 */
export function repairQuery(text: string): string {
  const whole = text.replace(/(^|&)(?:amp(?:;|%3B))+/gi, '$1')
  return /[^\u0000-\u007f]|%[abcd][0-9a-f]/i.test(whole)
    ? REPAIRS.reduce((so, [eaten, letters]) => so.replace(eaten, letters), whole)
    : whole
}

/** JSON as parameters, each under its path (`data.status`); `at` is where it stood. */
export function pairsOfJson(value: unknown, at = ''): Pair[] {
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([inner, member]) => pairsOfJson(member, at === '' ? inner : `${at}.${inner}`))
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return []
  return [{ name: at, value: String(value), number: typeof value === 'number' }]
}

const GUID = /^\{[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\}$/i

/** Whether a value is a macro nobody has replaced. */
function isUnfilled(value: string): boolean {
  return [value, decodedAgain(value)].some(isUnfilledMacro)
}

/** Whether a value is what somebody forgot to replace: a macro in any of the usual brackets, a word of a manual, a menu of statuses. */
function isPlaceholder(value: string, name: string, kind: ParameterKind): boolean {
  const plain = value.toLowerCase()
  if (GUID.test(value)) return false
  if (isUnfilled(value)) return true
  if (isPlaceholderWord(value)) return true
  // a goal may well be called "event"
  if (
    kind !== 'goal' &&
    kind !== 'event?' &&
    kind !== 'status?' &&
    kind !== 'reason' &&
    kind !== 'rejection' &&
    (plain === name || plain === kind)
  )
    return true
  return (kind === 'status' || kind === 'currency') && /[,|]/.test(plain)
}

function isPlain(kind: ParameterKind): kind is keyof PlainFields {
  return ['click_id', 'txn_id', 'currency', 'reason', 'token', 'signature', 'timestamp'].includes(kind)
}

/** Undoes a second percent-encoding; none of the values it is asked for can hold a percent sign and two digits. */
function decodedAgain(value: string): string {
  if (!/%[0-9a-f]{2}/i.test(value)) return value
  try {
    return storable(decodeURIComponent(value)).trim()
  } catch {
    return value
  }
}

const LONGEST_VALUE = 1_000

/** A parameter's value as it is compared and stored. */
function cleanPostbackValue(value: string): string {
  return storable(value).trim().slice(0, LONGEST_VALUE)
}

/** Without what PostgreSQL cannot store and no value needs. */
export function storable(text: string): string {
  return text.toWellFormed().replace(/[\u0000-\u001f\u007f]/g, ' ')
}

/** The same for all texts of what is kept as JSON: names as they were sent, and what was cut in the middle of a letter. */
export function storableJson<Value>(value: Value): Value {
  const text = JSON.stringify(value)
  if (!/\\u(?:0000|d[89a-f])/.test(text)) return value
  return JSON.parse(text, (_name, member: unknown) => (typeof member === 'string' ? storable(member) : member)) as Value // as it was, but for signs in its texts
}

const DEEPEST = 32

/**
 * Parses the JSON of a postback. A number that JavaScript would round, such as a transaction id of 20 digits, stays text:
 * rounded, two of them could be one. A name given twice in one object, of which `JSON.parse` keeps the last, and what lies
 * deeper than 32 levels are problems.
 */
export function readJson(text: string): { value: unknown; problem: ReadingProblem | null } {
  try {
    const value: unknown = JSON.parse(text, keepDigits)
    const problem = oddityOf(text)
    return { value: problem?.reason === 'body_nested' ? null : value, problem }
  } catch {
    return { value: null, problem: { reason: 'body_invalid', parameter: '' } }
  }
}

/** What `JSON.parse` passes over in the JSON it reads. */
function oddityOf(text: string): ReadingProblem | null {
  const open: Set<string>[] = []
  for (const [token, name] of text.matchAll(/"((?:[^"\\]|\\.)*)"\s*:|"(?:[^"\\]|\\.)*"|[{}[\]]/gs)) {
    if (token === '{' || token === '[') open.push(new Set())
    else if (token === '}' || token === ']') open.pop()
    else if (name !== undefined) {
      const names = open.at(-1)
      const plain = unescaped(name)
      if (names?.has(plain)) return { reason: 'ambiguous', parameter: plain.slice(0, 64) }
      names?.add(plain)
    }
    if (open.length > DEEPEST) return { reason: 'body_nested', parameter: '' }
  }
  return null
}

function unescaped(name: string): string {
  try {
    return String(JSON.parse(`"${name}"`))
  } catch {
    return name
  }
}

function keepDigits(_name: string, value: unknown, context?: { source?: string }): unknown {
  const source = context?.source ?? ''
  if (typeof value !== 'number' || source.length > LONGEST_VALUE || !/^-?\d+(\.\d+)?$/.test(source)) return value
  const digits = source.includes('.') ? source.replace(/\.?0+$/, '') : source
  return String(value) === digits ? value : digits
}
