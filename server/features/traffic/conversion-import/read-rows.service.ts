import { POSTBACK_REFUSALS } from '#contract/traffic/postback-outcome.ts'
import type { ConversionStatus } from '#contract/traffic/conversion.ts'
import type { ConversionMapping, ImportWord } from '#contract/traffic/conversion-import.ts'
import type { Scope } from '#server/access/scope.ts'
import type { Db, DbOrTrx } from '#server/platform/pg/database.ts'
import type { ClickIdKeys } from '#server/rules/click/click-id.ts'
import { readClickId } from '#server/rules/click/click-id.ts'
import type { NotUnderstood } from '#server/rules/conversion/postback-meaning.ts'
import { isEventName } from '#server/rules/conversion/dialect/guess.ts'
import { againstWord } from '#server/rules/conversion/dialect/against-words.ts'
import { isEarnedInWords } from '#server/rules/conversion/column-words.ts'
import { isEarned } from '#server/rules/conversion/postback-names.ts'
import { isYesOrNo } from '#server/rules/conversion/status-words.ts'
import { POSTBACK_PATH } from '#server/rules/conversion/postback-hand-over.ts'
import type { FindClick } from '../click/click.queries.ts'
import { identitiesOf, lacksTransaction, type AskedReport } from '../conversion/apply-report.service.ts'
import { advertisersReported, lockIdentities } from '../conversion/conversion-row.queries.ts'
import { loadTerms, type OfferTerms } from '../conversion/terms.queries.ts'
import type { IncomingSettings } from '../postback/incoming/incoming.queries.ts'
import { identify, interpret } from '../postback/incoming/interpret.service.ts'
import type { Identified, Interpreted } from '../postback/incoming/interpreted.ts'
import { parsePostback, type PostbackFields } from '../postback/incoming/parse.service.ts'
import { sayRefusal } from '../postback/incoming/refused.ts'
import { advertisersOf, conversionsNamed, conversionsOfTransactions, type NamedConversion } from './conversion-import.queries.ts'
import { momentOfRow, type DateReading } from './row-date.ts'
import { listWords } from './word.queries.ts'

export type FileRow = { line: number; cells: string[] }
export type ReadParts = { db: Db; findClick: FindClick; keys: ClickIdKeys; settings: IncomingSettings }

/** How a file is read: which column is what, what its words of statuses mean, and what its amounts and dates are. */
export type ImportReading = {
  columns: readonly string[]
  mapping: ConversionMapping
  words: readonly ImportWord[]
  amount_is_sale: boolean
  /** Whose file it is; null = nobody says. */
  advertiser_id: number | null
} & DateReading
/** A word of a status as it stands in a row of an advertiser; `means` null = nobody knows, `said` = of this file, `taught` = of an earlier one. */
export type RowWord = { advertiserId: number; word: string; means: ConversionStatus | null; said: boolean; taught: Taught | null }
type Taught = { by: string; at: string }
type Dated = (
  interpreted: Interpreted,
) => Pick<AskedReport, 'of' | 'report' | 'convertedAt'> & { fields: PostbackFields; dateWrong?: string }
/** A row of a file as a report, or why it is none; `dateWrong` = why it makes no new conversion. */
export type RowRead = { line: number; word?: RowWord; dateWrong?: string | undefined } & (
  | (Omit<AskedReport, 'click'> & { fields: PostbackFields })
  | { reason: string }
)
/** The same with its click, where a new conversion needs one; `whose` = it is about one of another advertiser than was chosen. */
export type RowAsked = { line: number } & ((AskedReport & { fields: PostbackFields }) | { reason: string; whose?: number })

const NO_CONVERSION = 'There is no such conversion.'
const TRANSACTION_MISSING = 'The transaction_id is missing.'
const KEY_MISSING = 'The conversion_id is missing.'
const OF_ANOTHER = 'It is about a conversion of another advertiser.'

/**
 * Rows up to one that names, by its transaction alone, what an earlier one of them may make: it is looked for when that is done, however
 * far apart they stand.
 */
