import { sayCallReason } from '#contract/leads/call-reason.ts'
import type { PullSpec } from '#contract/leads/integration-spec.ts'
import { readAt } from './path.ts'
import { patience, type Patience } from './pattern.ts'
import { decodeAnswer, firstText, holds, lookAt, type Answer } from './read-answer.ts'

/**
 * `transaction` '' = the payment has no name; `nameless`: it is one of several of its lead that nothing tells apart; `alike`: so many
 * before it say the very same, where any do.
 */
export type PulledRow = {
  id: string
  status: string
  isSale: boolean
  amount: string
  transaction: string
  nameless: boolean
  alike?: number
  at: string
}
/**
 * `next` = the cursor of the next page, or whether a next page is to be asked for; null = this was the last one. `refused`: they did not
 * want to answer who asked, rather than not being able to.
 */
export type PulledPage = { rows: PulledRow[]; withoutId: number; next: string | true | null } | { error: string; refused: boolean }

const MOST = 5000

/**
 * The rows of one page of an answer. Whatever is no list of rows is an error: a log-in page, a refusal or a changed shape must never look
 * like "nothing new".
 */
export function readRows(answer: Answer, spec: PullSpec): PulledPage {
  if (answer.status === null) return { error: answer.failure === '' ? '' : sayCallReason(answer.failure), refused: false }
  if (answer.status >= 400) return { error: `HTTP ${answer.status}`, refused: answer.status === 401 || answer.status === 403 }
  const { kind, tree } = decodeAnswer(answer.body)
  if (kind === 'text') return { error: sayCallReason('no_data'), refused: false }
  const patient = patience('page')
  const look = (place: string) => lookAt(answer, tree, place, patient)
  if (spec.error_when.some((all) => all.every((one) => holds(one, one.at === '' ? [answer.status] : look(one.at), patient))))
    return { error: sayCallReason('said_error'), refused: true }
  const found = listOf(tree, spec.rows)
  if (found === undefined) return { error: sayCallReason('no_rows'), refused: false }
  if (found.length > MOST) return { error: sayCallReason('many_rows', { most: MOST }), refused: false }
  const rows = apart(
    found.flatMap((row) => {
      const whole = spec.wrapped === '' ? row : mergedWith(row, readAt(row, spec.wrapped)[0])
      return readDeposits(answer, whole, spec, patient) ?? [readRow(answer, whole, spec, patient)]
    }),
  )
  if (rows.length > MOST) return { error: sayCallReason('many_rows', { most: MOST }), refused: false }
  const next = nextOf(spec, found.length, look)
  if (patient.left < 0) return { error: sayCallReason('too_slow'), refused: false }
  const kept = rows.filter(({ id }) => id !== '')
  return { rows: kept, withoutId: rows.length - kept.length, next }
}

function readRow(answer: Answer, row: unknown, spec: PullSpec, patient: Patience): PulledRow {
  const text = (places: readonly string[]) => firstText(places.flatMap((place) => lookAt(answer, row, place, patient))) ?? ''
  return {
    id: text(spec.id),
    status: text(spec.status),
    isSale: spec.sale_when.some((one) => holds(one, one.at === '' ? [] : lookAt(answer, row, one.at, patient), patient)),
    amount: text(spec.amount),
    transaction: text(spec.transaction ?? []).slice(0, 120),
    nameless: false,
    at: text(spec.at),
  }
}

/** The payments a row lists of its lead, each with what the row says of the lead; undefined where it lists none, which is a row as any. */
function readDeposits(answer: Answer, row: unknown, spec: PullSpec, patient: Patience): PulledRow[] | undefined {
  const list = spec.deposits?.map((place) => readAt(row, place)[0]).find((found) => Array.isArray(found) && found.length > 0)
  if (!Array.isArray(list)) return undefined
  const id = readRow(answer, row, spec, patient).id
  // an id within a payment is the payment's
  const read = list.map((one: unknown) => ({ ...readRow(answer, mergedWith(row, one), spec, patient), id }))
  const named = Map.groupBy(read, ({ transaction }) => transaction)
  const said = new Map<string, number>()
  const payments = read.map((one, at): PulledRow => {
    const isNamed = one.transaction !== '' && named.get(one.transaction)?.length === 1
    if (isObject(list[at]) && (isNamed || read.length === 1)) return one
    const same = JSON.stringify([one.status, one.amount, one.transaction])
    const alike = said.get(same) ?? 0
    said.set(same, alike + 1)
    return { ...one, nameless: true, ...(alike > 0 && { alike }) }
  })
  return inTime(payments)
}

/**
 * Of several rows that tell of money of one lead, those of different amounts that no name tells apart: each read after the other, the
 * deposit would be worth now this, now that.
 */
function apart(rows: PulledRow[]): PulledRow[] {
  /** Of each lead the amounts of each payment; of those without a name it is one. */
  const paid = new Map<string, Map<string, Set<string>>>()
  const isPaid = ({ isSale, nameless }: PulledRow) => isSale && !nameless
  for (const { id, transaction, amount } of rows.filter(isPaid)) {
    const payments = paid.get(id) ?? new Map<string, Set<string>>()
    paid.set(id, payments.set(transaction, (payments.get(transaction) ?? new Set()).add(amount)))
  }
  return rows.map((row) => {
    const payments = isPaid(row) ? paid.get(row.id) : undefined
    const isUnclear = (row.transaction === '' && (payments?.size ?? 0) > 1) || (payments?.get(row.transaction)?.size ?? 0) > 1
    return isUnclear ? { ...row, nameless: true } : row
  })
}

/** Rows of one lead, the earliest first: whichever is read first of a lead nothing was paid for is its first. A time nobody can be sure of moves none of them. */
export function inTime(payments: PulledRow[]): PulledRow[] {
  const timed = payments.map((one) => ({ one, at: momentOf(one.at) }))
  if (timed.some(({ at }) => Number.isNaN(at))) return payments
  return timed.toSorted((left, right) => left.at - right.at).map(({ one }) => one)
}

/** NaN where the order of day and month is anybody's guess. */
function momentOf(text: string): number {
  if (/^\d{9,16}(\.\d+)?$/.test(text)) return Number(text)
  return /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN
}

/** What a row is wrapped in is read first; beside it the row's own texts. */
function mergedWith(row: unknown, inner: unknown): unknown {
  return isObject(row) && isObject(inner) ? { ...row, ...inner } : (inner ?? row)
}

/** The first of the places that holds a list; rows by their id as well. `.` is the answer itself; `one:data` is a single row. */
function listOf(tree: unknown, places: readonly string[]): unknown[] | undefined {
  for (const named of places) {
    const place = named.replace(/^one:/, '')
    const there = place === '.' ? tree : readAt(tree, place)[0]
    if (place !== named) {
      if (isObject(there)) return [there]
      continue
    }
    if (Array.isArray(there)) return there
    if (isObject(there)) {
      const entries = Object.entries(there)
      if (entries.every(([, row]) => isObject(row))) return entries.map(([$key, row]) => ({ $key, ...(row as object) }))
    }
  }
  return undefined
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function nextOf({ paging }: PullSpec, rows: number, look: (place: string) => unknown[]): string | true | null {
  if (paging.by === 'cursor') return firstText(look(paging.at)) ?? null
  if (paging.by === 'none') return null
  return rows >= paging.size ? true : null
}
