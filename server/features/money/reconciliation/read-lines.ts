import type { Currency } from '#contract/money/amount.ts'
import { amountText } from '#contract/money/amount.ts'
import type { ReportField, ReportMeaning, ReportReading } from '#contract/money/report-reading.ts'
import { guessFileStatus } from '#server/rules/conversion/column-words.ts'
import { STATUS_WORDS } from '#server/rules/conversion/status-words.ts'
import type { ConversionStatus } from '#contract/traffic/conversion.ts'
import { readAmount } from '#server/rules/conversion/amount-reading.ts'
import type { TheirLine } from './match/sides.ts'
import { readTime } from '#server/rules/conversion/read-time.ts'

export type FileLine = { line: number; cells: string[] }

/** What the words of a report may name: offers and goals of the advertiser by whatever they are called. */
export type Names = {
  offers: ReadonlyMap<string, number>
  /** By word, the goals called so. */
  goals: ReadonlyMap<string, readonly { id: number; offerId: number; code: string }[]>
  currencies: ReadonlySet<Currency>
}

/**
 * What a line says; `goals` are those its word for one may mean, each of an offer; `skip` = it is not about a conversion; `bad` names what of
 * it could not be read.
 */
export type LineRead = {
  line: number
  theirs: TheirLine
  goals: readonly { id: number; offerId: number }[]
  skip: boolean
  bad: ReportField[]
}

/** What stands at the head of a line that adds the others up, in languages reports come in. */
const TOTALS = /^(grand total|totals?|sum|summe|gesamt|суму?а?|итого|всего|разом|всього|усього|razem|suma|total general)[:.]?$/i

/** Reads lines of a report as they are to be read. What cannot be read is left out of a line, and named. */
export function readLines(
  rows: readonly FileLine[],
  reading: ReportReading,
  names: Names,
  meaningOf: (word: string) => ReportMeaning | null,
  isWorkbook: boolean,
): LineRead[] {
  return rows.map(({ line, cells }) => {
    const said = (field: ReportField) => textOf(cells, reading.mapping[field])
    const bad: ReportField[] = []
    const time = said('time') === '' ? null : readTime(said('time'), reading.dates)
    if (said('time') !== '' && time === null) bad.push('time')
    const amount = said('amount') === '' ? null : amountOf(said('amount'), reading, isWorkbook)
    if (said('amount') !== '' && amount === null) bad.push('amount')
    const code = said('currency').toUpperCase()
    const currency = code === '' ? (amount?.currency ?? reading.currency) : code
    if (currency !== null && !names.currencies.has(currency)) bad.push('currency')
    const offerId = said('offer') === '' ? null : (names.offers.get(said('offer').toLowerCase()) ?? null)
    const called = said('goal') === '' ? [] : (names.goals.get(said('goal').toLowerCase()) ?? [])
    // of an offer nobody knows no goal is known, whatever other offers call theirs
    const goals = said('offer') === '' ? called : called.filter((goal) => goal.offerId === offerId)
    const means = reading.mapping.status === undefined ? 'approved' : said('status') === '' ? null : meaningOf(said('status'))
    const theirs: TheirLine = {
      line,
      at: time?.at ?? null,
      dayOnly: time?.dayOnly ?? false,
      transactionId: said('transaction_id').slice(0, 255),
      clickId: said('click_id').toLowerCase().slice(0, 255),
      click: '',
      subId: said('sub_id').slice(0, 255),
      offerId,
      goalId: goals.length === 1 ? (goals[0]?.id ?? null) : null,
      goalUnknown: (said('goal') !== '' && goals.length === 0) || (said('offer') !== '' && offerId === null),
      status: means === 'skip' ? null : means,
      amount: amount?.amount ?? null,
      currency: currency !== null && names.currencies.has(currency) ? currency : null,
      reason: said('reason').slice(0, 500),
    }
    const named = theirs.transactionId !== '' || theirs.clickId !== '' || theirs.subId !== '' || time !== null
    const isTotal = !named && cells.some((cell) => TOTALS.test(cell.trim()))
    return { line, theirs, goals, skip: means === 'skip' || isTotal, bad: isTotal ? [] : bad }
  })
}

/** The text of a column in a line; '' where there is none. */
export function textOf(cells: readonly string[], place: number | undefined): string {
  return place === undefined ? '' : (cells[place] ?? '').trim()
}

/** What words of statuses mean: as whoever reads the report said, else the advertiser's words, the network's, and those that mean the same everywhere. */
export function openMeanings(
  reading: Pick<ReportReading, 'words'>,
  words: readonly { word: string; status: ConversionStatus | null }[],
  statuses: Readonly<Record<string, ConversionStatus>>,
): (word: string) => ReportMeaning | null {
  const own = new Map(reading.words.map(({ word, means }) => [word.toLowerCase(), means]))
  const mapped = new Map(words.flatMap(({ word, status }) => (status === null ? [] : [[word.toLowerCase(), status] as const])))
  const general = new Map(Object.entries(statuses).map(([word, status]) => [word.toLowerCase(), status]))
  return (word) => {
    const text = word.toLowerCase()
    const status = mapped.get(text) ?? general.get(text) ?? (Object.hasOwn(STATUS_WORDS, text) ? STATUS_WORDS[text] : undefined)
    return own.get(text) ?? (status === undefined ? null : MEANT[status])
  }
}

/** What a word nobody knows probably means. */
export function guessMeaning(word: string): ReportMeaning | null {
  const status = guessFileStatus(word)
  return status === null ? null : MEANT[status]
}

/** On hold the advertiser has still to decide; what is trash was turned down. */
const MEANT: Readonly<Record<ConversionStatus, ReportMeaning>> = {
  approved: 'approved',
  hold: 'pending',
  pending: 'pending',
  declined: 'declined',
  trash: 'declined',
}

function amountOf(text: string, { numbers }: ReportReading, isWorkbook: boolean): { amount: string; currency: Currency | null } | null {
  // a number of a workbook, however the others are written
  const format = isWorkbook && /^-?\d+(\.\d{1,8})?$/.test(text) ? 'point' : numbers
  const read = readAmount(text, { format })
  if (read === null || 'readings' in read) return null
  const [sign, ...more] = read.currencies ?? []
  return { amount: amountText(read.amount), currency: more.length === 0 ? (sign ?? null) : null }
}

/** How amounts of a column are written; null where some can be read in two ways and none tells which. */
export function guessNumbers(texts: readonly string[]): ReportReading['numbers'] | null {
  let [points, commas, either] = [0, 0, 0]
  for (const text of texts) {
    const match = /([.,])(\d+)\D*$/.exec(text.trim())
    if (!match) continue
    const both = text.includes('.') && text.includes(',')
    const many = text.split(match[1] ?? '').length > 2
    // one that stands several times is of thousands
    const isPoint = (match[1] === '.') !== many
    if (!many && !both && match[2]?.length === 3) either++
    else if (isPoint) points++
    else commas++
  }
  if (points > 0 && commas > 0) return null
  if (commas > 0) return 'comma'
  return points > 0 || either === 0 ? 'point' : null
}
