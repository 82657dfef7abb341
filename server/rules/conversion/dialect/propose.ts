import type { ConversionStatus } from '#contract/traffic/conversion.ts'
import {
  AMOUNT_MEANINGS,
  BLANK_DIALECT,
  DIALECT_METHODS,
  isMinorName,
  withPaths,
  type Dialect,
  type DialectMeaning,
  type DialectNumbers,
} from '#contract/traffic/dialect.ts'
import { areYesOrNo, flagOf, isYes, isYesOrNo, STATUS_WORDS } from '../status-words.ts'
import { readAmount } from '../amount-reading.ts'
import { amountInCurrency, byTransaction, isDepositAmount, isEarned, kindOf, type ParameterKind } from '../postback-names.ts'
import { POSTBACK_PATH } from '../postback-hand-over.ts'
import { columnsOf, type Column, type Sample } from './columns.ts'
import { guessGoal, guessStatus, isEventName, isStatusWord } from './guess.ts'
import { isOnPath } from './naming.ts'
import type { Preset } from './preset.ts'

export type Known = {
  goals: readonly { code: string; title: string }[]
  /** What the advertiser's and the network's words say already, in lower case. */
  words: ReadonlySet<string>
  current: Dialect | null
  presets: readonly Preset[]
  /** Whether a goal shares an amount, so that it must be the sale. */
  sharing?: boolean
}
/** What calls of one shape hold under a name, as it is shown. */
export type Field = { name: string; means: DialectMeaning | null; samples: string[]; calls: number }
/** A word somebody has to confirm or say; both null = nobody can guess it. */
export type OpenWord = { word: string; calls: number; field: string; status: ConversionStatus | null; goal: string | null }
export type Proposal = { dialect: Dialect; fields: Field[]; words: OpenWord[] }

/** The wild's names of amounts, what a partner is paid before what was sold. */
const AMOUNTS =
  'payout payout_amount sum amount revenue payment profit cash income reward commission price sale_amount total order_sum order_total value money cost'.split(
    ' ',
  )
const NUMBERS_OF_ONE =
  /^(id|nr|no|ref|reference|number|uid|uuid|guid|((lead|deal|conv|conversion|event|request|application|contract|external|partner|unique|click_?out)_)(id|ref|nr|num|uuid|uid|reference|number))$/
const CURRENCIES = new Map(Intl.supportedValuesOf('currency').map((code) => [code, code]))
/** A mapping for another system that stands in the address: its words are said, not reported. */
const MAPPINGS = /^(lead|sale|approved|pending|hold|reject(ed)?|trash|rebill|ignore)_status$/

/**
 * How calls of one shape are probably to be read: in the words of a known system where they come as its documentation
 * says, else by their names and values. It only proposes: what nobody can say is left open.
 */