export function untilFollowed<Row extends FileRow>(rows: readonly Row[], { mapping }: Pick<ImportReading, 'mapping'>): readonly Row[] {
  const named = new Set<string>()
  for (const [place, { cells }] of rows.entries()) {
    const transaction = cellOf(cells, mapping.txn_id)
    const isAlone = cellOf(cells, mapping.conversion_id) === '' && cellOf(cells, mapping.click_id) === ''
    if (isAlone && named.has(transaction)) return rows.slice(0, place)
    if (!isAlone && transaction !== '') named.add(transaction)
  }
  return rows
}

/**
 * Reads rows as postbacks of their advertisers that need no token: by conversion, by click, or by a transaction alone where
 * one conversion has it. Rows of advertisers outside the scope fail like unknown ones. What names no goal is read again under
 * the locks of what it may be about, where `trx` is given. `made`: what earlier rows would make, where nothing is written.
 */
export async function readRows(
  parts: ReadParts,
  scope: Scope,
  reading: ImportReading,
  rows: readonly FileRow[],
  made: readonly NamedConversion[] = [],
): Promise<(RowRead & { again?: Interpreted; dated?: Dated })[]> {
  const { db, keys, settings } = parts
  const { mapping } = reading
  const said = rows.map(({ cells }) => ({ key: cellOf(cells, mapping.conversion_id), fields: fieldsOf(cells, reading) }))
  const named = await namedConversions(db, scope, reading.advertiser_id, said, made)
  const offers = said.flatMap(({ fields }) => readClickId(fields.click_id, keys)?.offerId ?? [])
  const more = named.flatMap((one) => ('fields' in one ? (readClickId(one.fields.click_id, keys)?.offerId ?? []) : []))
  const terms = offers.length + more.length === 0 ? new Map<never, never>() : await loadTerms(db, [...offers, ...more])
  const sold = await termsOfSold(
    db,
    named.flatMap((one) => ('of' in one && one.of !== undefined && !terms.has(one.of.offer_id) ? [one.of] : [])),
  )
  const advertisers = [...new Set([...terms.values(), ...sold.values()].map(({ advertiser_id }) => advertiser_id))]
  // an offer may have moved since: words are those of whose the file is, or else of whose the conversion is
  const booked = named.flatMap((one) => ('of' in one ? (one.of?.advertiser_id ?? []) : []))
  const speakers = reading.advertiser_id === null ? [...new Set([...advertisers, ...booked])] : [reading.advertiser_id]
  const [mine, meaningOf] = [await advertisersOf(db, scope, advertisers), await openWords(db, reading, speakers)]
  const tellsEarned = !reading.amount_is_sale && isAmountEarned(reading)
  const read: (RowRead & { again?: Interpreted; dated?: Dated })[] = []
  for (const [index, { line, cells }] of rows.entries()) {
    const one = named[index]
    if (one === undefined || 'reason' in one) {
      read.push({ line, reason: one?.reason ?? NO_CONVERSION })
      continue
    }
    const flag = eventFlagIn(cells, reading)
    if (flag !== null) {
      read.push({ line, reason: sayRefusal({ refusal: 'goal_unknown', detail: flag }) })
      continue
    }
    const identified = await identify(db, keys, one.fields, (offerId) =>
      Promise.resolve(terms.get(offerId) ?? (one.of && sold.get(keyOfSold(one.of)))),
    )
    if ('refusal' in identified) read.push({ line, reason: nothingNamed(identified, mapping) ?? sayRefusal(identified) })
    else if (!mine.has(identified.terms.advertiser_id)) read.push({ line, reason: POSTBACK_REFUSALS.click_id_unknown.text })
    else {
      const text = cellOf(cells, mapping.status)
      const speaker = reading.advertiser_id ?? one.of?.advertiser_id ?? identified.terms.advertiser_id
      const known = text === '' ? undefined : meaningOf(speaker, text)
      const interpreted = await interpret(
        db,
        known === undefined ? identified : withWord(identified, text, known.means),
        one.fields,
        settings,
      )
      const other = one.goal !== undefined && 'of' in interpreted && interpreted.of.goal.code !== one.goal ? interpreted.of.goal.code : null
      if (other !== null) {
        read.push({ line, reason: `${one.fields.txn_id.slice(0, 60)} is a transaction of the goal ${one.goal}, not ${other}.` })
        continue
      }
      const dated: Dated = (meant) => ({ ...askedOf(meant, tellsEarned), ...convertedIn(cells, reading, meant) })
      const word = text === '' ? {} : wordOf(speaker, text, known, interpreted)
      if ('refusal' in interpreted) read.push({ line, reason: sayRefusal(interpreted), ...word })
      else
        read.push({
          line,
          ...dated(interpreted),
          ...word,
          ...(interpreted.underLocks && { again: interpreted, dated }),
        })
    }
  }
  return read
}

