import type { z } from 'zod'
import type { lead } from '#contract/leads/lead.ts'
import type { CallStatus } from '#contract/leads/call-status.ts'
import type { SessionRow } from '../session/session.queries.ts'

/** A lead as its affiliate knows it: nothing of who took it. */
export function presentLead(row: SessionRow): z.input<typeof lead> {
  return {
    session_uuid: row.uuid,
    external_id: row.external_id,
    offer_uuid: row.offer_uuid,
    click_id: row.click_id,
    status: row.status,
    reason: row.reason,
    call_status: row.call_status as CallStatus | null, // nothing else is written
    country: row.country,
    received_at: row.received_at.toISOString(),
    changed_at: row.changed_at.toISOString(),
  }
}