export function proposeDialect(samples: readonly Sample[], known: Known): Proposal {
  const { columns, list } = columnsOf(samples)
  const preset = matching(samples, columns, known.presets)
  // of one system at a time: what two of them mean by a name, a number or a word is not the same
  const isOther = preset !== undefined && known.current !== null && known.current.preset !== preset.id
  const base = withOwnNumbers((isOther ? preset.dialect : (known.current ?? preset?.dialect)) ?? BLANK_DIALECT)
  const means = new Map(base.names.map(({ name, means: meant }) => [name.toLowerCase(), meant]))
  const chosen = new Map<string, Dialect['names'][number]>()
  const put = (name: string, meant: DialectMeaning) => {
    if (!means.has(name.toLowerCase())) chosen.set(name.toLowerCase(), { name, means: meant })
    means.set(name.toLowerCase(), meant)
  }
  const holds = (meant: DialectMeaning) => columns.some(({ name, values }) => values.length > 0 && means.get(name.toLowerCase()) === meant)

  for (const column of columns.filter(({ isClick }) => isClick)) {
    const name = clickNameOf(column, samples)
    if (name !== null && kindOf(name) !== 'click_id') put(name, 'click_id')
  }
  const free = columns.filter(
    ({ name, values, isClick }) => !isClick && values.length > 0 && !means.has(name.toLowerCase()) && roleOf(name) !== 'token',
  )
  const rest = new Set(free)
  // what kept a call from being understood says something
  const doubted = new Set(samples.flatMap(({ unknown = '' }) => (unknown === '' ? [] : [unknown.toLowerCase()])))
  const isDoubtful = ({ name }: Column) => doubted.has(name.toLowerCase().slice(0, 64))
  const take = (column: Column | undefined, meant: DialectMeaning) => {
    if (column === undefined || holds(meant)) return
    rest.delete(column)
    put(column.name, meant)
  }
  take(
    free.find(({ name, values }) => roleOf(name) === 'currency' && values.every((value) => /^[a-z]{3,5}$/i.test(value))),
    'currency',
  )
  const worded = free.filter((column) => isWorded(column) && !isEventFlag(column))
  take(best(worded, (column) => statusScore(column, known)) ?? free.find((column) => isDoubtful(column) && isStatus(column)), 'status')
  take(
    best(
      [...rest].filter((column) => isWorded(column)),
      (column) => goalScore(column, known),
    ),
    'goal',
  )
  // what a sale brought is not the sale: that somebody has to say
  const isSale = ({ name }: Column) => (known.sharing !== true || !isEarned(name)) && (holds('goal') || !isDepositAmount(name))
  take(best([...rest].filter(isSale), amountScore), 'amount')
  take(
    best([...rest], (column) => transactionScore(column)),
    'txn_id',
  )
  for (const column of rest) {
    const leaf = column.name.split('.').at(-1) ?? ''
    if (MAPPINGS.test(leaf.toLowerCase()) && !isDoubtful(column) && column.distinct === 1 && column.values.length > 2)
      put(column.name, 'ignored')
  }
  // an amount beside the one that counts is another of the same sale
  if (holds('amount')) for (const column of rest) if (['amount', 'amount?'].includes(roleOf(column.name) ?? '')) put(column.name, 'ignored')

  const ofAmount = columns.filter(({ name }) => (means.get(name.toLowerCase()) ?? meaningByName(name)) === 'amount')
  const numbersUnderName = (name: string): Dialect['names'][number]['numbers'] => {
    const column = columns.find((one) => one.name.toLowerCase() === name.toLowerCase())
    return column === undefined || column.values.length === 0 ? undefined : numbersOf(column, base.numbers)
  }
  const [inCurrency = null] = ofAmount.flatMap(({ name }) => CURRENCIES.get(amountInCurrency(name)?.currency ?? '') ?? [])
  const dialect: Dialect = {
    ...base,
    names: [...base.names, ...chosen.values()].slice(0, 100).map((one): Dialect['names'][number] => {
      // how one name is written says nothing of the others
      const numbers = AMOUNT_MEANINGS.has(one.means) ? (one.numbers ?? numbersUnderName(one.name)) : undefined
      return numbers ? { ...one, numbers } : one
    }),
    list: base.list || list,
    path: pathOf(samples, base),
    currency: base.currency ?? (holds('currency') || columns.some(({ name }) => roleOf(name) === 'currency') ? null : inCurrency),
    methods: DIALECT_METHODS.filter((one) => base.methods.includes(one) || samples.some(({ call }) => call.method === one)),
  }
  const words = openWords(columns, means, { ...known, base })
  return {
    dialect: {
      ...dialect,
      words: [
        ...base.words,
        ...words.flatMap(({ word, status, goal }) => (status === null && goal === null ? [] : [{ word: word.slice(0, 64), status, goal }])),
      ].slice(0, 200),
    },
    fields: columns
      .filter(({ name }) => roleOf(name) !== 'token')
      .map(({ name, values }) => ({
        name,
        means: means.get(name.toLowerCase()) ?? meaningByName(name),
        samples: [...new Set(values)].slice(0, 3).map((value) => value.slice(0, 80)),
        calls: values.length,
      })),
    words,
  }
}

/** The system whose calls come so: on its path, or with its names where those are not everybody's. */
function matching(samples: readonly Sample[], columns: readonly Column[], presets: readonly Preset[]): Preset | undefined {
  const path = samples[0]?.call.path ?? POSTBACK_PATH
  const names = new Map(columns.map((column) => [column.name.toLowerCase(), column]))
  const scored = presets.map((one) => {
    const own = one.dialect.names.filter(({ name }) => names.has(name.toLowerCase()))
    const click = own.some(({ name, means }) => means === 'click_id' && names.get(name.toLowerCase())?.isClick)
    const onPath = path !== POSTBACK_PATH && isOnPath(one.dialect, path)
    const telling = columns.filter(({ name, isClick }) => isClick || kindOf(name) !== undefined)
    const all = telling.every(
      ({ name }) => own.some((named) => named.name.toLowerCase() === name.toLowerCase()) || kindOf(name) === 'token',
    )
    const peculiar = own.filter(({ name, means }) => means !== 'ignored' && kindOf(name) === undefined).length
    const fits = click && (onPath ? own.length >= 2 || path !== '/' : path === POSTBACK_PATH && all && own.length >= 3 && peculiar > 0)
    return { one, score: fits ? own.length + (onPath ? 10 : 0) : 0 }
  })
  return scored.toSorted((a, b) => b.score - a.score).find(({ score }) => score > 0)?.one
}