/** What they ask for once nothing they may be about can change: in the transaction that applies them, before other locks. */
export async function readAgain(
  trx: DbOrTrx & Parameters<typeof lockIdentities>[0],
  read: Awaited<ReturnType<typeof readRows>>,
): Promise<RowRead[]> {
  const open = read.flatMap((one) => ('again' in one && one.again !== undefined ? [one.again] : []))
  await lockIdentities(
    trx,
    open.flatMap(({ of }) => identitiesOf(of.terms, of.terms.goals, of.clickId, of.transactionId)),
  )
  const settled: RowRead[] = []
  for (const one of read) {
    const again = 'again' in one ? await one.again?.underLocks?.(trx) : undefined
    if (again === undefined) settled.push(one)
    else settled.push({ line: one.line, ...('refusal' in again ? { reason: sayRefusal(again) } : (one.dated ?? askedOf)(again)) })
  }
  return settled
}

/**
 * Fetches the clicks of those whose conversion there is none of yet. Test clicks and refused ones never become money, and what was booked
 * stays its advertiser's, whoever has the offer by now: rows of others than the file is of are refused, and of those outside the scope.
 */
export async function withClicks(
  { db, findClick, keys }: ReadParts,
  { scope, advertiser_id }: { scope: Scope } & Pick<ImportReading, 'advertiser_id'>,
  read: readonly RowRead[],
): Promise<RowAsked[]> {
  const reports = read.flatMap((one) => ('of' in one ? [one.of] : []))
  const known = await advertisersReported(db, reports)
  const whose = new Map(reports.map((of, index) => [of, known[index]]))
  const booked = [...new Set(known.filter((one) => one !== undefined))]
  const mine = booked.length === 0 ? new Set<number>() : await advertisersOf(db, scope, booked)
  return Promise.all(
    read.map(async (one): Promise<RowAsked> => {
      if (!('of' in one)) return one
      const owner = whose.get(one.of)
      if (owner !== undefined && !mine.has(owner)) return { line: one.line, reason: POSTBACK_REFUSALS.click_id_unknown.text }
      const about = owner ?? one.of.terms.advertiser_id
      if (advertiser_id !== null && about !== advertiser_id) return { line: one.line, reason: OF_ANOTHER, whose: about }
      // one that is there stays of its day
      if (owner !== undefined || lacksTransaction(one.of)) return { ...one, convertedAt: undefined, click: null }
      if (one.dateWrong !== undefined) return { line: one.line, reason: one.dateWrong }
      const parts = readClickId(one.of.clickId, keys)
      const click = parts && (await findClick(parts))
      if (!click) return { ...one, click: null }
      if (click.test) return { line: one.line, reason: 'A test click never becomes money.' }
      if (click.reason !== '') return { line: one.line, reason: POSTBACK_REFUSALS.click_refused.text }
      return { ...one, click: { ...click, id: one.of.clickId } }
    }),
  )
}

/** The lines that are about conversions of another advertiser than was chosen: what they say is not the chosen one's word. */
export function linesOfOthers(asked: readonly RowAsked[]): Set<number> {
  return new Set(asked.flatMap((one) => ('whose' in one ? [one.line] : [])))
}

function askedOf(
  { of, report, fields }: Interpreted,
  tellsEarned = false,
): Pick<AskedReport, 'of' | 'report'> & { fields: PostbackFields } {
  const told = tellsEarned && report.amount !== null ? { ...report, told: 'earned' as const } : report
  return { of, fields, report: report.reason === '' ? told : { ...told, reason: fields.reason || 'by_import' } }
}

