import type { z } from 'zod'
import { RECOLD_ITEM_STATUSES, type PauseReason, type recoldApi, type RecoldDetail, type RecoldItem } from '#contract/leads/recold.ts'
import type { CallStatus } from '#contract/leads/call-status.ts'
import { amountText } from '#contract/money/amount.ts'
import type { LeadVault } from '#server/features/leads/session/vault.ts'
import { maskedContact } from '#server/rules/lead/contact.ts'
import type { ItemRow } from './item.queries.ts'
import type { readEarned, RecoldCounts, RecoldFound } from './recold.queries.ts'

type Row = z.input<typeof recoldApi.list.response>['list'][number]
type Earned = Awaited<ReturnType<typeof readEarned>>

export function presentRecold(row: RecoldFound, counted: RecoldCounts | undefined, earned: Earned): Row {
  return {
    uuid: row.uuid,
    id: row.id,
    title: row.title,
    status: row.status,
    pause_reason: row.pause_reason as '' | PauseReason, // nothing else is written
    list: { uuid: row.list_uuid, id: row.list_id, name: row.list_title },
    offer: { uuid: row.offer_uuid, id: row.offer_id, name: row.offer_title },
    manager: row.manager_id === null ? null : { uuid: row.manager_uuid ?? '', id: row.manager_id, name: row.manager_name ?? '' },
    affiliate: row.payout !== 'none' ? null : { uuid: row.affiliate_uuid, id: row.affiliate_id, name: row.affiliate_name },
    schedule: row.schedule,
    pacing: row.pacing,
    data: row.data,
    counts: presentCounts(counted),
    waiting: counted?.waiting ?? 0,
    ...presentEarned(row.id, earned),
    next_send_at: row.status === 'active' ? (counted?.nextAt?.toISOString() ?? null) : null,
    last_send_at: row.last_send_at?.toISOString() ?? null,
    started_at: row.started_at?.toISOString() ?? null,
    finished_at: row.finished_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  }
}

export function presentDetail(
  row: RecoldFound,
  counted: RecoldCounts | undefined,
  earned: Earned,
  products: RecoldDetail['products'],
): RecoldDetail {
  return { ...presentRecold(row, counted, earned), ...ofDetail(row), products }
}

function ofDetail({ payout, payout_amount: amount, projection, skip, version }: RecoldFound) {
  return { payout, payout_amount: amount === null ? null : amountText(amount), projection, skip, version }
}

/** Every status, those of nobody too. */
export function presentCounts(counted: RecoldCounts | undefined): Row['counts'] {
  const entries = RECOLD_ITEM_STATUSES.map((status) => [status, counted?.counts[status] ?? 0] as const)
  return Object.fromEntries(entries) as Row['counts'] // of all statuses
}

export function presentEarned(id: number, earned: Earned): Pick<Row, 'conversions' | 'revenue'> {
  const rows = earned.get(id) ?? []
  return {
    conversions: rows.reduce((sum, { conversions }) => sum + conversions, 0),
    revenue: rows.map(({ currency, revenue }) => ({ currency, amount: revenue })) as Row['revenue'], // as the ledger holds them
  }
}

/** Who it is masked for everybody; of who has them only what the caller may see. */
export function presentItem(row: ItemRow, vault: LeadVault): RecoldItem {
  const told = row.sealed === null || row.erased_at !== null ? {} : vault.openTold(row.sealed)
  const { session_uuid, session_number, session_status } = row
  return {
    uuid: row.uuid,
    status: row.status,
    skip_reason: row.skip_reason,
    ...maskedContact(told),
    country: row.country,
    affiliate: named(row.affiliate_uuid, row.affiliate_number, row.affiliate_name),
    scheduled_at: row.scheduled_at?.toISOString() ?? null,
    sent_at: row.sent_at?.toISOString() ?? null,
    ended_at: row.ended_at?.toISOString() ?? null,
    session:
      session_uuid === null || session_number === null || session_status === null
        ? null
        : {
            uuid: session_uuid,
            id: session_number,
            status: session_status,
            reason: row.session_reason ?? '',
            call_status: row.call_status as CallStatus | null, // nothing else is written
          },
    product: row.sees_advertiser ? named(row.product_uuid, row.product_number, row.product_title) : null,
    lead_id: row.lead_id,
    goal: row.goal,
  }
}

function named(uuid: string | null, id: number | null, name: string | null) {
  return uuid === null || id === null || name === null ? null : { uuid, id, name }
}