/** The name under which our id stands: its own, or as a parameter of an address that does. */
function clickNameOf({ name, values }: Column, samples: readonly Sample[]): string | null {
  const ids = new Set(samples.map(({ clickId }) => clickId))
  const value = values.find((one) => [...ids].some((id) => id !== '' && one.toLowerCase().includes(id))) ?? values[0] ?? ''
  const at = value.indexOf('?')
  if (at < 0) return name
  const inside = [...new URLSearchParams(value.slice(at + 1).split('#')[0])].find(([, inner]) => ids.has(inner.toLowerCase()))
  return inside === undefined ? null : `${name}?${inside[0]}`
}

function roleOf(name: string): ParameterKind | undefined {
  const leaf = name.split('.').findLast((part) => !/^\d+$/.test(part)) ?? name
  return kindOf(name.includes('.') ? leaf : name)
}

function meaningByName(name: string): DialectMeaning | null {
  const kind = kindOf(name)
  return kind === 'click_id' ||
    kind === 'goal' ||
    kind === 'status' ||
    kind === 'amount' ||
    kind === 'currency' ||
    kind === 'txn_id' ||
    kind === 'reason' ||
    kind === 'rejection' ||
    kind === 'token'
    ? kind
    : null
}

function best(columns: readonly Column[], scoreOf: (column: Column) => number): Column | undefined {
  const [first] = columns.map((column) => ({ column, score: scoreOf(column) })).toSorted((a, b) => b.score - a.score)
  return first !== undefined && first.score > 0 ? first.column : undefined
}

function isWorded({ values, distinct }: Column): boolean {
  return (
    distinct <= Math.max(12, values.length / 4) && values.every((value) => value.length <= 40 && !/[/@]|^\d{4,}$|^\d+[.,]\d+$/.test(value))
  )
}

/** Whether it says if there was an event of its name: `ftd=1`. That is no status. */
function isEventFlag({ name, values }: Column): boolean {
  return isEventName(name) && areYesOrNo(values)
}

function isStatus({ name }: Column): boolean {
  return ['status', 'status?'].includes(roleOf(name) ?? '')
}

function statusScore({ name, values, distinct }: Column, { words }: Known): number {
  const role = roleOf(name)
  const named = role === 'status' ? 3 : role === 'status?' ? 2 : role === 'event?' || role === 'goal' ? 0.5 : 0
  // nobody calls an event "rejected"
  const hasVerdict = values.some((value) => !/^-?\d+$/.test(value) && ['declined', 'trash'].includes(guessStatus(value, name) ?? ''))
  const isTold = (value: string) =>
    words.has(value.toLowerCase()) || (named >= 2 || hasVerdict ? guessStatus(value, name) !== null : isStatusWord(value, name))
  const told = values.filter(isTold).length / values.length
  if (told < 0.5) return role === 'status' ? 1 : 0
  const isBrief = values.every((value) => value.length < 3 || /^-?\d+$/.test(value))
  return named === 0 && (isBrief || distinct === 1) ? 0 : named + told
}

function goalScore(column: Column, { goals }: Known): number {
  const { name, values } = column
  if (isEventFlag(column)) return guessGoal(name, goals) === null ? 0 : 2.5
  const role = roleOf(name)
  const told = values.filter((value) => guessGoal(value, goals) !== null).length / values.length
  const named = role === 'goal' ? 2 : role === 'event?' ? 1.5 : 0
  return named === 0 && told < 0.8 ? 0 : named === 0 && values.every((value) => /^\d+$/.test(value)) ? 0 : named + told
}

function amountScore({ name, values }: Column): number {
  const role = roleOf(name)
  const leaf = name.split('.').at(-1)?.toLowerCase() ?? ''
  if (!values.every((value) => readAmount(value) !== null)) return 0
  const rank = AMOUNTS.findIndex((one) => one === leaf || leaf.endsWith(`_${one}`))
  if (role === 'amount' || role === 'amount?') return 3 + (rank === -1 ? 0 : 1 - rank / AMOUNTS.length)
  if (role !== undefined) return 0
  if (rank !== -1) return 2
  return values.some((value) => /^\D{0,3}\d+[.,]\d{2}\D{0,3}$/.test(value)) ? 1 : 0
}

function transactionScore({ name, values, distinct }: Column): number {
  const role = roleOf(name)
  const leaf = name.split('.').at(-1) ?? ''
  const isUnique = distinct === values.length
  if (!isUnique && role !== 'txn_id') return 0
  if (role === 'txn_id') return 4 - (byTransaction(leaf, 'txn_id') > 0 ? 0.5 : 0)
  if (role === 'txn_id?') return 3
  if (role !== undefined && role !== 'event?') return 0
  return values.length > 2 &&
    NUMBERS_OF_ONE.test(leaf.replaceAll(/([a-z])([A-Z])/g, '$1_$2').toLowerCase()) &&
    values.every((value) => /\d/.test(value) && !/\s/.test(value))
    ? 1
    : 0
}