/** When a new conversion was made by its row, or why it cannot have been. */
function convertedIn(
  cells: readonly string[],
  reading: ImportReading,
  { of: { clickAt, terms } }: Interpreted,
): { convertedAt?: number; dateWrong?: string } {
  const text = cellOf(cells, reading.mapping.date)
  if (text === '') return {}
  const moment = momentOfRow(text, reading, { clickAt, afterClick: (terms.min_conversion_time ?? 0) * 1000 })
  return 'at' in moment ? { convertedAt: moment.at } : { dateWrong: moment.reason }
}

/** What is missing of a row that names nothing, by a column the file has; undefined where that is the click's. */
function nothingNamed({ refusal }: NotUnderstood, { click_id, txn_id, conversion_id }: ConversionMapping): string | undefined {
  if (refusal !== 'click_id_missing' || click_id !== undefined) return undefined
  if (txn_id !== undefined) return TRANSACTION_MISSING
  return conversion_id === undefined ? undefined : KEY_MISSING
}

function cellOf(cells: readonly string[], place: number | undefined): string {
  return place === undefined ? '' : (cells[place] ?? '').trim()
}

type Known = { means: ConversionStatus; said: boolean; taught: Taught | null }

/** What words of statuses mean to advertisers: as was said of this file, else of earlier ones. */
async function openWords(
  db: Db,
  { words, mapping }: ImportReading,
  advertisers: readonly number[],
): Promise<(advertiserId: number, word: string) => Known | undefined> {
  const said = new Map(words.map(({ word, means }) => [word.toLowerCase(), { means, said: true, taught: null }]))
  const kept = mapping.status === undefined ? [] : await listWords(db, advertisers)
  const remembered = new Map(
    kept
      // said before it was refused
      .filter(({ word, means }) => againstWord(word, { status: means, goal: null }) === null)
      .map(({ advertiser_id, word, means, by, said_at }) => {
        const taught = { by: by ?? '', at: said_at.toISOString() }
        return [`${advertiser_id} ${word}`, { means, said: false, taught }] as const
      }),
  )
  return (advertiserId, word) => said.get(word.toLowerCase()) ?? remembered.get(`${advertiserId} ${word.toLowerCase()}`)
}

/** The same offer, as if its advertiser had said what a word means. */
function withWord({ parts, terms }: Identified, word: string, status: ConversionStatus): Identified {
  return { parts, terms: { ...terms, postback_words: [{ word, status, goal: null }, ...terms.postback_words] } }
}

function wordOf(advertiserId: number, text: string, known: Known | undefined, read: Interpreted | NotUnderstood): { word?: RowWord } {
  const word = { advertiserId, word: text, taught: null }
  if (known !== undefined) return { word: { ...word, ...known } }
  if ('refusal' in read) return read.refusal === 'status_unknown' ? { word: { ...word, means: null, said: false } } : {}
  return read.report.statusNamed ? { word: { ...word, means: read.report.status, said: false } } : {}
}

/** A yes or no in the column of goals that is called like an event: whether there was one is no number of a goal. */
function eventFlagIn(cells: readonly string[], { columns, mapping: { goal } }: ImportReading): string | null {
  const name = columns[goal ?? -1] ?? ''
  const value = cellOf(cells, goal)
  return isEventName(name) && isYesOrNo(value) ? `${name.slice(0, 60)}=${value}` : null
}

/** Whether amounts of a file may be what a sale brought, by the name of their column. */
export function isAmountEarned({ columns, mapping }: Pick<ImportReading, 'columns' | 'mapping'>): boolean {
  const name = columns[mapping.amount ?? -1] ?? ''
  return isEarned(name) || isEarnedInWords(name)
}

/** The cells as the parameters of a call, each under our own name for it; an amount that may be no sale says so by its name. */
function fieldsOf(cells: readonly string[], reading: ImportReading): PostbackFields {
  const { conversion_id: _key, date: _date, ...parameters } = reading.mapping
  const query = new URLSearchParams()
  for (const [name, place] of Object.entries(parameters)) {
    const value = cellOf(cells, place)
    const as = name === 'amount' && !reading.amount_is_sale && isAmountEarned(reading) ? 'payout' : name
    if (value !== '') query.set(as, value)
  }
  return parsePostback({ method: 'GET', path: POSTBACK_PATH, query: query.toString(), body: '', content_type: '', headers: {} }).fields
}

