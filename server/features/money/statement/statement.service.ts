import { createHash } from 'node:crypto'
import Papa from 'papaparse'
import type { z } from 'zod'
import { accountsOf, accountType, type AccountKind } from '#contract/money/account.ts'
import { fromUnits, toUnits } from '#contract/money/amount.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import type { statementApi } from '#contract/money/statement.ts'
import { getGeneralSettings } from '#server/features/network/setting/setting.queries.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db, DbOrTrx } from '#server/platform/pg/database.ts'
import { periodOf } from '#server/rules/zone-day.ts'
import {
  affiliateName,
  chainHeadAt,
  getStatement,
  insertStatement,
  listDue,
  listIssued,
  listPaid,
  listStatements,
  previousHash,
  sumEvents,
} from './statement.queries.ts'

/** So many are made in one go. */
const BATCH = 20

type Account = {
  currency: string
  account: AccountKind
  opening: string
  events: { event: string; entries: number; amount: string }[]
  closing: string
}
/** A month of an affiliate's money; amounts are above zero where their account grows. The next one names the hash of its JSON. */
type Content = {
  version: 1
  affiliate: string
  month: string
  time_zone: string
  made_at: string
  accounts: Account[]
  invoices: Awaited<ReturnType<typeof listIssued>>
  payments: Awaited<ReturnType<typeof listPaid>>
  /** The head of the chain of all conversions at the end of the month. */
  chain: { seq: number; hash: string } | null
  previous: string | null
}

/**
 * Makes the statements of months that were over on the second of the month that came after, the oldest first, some at a time; answers
 * whether more are due. Each is made once and in the order of months: a worker that dies leaves it for the next.
 */
export async function makeStatements(db: Db, now: number): Promise<boolean> {
  const { time_zone } = await getGeneralSettings(db)
  const due = await listDue(db, lastMonthOver(now, time_zone), time_zone, BATCH)
  for (const { id, month } of due)
    await db.transaction().execute(async (trx) => {
      const content = JSON.stringify(await contentOf(trx, now, { affiliateId: id, month, zone: time_zone }))
      const sha256 = createHash('sha256').update(content).digest('hex')
      await insertStatement(trx, { affiliate_id: id, month, content, sha256, made_at: new Date(now) })
    })
  return due.length === BATCH
}

export async function showStatements(
  db: Db,
  affiliateId: number,
  filters: z.output<typeof statementApi.list.body>,
): Promise<CallOutput<typeof statementApi.list>> {
  const { rows, list } = await listStatements(db, affiliateId, filters)
  return {
    list: list.map(({ uuid, month, sha256, made_at }) => ({ uuid, month, sha256, made_at: made_at.toISOString() })),
    summary: { rows },
  }
}

/** One statement to the byte. Throws `not_found`. */
export async function showStatement(db: Db, affiliateId: number, uuid: string): Promise<CallOutput<typeof statementApi.get>> {
  const row = await getStatement(db, affiliateId, uuid)
  if (row === undefined) throw new AppError('not_found')
  const { month, sha256, made_at, content } = row
  return { uuid, month, sha256, made_at: made_at.toISOString(), json: content, csv: csvOf(JSON.parse(content) as Content) } // as `makeStatements` wrote it
}

async function contentOf(
  db: DbOrTrx,
  now: number,
  { affiliateId, month, zone }: { affiliateId: number; month: string; zone: string },
): Promise<Content> {
  const { starts, ends } = periodOf('month', Date.parse(`${month}-15T12:00:00Z`), zone)
  const [from, to] = [new Date(starts), new Date(ends)]
  const [{ name }, sums, invoices, payments, chain, previous] = await Promise.all([
    affiliateName(db, affiliateId),
    sumEvents(db, affiliateId, accountsOf('affiliate', 'affiliate'), from, to),
    listIssued(db, affiliateId, from, to),
    listPaid(db, affiliateId, from, to),
    chainHeadAt(db, affiliateId, to),
    previousHash(db, affiliateId, month),
  ])
  const accounts = [...Map.groupBy(sums, ({ kind, currency }) => `${currency} ${kind}`).values()].map((rows): Account => {
    const [{ kind, currency } = { kind: 'affiliate_available' as const, currency: '' }] = rows
    const grown = (amount: string) => (accountType(kind).side === 'debit' ? toUnits(amount) : -toUnits(amount))
    const opening = rows.filter(({ event }) => event === null).reduce((sum, { amount }) => sum + grown(amount), 0n)
    const moved = rows.filter(({ event }) => event !== null)
    return {
      currency,
      account: kind,
      opening: fromUnits(opening),
      events: moved.map(({ event, entries, amount }) => ({ event: event ?? '', entries, amount: fromUnits(grown(amount)) })),
      closing: fromUnits(moved.reduce((sum, { amount }) => sum + grown(amount), opening)),
    }
  })
  return {
    version: 1,
    affiliate: name,
    month,
    time_zone: zone,
    made_at: new Date(now).toISOString(),
    accounts,
    invoices,
    payments,
    chain,
    previous,
  }
}

/** The same as a table: a line for each figure. */
function csvOf({ month, accounts, invoices, payments, chain, previous }: Content): string {
  const rows = [
    ...accounts.flatMap(({ currency, account, opening, events, closing }) => [
      ['opening', currency, account, '', '', opening],
      ...events.map(({ event, entries, amount }) => ['event', currency, account, event, entries, amount]),
      ['closing', currency, account, '', '', closing],
    ]),
    ...invoices.map((one) => ['invoice', one.currency, one.number, one.day, '', one.total]),
    ...payments.map((one) => ['payment', one.currency, one.invoice ?? '', one.day, one.external_id, one.amount]),
    ...(chain === null ? [] : [['chain', '', chain.hash, '', chain.seq, '']]),
    ...(previous === null ? [] : [['previous', '', previous, '', '', '']]),
  ]
  const data = rows.map((row) => [month, ...row])
  // amounts below zero stay numbers
  return Papa.unparse(
    { fields: ['month', 'what', 'currency', 'name', 'detail', 'number', 'amount'], data },
    { escapeFormulae: /^[=+@\t\r]/ },
  )
}

/** The last month that was over on the second of the one after it. */
function lastMonthOver(now: number, zone: string): string {
  const day = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(zone).toPlainDate().subtract({ days: 1 })
  return day.with({ day: 1 }).subtract({ months: 1 }).toString().slice(0, 7)
}
