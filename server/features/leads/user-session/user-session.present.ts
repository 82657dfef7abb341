import type { z } from 'zod'
import type { CallStatus } from '#contract/leads/call-status.ts'
import type { userSession } from '#contract/leads/user-session.ts'
import { maskedContact } from '#server/rules/lead/contact.ts'
import type { LeadVault } from '../session/vault.ts'
import type { SessionListRow } from './user-session.queries.ts'

/** A session as somebody may see it: who it is masked, the other side of it only where it is theirs. */
export function presentSession(row: SessionListRow, vault: LeadVault, staff: boolean, seesCold = false): z.input<typeof userSession> {
  const told = row.sealed === null ? {} : vault.openTold(row.sealed)
  return {
    uuid: row.uuid,
    id: row.id,
    received_at: row.received_at.toISOString(),
    changed_at: row.changed_at.toISOString(),
    status: row.status,
    reason: row.reason,
    call_status: row.call_status as CallStatus | null, // nothing else is written
    origin: row.origin,
    traffic_type: row.traffic_type,
    ...(seesCold && { recold: row.sees_recold ? named(row.recold_uuid, row.recold_number, row.recold_title) : null }),
    offer: { uuid: row.offer_uuid, id: row.offer_number, name: row.offer_title },
    affiliate: row.sees_affiliate ? { uuid: row.affiliate_uuid, id: row.affiliate_number, name: row.affiliate_name } : null,
    ...(staff && {
      advertiser: row.sees_advertiser ? named(row.advertiser_uuid, row.advertiser_number, row.advertiser_name) : null,
      product: row.sees_advertiser ? named(row.product_uuid, row.product_number, row.product_title) : null,
      last_answer: row.last_answer ?? '',
      sends: row.sends,
      integrity: row.integrity_verdict,
      next_try_at: row.status === 'queued' ? (row.next_try_at?.toISOString() ?? null) : null,
    }),
    ...maskedContact(told),
    gender: row.gender,
    country: row.country,
    os: textOf(row.told.os),
    device: textOf(row.told.device),
    browser: textOf(row.told.browser),
    click_id: row.click_id,
    external_id: row.external_id,
    source: textOf(row.told.source),
    sub1: Array.isArray(row.told.subs) ? textOf(row.told.subs[0]) : '',
  }
}

/** What a landing told beside the person, by the names of the lead API; what was not said is left out. */
export function openlyTold(told: Readonly<Record<string, unknown>>): Record<string, string> {
  const { subs, ...rest } = told
  const list = Array.isArray(subs) ? subs.map((sub, at) => [`sub${at + 1}`, textOf(sub)] as const) : []
  return Object.fromEntries(
    [...Object.entries(rest).map(([name, value]) => [name, textOf(value)] as const), ...list].filter(([, text]) => text !== ''),
  )
}

function named(uuid: string | null, id: number | null, name: string | null) {
  return uuid === null || id === null || name === null ? null : { uuid, id, name }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
