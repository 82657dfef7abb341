import type { z } from 'zod'
import type { Stuck, stuckApi } from '#contract/leads/stuck.ts'
import type { listStuck, StuckRow } from './stuck.queries.ts'

type Row = Awaited<ReturnType<typeof listStuck>>['list'][number]

export function presentStuck({ first_seen_at, last_seen_at, settled_at, ...row }: Row): Stuck {
  return {
    ...row,
    first_seen_at: first_seen_at.toISOString(),
    last_seen_at: last_seen_at.toISOString(),
    settled_at: settled_at?.toISOString() ?? null,
  }
}

/** With what the call held, by the names it came under. */
export function presentDetail({
  params,
  sale: _sale,
  product_id: _product,
  send_id: _send,
  session_id: _session,
  ...row
}: StuckRow): z.input<typeof stuckApi.detail.response> {
  return { stuck: presentStuck(row), params: Object.entries(params).map(([name, value]) => ({ name, value })) }
}