/** How the amounts of one name are written, where that is not what the dialect says of all; undefined = as it says. */
function numbersOf({ name, values }: Column, ofAll: DialectNumbers): DialectNumbers | undefined {
  if (ofAll === 'point' || ofAll === 'comma') return undefined
  if ((isMinorName(name) || ofAll === 'minor') && values.every((value) => /^-?\d+$/.test(value))) return 'minor'
  const comma = values.some((value) => /\d,\d{1,2}\D*$|\d\.\d{3},/.test(value))
  const point = values.some((value) => /\d\.\d{1,2}\D*$|\d,\d{3}\./.test(value))
  if (comma !== point) return comma ? 'comma' : 'point'
  // where the name says cents, or all are said to be, it has to be said that these are not
  return isMinorName(name) || ofAll === 'minor' ? 'auto' : undefined
}

const isAmount = ({ means }: Dialect['names'][number]) => AMOUNT_MEANINGS.has(means)

/** The same dialect, its hundredths said name by name: one that is mapped now is no more of them than it looks. */
function withOwnNumbers(dialect: Dialect): Dialect {
  if (dialect.numbers !== 'minor' || !dialect.names.some((one) => isAmount(one) && !one.numbers)) return dialect
  return {
    ...dialect,
    names: dialect.names.map((one) => (isAmount(one) && !one.numbers ? { ...one, numbers: 'minor' } : one)),
    numbers: 'auto',
  }
}

/** Where calls come with these among them: beside what is known, what differs or names something as an asterisk; '' = at our own place. */
function pathOf(samples: readonly Sample[], base: Dialect): string {
  const paths = [...new Set(samples.map(({ call }) => call.path).filter((path) => path !== POSTBACK_PATH && !isOnPath(base, path)))]
  return paths.length === 0 ? base.path : withPaths(base.path, [commonPath(paths)])
}

/** One pattern for several paths. */
function commonPath(paths: readonly string[]): string {
  const [first = ''] = paths
  if (first.includes(':'))
    return `/${first.split('/').find((segment) => segment !== '' && !segment.includes(':')) ?? ''}/**`.replace('//', '/')
  const split = paths.map((path) => path.split('/').filter((segment) => segment !== ''))
  const fixed = (split[0] ?? []).map((segment, index) =>
    split.every((one) => one[index] === segment) && /^[\w.~-]{1,24}$/.test(segment) && !/^\*|\d{6,}/.test(segment) ? segment : '*',
  )
  return `/${fixed.join('/')}`
}

function openWords(
  columns: readonly Column[],
  means: ReadonlyMap<string, DialectMeaning>,
  { goals, words, base }: Known & { base: Dialect },
): OpenWord[] {
  const ofBase = new Set(base.words.map(({ word }) => word.toLowerCase()))
  const known = words.union(ofBase)
  const open = new Map<string, OpenWord>()
  for (const column of columns) {
    const meant = means.get(column.name.toLowerCase()) ?? meaningByName(column.name)
    if (meant !== 'status' && meant !== 'goal') continue
    for (const word of column.values) {
      const plain = word.toLowerCase()
      if (
        (known.has(plain) && (ofBase.has(plain) || !isDoubted(column.name, word))) ||
        (meant === 'status' && Object.hasOwn(STATUS_WORDS, plain)) ||
        (meant === 'goal' && goals.some(({ code }) => code === plain))
      )
        continue
      const guess = known.has(plain) ? NOBODY_KNOWS : guessed(word, meant, column.name, goals)
      const one = open.get(plain) ?? { word, calls: 0, field: column.name, ...guess }
      // a word means the same under all names
      const isSame = one.status === guess.status && one.goal === guess.goal
      open.set(plain, { ...one, ...(isSame ? guess : NOBODY_KNOWS), calls: one.calls + 1 })
    }
  }
  return [...open.values()].slice(0, 100)
}

const NOBODY_KNOWS = { status: null, goal: null }

/** Whether a word is a yes to something bad or a no to something good, whatever it means elsewhere. */
function isDoubted(name: string, word: string): boolean {
  const flag = flagOf(name, word)
  return flag === 'bad' || flag === 'not_good'
}

function guessed(word: string, meant: 'status' | 'goal', name: string, goals: Known['goals']): Pick<OpenWord, 'status' | 'goal'> {
  if (isEventName(name) && isYesOrNo(word)) return { status: null, goal: isYes(word) ? guessGoal(name, goals) : null }
  const goal = guessGoal(word, goals)
  const status = guessStatus(word, name)
  if (meant === 'goal') return goal !== null ? { status: null, goal } : { status: /^\d+$/.test(word) ? null : status, goal: null }
  // among words of statuses a sale is an approval, and nobody calls a status after a registration
  return status !== null ? { status, goal: null } : { status: null, goal }
}