/** Rows that name a conversion, or a transaction alone, as if they named its click, goal and transaction. */
async function namedConversions(
  db: Db,
  scope: Scope,
  advertiserId: number | null,
  said: readonly { key: string; fields: PostbackFields }[],
  made: readonly NamedConversion[],
): Promise<({ fields: PostbackFields; of?: NamedConversion; goal?: string } | { reason: string })[]> {
  const keysNamed = [...new Set(said.flatMap(({ key }) => (key === '' ? [] : [key.toLowerCase()])))]
  const alone = [
    ...new Set(said.flatMap(({ key, fields }) => (key === '' && fields.click_id === '' && fields.txn_id !== '' ? [fields.txn_id] : []))),
  ]
  const [byKey, byTransaction] = await Promise.all([
    keysNamed.length === 0 ? [] : conversionsNamed(db, scope, advertiserId, keysNamed),
    alone.length === 0 ? [] : conversionsOfTransactions(db, scope, advertiserId, alone),
  ])
  const ofKey = new Map(byKey.flatMap((row) => [[row.uuid, row] as const, [row.id, row] as const]))
  const mine = made.filter(({ advertiser_id }) => advertiserId === null || advertiser_id === advertiserId)
  const ofTransaction = Map.groupBy([...byTransaction, ...mine], (row) => row.transaction_id ?? '')
  return said.map(({ key, fields }) => {
    if (key !== '') {
      const row = ofKey.get(key.toLowerCase())
      return row === undefined ? { reason: NO_CONVERSION } : { fields: meant(fields, row), of: row }
    }
    if (fields.click_id !== '' || fields.txn_id === '') return { fields }
    const all = ofTransaction.get(fields.txn_id) ?? []
    const goal = goalSaid(fields)
    const ofGoal = all.filter((one) => one.goal.toLowerCase() === goal)
    const rows = ofGoal.length === 0 ? all : ofGoal
    const [row] = rows
    if (row === undefined) return { reason: `No conversion has the transaction ${fields.txn_id.slice(0, 60)}.` }
    if (rows.length > 1)
      return {
        reason: `${rows.length} conversions have the transaction ${fields.txn_id.slice(0, 60)} (${offersOf(rows)}): name the click or the conversion.`,
      }
    // in a word of its own for the goal: it is read as one, and has to come to this one
    if (goal !== '' && ofGoal.length === 0)
      return { fields: { ...fields, click_id: row.click_id, txn_id: row.transaction_id ?? '' }, of: row, goal: row.goal }
    return { fields: meant(fields, row), of: row }
  })
}

/** What a row says of its goal, in small letters; '' = nothing. */
function goalSaid({ said }: PostbackFields): string {
  return (
    said
      .find(({ kind, value }) => (kind === 'goal' || kind === 'event?') && value.trim() !== '')
      ?.value.trim()
      .toLowerCase() ?? ''
  )
}

type Sold = Pick<NamedConversion, 'offer_id' | 'advertiser_id'>
const keyOfSold = ({ offer_id, advertiser_id }: Sold): string => `${offer_id} ${advertiser_id}`

/** The terms of conversions of API offers, which are those of the advertiser who took the lead. */
async function termsOfSold(db: Db, sold: readonly Sold[]): Promise<Map<string, OfferTerms>> {
  const found = new Map<string, OfferTerms>()
  for (const [advertiser, some] of Map.groupBy(sold, ({ advertiser_id }) => advertiser_id)) {
    const terms = await loadTerms(
      db,
      some.map(({ offer_id }) => offer_id),
      advertiser,
    )
    for (const one of terms.values()) found.set(keyOfSold({ offer_id: one.id, advertiser_id: advertiser }), one)
  }
  return found
}

function offersOf(rows: readonly NamedConversion[]): string {
  return [...new Set(rows.map(({ offer, goal }) => `${offer}, ${goal}`))].slice(0, 3).join('; ')
}

/** What is said, of this conversion. */
function meant(fields: PostbackFields, row: NamedConversion): PostbackFields {
  const said = fields.said.filter(({ kind }) => kind !== 'goal' && kind !== 'event?')
  return {
    ...fields,
    click_id: row.click_id,
    txn_id: row.transaction_id ?? '',
    said: [...said, { kind: 'goal', name: 'conversion_id', value: row.goal }],
  }
}
