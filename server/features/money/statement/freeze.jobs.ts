import { createHash } from 'node:crypto'
import { accountsOf, accountType } from '#contract/money/account.ts'
import { fromUnits, toUnits } from '#contract/money/amount.ts'
import { keepBytes } from '#server/features/money/document/keep.service.ts'
import { getGeneralSettings } from '#server/features/network/setting/setting.queries.ts'
import type { Db, DbOrTrx } from '#server/platform/pg/database.ts'
import { lastMonthOver, periodOf } from '#server/rules/zone-day.ts'
import { insertStatement } from './freeze.queries.ts'
import { printStatement } from './print.service.ts'
import type { Content } from './statement.service.ts'
import type { Account } from './sums.ts'
import { affiliateName, chainHeadAt, listDue, listIssued, listPaid, previousHash, sumEvents } from './statement.queries.ts'

/** So many are made in one go. */
const BATCH = 20

/**
 * Makes the statements of months that were over on the second of the month that came after, the oldest first, some at a time; answers
 * whether more are due. Each is made once and in the order of months: a worker that dies leaves it for the next.
 */
export async function makeStatements(db: Db, now: number): Promise<boolean> {
  const { time_zone } = await getGeneralSettings(db)
  const due = await listDue(db, lastMonthOver(now, time_zone), time_zone, BATCH)
  for (const { id, month } of due)
    await db.transaction().execute(async (trx) => {
      const stated = await contentOf(trx, now, { affiliateId: id, month, zone: time_zone })
      const content = JSON.stringify(stated)
      const sha256 = createHash('sha256').update(content).digest('hex')
      const made = new Date(now)
      const statementId = await insertStatement(trx, { affiliate_id: id, month, content, sha256, made_at: made })
      if (statementId === undefined) return
      const of = { kind: 'statement' as const, subjectId: statementId, number: null, made }
      await keepBytes(trx, await printStatement(trx, stated, sha256), of)
    })
  return due.length === BATCH
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
    listIssued(db, affiliateId, from, to, zone),
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
