import { isOpenLead } from '#server/rules/lead/states.ts'
import type { z } from 'zod'
import type { lead, LeadStatus, toldLead } from '#contract/leads/lead.ts'
import { amountText } from '#contract/money/amount.ts'
import type { CallStatus } from '#contract/leads/call-status.ts'
import { maskedContact } from '#server/rules/lead/contact.ts'
import type { SessionRow } from '../session/session.queries.ts'
import type { LeadVault } from '../session/vault.ts'
import type { Booked, ToldRow } from './lead.queries.ts'

/** A lead as its affiliate knows it: nothing of who took it. `known`: it is answered again. */
export function presentLead(row: SessionRow, known = false): z.input<typeof lead> {
  return {
    session_uuid: row.uuid,
    lead_id: row.id,
    external_id: row.external_id,
    offer_uuid: row.offer_uuid,
    click_id: row.click_id,
    status: row.status,
    duplicate: known || row.status === 'duplicate',
    reason: row.reason,
    call_status: row.call_status as CallStatus | null, // nothing else is written
    country: row.country,
    received_at: row.received_at.toISOString(),
    changed_at: row.changed_at.toISOString(),
  }
}

/** The same with masked contacts, what was sent beside the person, and what it was booked as. */
export function presentTold(row: ToldRow, booked: readonly Booked[], vault: LeadVault): z.input<typeof toldLead> {
  const { email, phone } = maskedContact(row.sealed === null ? {} : vault.openTold(row.sealed))
  const { source, subs } = row.told
  const names = Array.isArray(subs) ? subs.map((sub: unknown, at) => [`sub${at + 1}`, textOf(sub)] as const) : []
  return {
    ...presentLead(row),
    email,
    phone,
    source: textOf(source),
    subs: Object.fromEntries(names.filter(([, text]) => text !== '')),
    goals: booked.flatMap(({ click_id, at, payout, ...one }) =>
      click_id === row.click_id ? [{ ...one, goal: one.goal || null, payout: amountText(payout), at: at.toISOString() }] : [],
    ),
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** How a lead that was taken in is answered; 202: what becomes of it is not known yet. */
export function codeOf(status: LeadStatus, known: boolean): number {
  if (known) return 200
  return isOpenLead(status) ? 202 : 201
}
