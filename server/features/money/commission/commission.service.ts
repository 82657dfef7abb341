import type { z } from 'zod'
import { commissionSetting, MOST_COMMISSIONS, type commissionApi } from '#contract/money/commission.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import type { Actor } from '#server/access/actor.ts'
import { findDocument } from '#server/features/money/document/keep.queries.ts'
import type { File } from '#server/features/money/document/keep.service.ts'
import { getSetting } from '#server/features/network/setting/setting.queries.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db, DbOrTrx } from '#server/platform/pg/database.ts'
import { csvForPeople } from '#server/platform/csv.ts'
import { findManager, findMonth, findStatement, listFrozen, ownTerms, storeTerms } from './commission.queries.ts'
import { computeMonth, type Content } from './month.service.ts'

type Row = CallOutput<typeof commissionApi.list>['list'][number]
/** Frozen ones have a uuid. */
type Shown = { uuid: string | null; content: Content }

/** What managers get of a month: as it was frozen, or as it is by now. */
export async function showMonth(db: Db, now: number, month: string): Promise<CallOutput<typeof commissionApi.list>> {
  const [{ on }, { frozenAt, list }] = await Promise.all([getSetting(db, commissionSetting), monthOf(db, now, month)])
  return { frozen_at: frozenAt?.toISOString() ?? null, on, list: list.slice(0, MOST_COMMISSIONS).map(present) }
}

/** The same of one manager, account by account. Throws `not_found` for one who has none. */
export async function showCommission(
  db: Db,
  now: number,
  { month, manager_uuid }: z.output<typeof commissionApi.get.body>,
): Promise<CallOutput<typeof commissionApi.get>> {
  const found = (await monthOf(db, now, month)).list.find(({ content }) => content.manager.uuid === manager_uuid)
  if (found === undefined) throw new AppError('not_found')
  const { lines, changes } = found.content
  const shown = lines.slice(0, MOST_COMMISSIONS)
  return { ...present(found), lines: shown, more: lines.length > shown.length, changed: changes.slice(0, MOST_COMMISSIONS) }
}

/** A frozen statement as PDF, to the byte. Throws `not_found`. */
export async function readCommissionPdf(db: Db, uuid: string): Promise<File> {
  const row = await findStatement(db, uuid)
  const kept = row && (await findDocument(db, 'commission', row.id))
  if (kept === undefined) throw new AppError('not_found')
  return { name: `commission-${kept.number ?? row?.month}.pdf`, bytes: kept.bytes }
}

/** A month of all managers as CSV, a line for each account and one for each sum. */
export async function readCommissionCsv(db: Db, now: number, month: string): Promise<File> {
  const { list } = await monthOf(db, now, month)
  const data = list.flatMap(({ content: { manager, basis, percent, lines, sums } }) => [
    ...lines.map((one) => [
      month,
      manager.id,
      manager.name,
      one.currency,
      one.kind,
      one.account.id,
      one.account.name,
      one.revenue,
      one.payout,
      one.costs,
      one.base,
      basis,
      percent,
      '',
    ]),
    ...sums.map((one) => [
      month,
      manager.id,
      manager.name,
      one.currency,
      'total',
      '',
      '',
      '',
      '',
      '',
      one.base,
      basis,
      percent,
      one.amount,
    ]),
  ])
  return { name: `commission-${month}.csv`, bytes: Buffer.from(csvForPeople(FIELDS, data)) }
}

const FIELDS = [
  'month',
  'manager_id',
  'manager',
  'currency',
  'kind',
  'account_id',
  'account',
  'revenue',
  'payout',
  'costs',
  'base',
  'basis',
  'percent',
  'commission',
]

/** Gives a manager terms of their own, or those of all. The same again changes nothing. Throws `not_found`. */
export async function setTerms(db: Db, now: number, actor: Actor, asked: z.output<typeof commissionApi.setTerms.body>): Promise<void> {
  const { manager_uuid, basis, percent } = asked
  const own = asked.own ? { basis, percent } : null
  await db.transaction().execute(async (trx) => {
    const manager = await findManager(trx, manager_uuid, true)
    if (manager === undefined) throw new AppError('not_found')
    const before = (await ownTerms(trx)).get(manager.id) ?? null
    await storeTerms(trx, manager.id, own === null ? null : { ...own, updated_at: new Date(now) })
    const told = (terms: { basis: string; percent: string } | null) =>
      terms === null ? { basis: null, percent: null } : { basis: terms.basis, percent: String(Number(terms.percent)) }
    await recordAudit(trx, actor, now, {
      action: 'commission_terms',
      entity: 'manager',
      entityId: manager.id,
      before: told(before),
      after: told(own),
    })
  })
}

/** A month as it was frozen, or as it is by now. */
async function monthOf(db: DbOrTrx, now: number, month: string): Promise<{ frozenAt: Date | undefined; list: Shown[] }> {
  const frozen = await findMonth(db, month)
  if (frozen === undefined) {
    const list = await computeMonth(db, now, month)
    return { frozenAt: undefined, list: list.map((content) => ({ uuid: null, content })) }
  }
  const rows = await listFrozen(db, month, 10 * MOST_COMMISSIONS)
  // as `freezeCommissions` wrote it
  return { frozenAt: frozen.made_at, list: rows.map(({ uuid, content }) => ({ uuid, content: JSON.parse(content) as Content })) }
}

function present({ uuid, content }: Shown): Row {
  const { manager, basis, percent, own, sums, changes } = content
  return { manager, basis, percent: String(Number(percent)), own, sums, changes: changes.length, uuid }
}
