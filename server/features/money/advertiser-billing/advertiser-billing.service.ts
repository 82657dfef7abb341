import type { z } from 'zod'
import { type advertiserBillingApi, receivableSetting, type receivable } from '#contract/money/advertiser-billing.ts'
import { amountText } from '#contract/money/amount.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import type { Actor } from '#server/access/actor.ts'
import { requireCurrency } from '#server/features/money/currency/currency.service.ts'
import { openWorth } from '#server/features/money/currency/worth.queries.ts'
import { overdueDays, todayOf } from '#server/features/money/advertiser-invoice/show.service.ts'
import { findOwner } from '#server/features/money/ledger/entry.service.ts'
import { getGeneralSettings, getSetting } from '#server/features/network/setting/setting.queries.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import { announce } from '#server/features/traffic/snapshot/snapshot.queries.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db, DbOrTrx } from '#server/platform/pg/database.ts'
import { lastInvoices, listReceivables, listUnbilled, receivablesOf, type ReceivableRow } from './receivable.queries.ts'
import { getTerms, listLimits, saveLimits, saveTerms } from './terms.queries.ts'

type Api = typeof advertiserBillingApi
type Terms = CallOutput<Api['terms']>

/** What each advertiser owes in each currency. */
export async function showReceivables(db: Db, now: number, filters: z.output<Api['list']['body']>): Promise<CallOutput<Api['list']>> {
  const [{ warn_percent }, today, worth] = await Promise.all([getSetting(db, receivableSetting), todayOf(db, now), openWorth(db, now)])
  const { rows, amounts, list } = await listReceivables(db, filters, { today, warnPercent: warn_percent, worth })
  return {
    list: list.map((row) => ({
      ...presentReceivable(row, warn_percent),
      id: row.advertiser_id,
      advertiser: row.advertiser,
      revenue: amountText(row.revenue),
      profit: amountText(row.profit),
    })),
    summary: {
      rows,
      totals: {
        amounts: amounts.map((one) => ({ ...presentAmounts(one), profit: amountText(one.profit) })),
        ranking: worth.ranking(amounts),
      },
    },
  }
}

/** What an advertiser in scope owes, and how its last invoices stand. Throws `not_found`. */
export async function showAccount(db: Db, now: number, actor: Actor, key: string): Promise<CallOutput<Api['account']>> {
  const id = await findOwner(db, actor.scope, 'advertiser', key)
  const [{ warn_percent }, today] = await Promise.all([getSetting(db, receivableSetting), todayOf(db, now)])
  const [balances, invoices] = await Promise.all([receivablesOf(db, id, today), lastInvoices(db, id)])
  return {
    balances: balances.map((row) => ({ ...presentReceivable(row, warn_percent), received: amountText(row.received) })),
    invoices: invoices.map((one) => ({
      ...one,
      overdue_days: overdueDays(one, today),
      issued_at: one.issued_at?.toISOString() ?? null,
    })),
  }
}

/** What an advertiser owes that is on no issued invoice, by month and offer. Throws `not_found`. */
export async function showUnbilled(db: Db, actor: Actor, asked: z.output<Api['unbilled']['body']>): Promise<CallOutput<Api['unbilled']>> {
  const id = await findOwner(db, actor.scope, 'advertiser', asked.advertiser_uuid)
  const { time_zone } = await getGeneralSettings(db)
  const rows = await listUnbilled(db, id, asked.currency, time_zone)
  return {
    list: rows.map((row) => ({
      ...row,
      hold: amountText(row.hold),
      approved: amountText(row.approved),
      corrections: amountText(row.corrections),
      amount: amountText(row.amount),
    })),
  }
}

/** On what terms an advertiser pays. Throws `not_found`. */
export async function showTerms(db: DbOrTrx, key: string): Promise<Terms> {
  const row = await getTerms(db, key)
  if (row === undefined) throw new AppError('not_found')
  const [limits, { schedule, minimums, hold_days, makes, net_days, include_hold }] = await Promise.all([
    listLimits(db, row.id),
    getSetting(db, receivableSetting),
  ])
  return {
    schedule: row.schedule,
    minimums: row.minimums === null ? null : Object.entries(row.minimums).map(([currency, amount]) => ({ currency, amount })),
    hold_days: row.hold_days,
    makes: row.makes,
    net_days: row.net_days,
    include_hold: row.include_hold,
    email: row.email ?? '',
    language: row.language ?? 'en',
    document_language: row.document_language,
    vat_category: row.vat_category ?? 'O',
    vat_rate: row.vat_rate ?? '0',
    remind: row.remind ?? true,
    limits: limits.map(({ currency, credit_limit }) => ({ currency, amount: amountText(credit_limit) })),
    revision: row.revision ?? 0,
    network: { schedule, minimums, hold_days, makes, net_days, include_hold },
  }
}

/** Changes them; trackers learn of a limit that is gone. Throws `not_found`, `conflict`, `unknown_reference`. */
export async function changeTerms(
  db: Db,
  now: number,
  actor: Actor,
  key: string,
  { revision, ...terms }: z.output<Api['updateTerms']['body']>,
): Promise<Terms> {
  return db.transaction().execute(async (trx) => {
    const row = await getTerms(trx, key, { lock: true })
    if (row === undefined) throw new AppError('not_found')
    if ((row.revision ?? 0) !== revision) throw new AppError('conflict')
    for (const { currency } of terms.limits) await requireCurrency(trx, currency)
    for (const { currency } of terms.minimums ?? []) await requireCurrency(trx, currency, 'minimums')
    const { revision: _revision, network: _network, ...before } = await showTerms(trx, key)
    await saveTerms(trx, row.id, terms, revision + 1, new Date(now))
    await saveLimits(trx, row.id, terms.limits)
    await recordAudit(trx, actor, now, { action: 'update_terms', entity: 'advertiser', entityId: row.id, before, after: terms })
    await announce(trx, 'advertiser', [row.id])
    return showTerms(trx, key)
  })
}

type Amounts = Pick<
  ReceivableRow,
  'currency' | 'not_invoiced' | 'invoiced' | 'overdue_30' | 'overdue_60' | 'overdue_90' | 'overdue_more' | 'prepaid' | 'exposure'
>

function presentAmounts(row: Amounts) {
  return {
    currency: row.currency,
    not_invoiced: amountText(row.not_invoiced),
    invoiced: amountText(row.invoiced),
    overdue: {
      '30': amountText(row.overdue_30),
      '60': amountText(row.overdue_60),
      '90': amountText(row.overdue_90),
      more: amountText(row.overdue_more),
    },
    prepaid: amountText(row.prepaid),
    exposure: amountText(row.exposure),
  }
}

function presentReceivable(
  row: Amounts & Pick<ReceivableRow, 'credit_limit' | 'used_percent' | 'blocked'>,
  warnPercent: number,
): z.output<typeof receivable> {
  const { credit_limit, used_percent } = row
  return {
    ...presentAmounts(row),
    credit_limit: credit_limit === null ? null : amountText(credit_limit),
    used_percent,
    credit: row.blocked ? 'blocked' : credit_limit === null ? 'none' : (used_percent ?? 0) >= warnPercent ? 'near' : 'good',
  }
}
