import type { z } from 'zod'
import type { CallStatus } from '#contract/leads/call-status.ts'
import type { leadListItem, UNSENDABLE } from '#contract/leads/lead-list.ts'
import type { LeadVault } from '#server/features/leads/session/vault.ts'
import { maskedContact } from '#server/rules/lead/contact.ts'
import type { ItemRow } from './item.queries.ts'

/** Somebody of a list, masked as what brought them tells it. */
export function presentItem(row: ItemRow, vault: LeadVault): z.input<typeof leadListItem> {
  const sealed = row.own_sealed ?? row.session_sealed ?? row.person_sealed
  const told = sealed === null ? {} : vault.openTold(sealed)
  return {
    id: row.id,
    source: row.source,
    via: row.via,
    added_at: row.added_at.toISOString(),
    added_by: row.added_by ?? '',
    removed_at: row.removed_at?.toISOString() ?? null,
    unsendable: whyNot(row),
    ...maskedContact(told),
    country: row.country,
    session: row.session_uuid === null || row.session_id === null ? null : { uuid: row.session_uuid, id: row.session_id },
    received_at: row.received_at?.toISOString() ?? null,
    status: row.status,
    call_status: row.call_status as CallStatus | null, // nothing else is written
    offer: row.offer,
    affiliate: row.affiliate,
    conversion:
      row.conversion_uuid === null || row.conversion_id === null || row.conversion_status === null
        ? null
        : { uuid: row.conversion_uuid, id: row.conversion_id, status: row.conversion_status, reason: row.conversion_reason ?? '' },
    file: row.file_name,
    sends: row.sends,
  }
}

function whyNot({ removed_at, erased_at, restricted_at, suppressed_at, test }: ItemRow): (typeof UNSENDABLE)[number] | null {
  if (removed_at !== null) return 'removed'
  if (erased_at !== null) return 'erased'
  if (restricted_at !== null) return 'restricted'
  return suppressed_at !== null ? 'suppressed' : test ? 'test' : null
}
