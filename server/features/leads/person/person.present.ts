import type { FoundPerson, RecipientNotice } from '#contract/leads/person.ts'
import type { LeadVault, Told } from '#server/features/leads/session/vault.ts'
import { maskedContact } from '#server/rules/lead/contact.ts'
import type { listNotices, PersonRow } from './person.queries.ts'

/** Somebody as they are shown: masked. */
export function presentPerson(row: PersonRow, vault: LeadVault): FoundPerson {
  const told: Told = row.sealed === null ? {} : vault.openTold(row.sealed)
  return {
    uuid: row.uuid,
    id: row.id,
    ...maskedContact(told),
    country: row.country,
    first_seen_at: row.first_seen_at.toISOString(),
    last_seen_at: row.last_seen_at.toISOString(),
    sessions: row.sessions,
    suppressed_at: row.suppressed_at?.toISOString() ?? null,
    restricted_at: row.restricted_at?.toISOString() ?? null,
    erased_at: row.erased_at?.toISOString() ?? null,
  }
}

/** Who has to be told of an erasure. */
export function presentNotice(row: Awaited<ReturnType<typeof listNotices>>[number]): RecipientNotice {
  const { uuid, leads, note, told_by } = row
  return {
    uuid,
    advertiser: { uuid: row.advertiser_uuid, id: row.advertiser_id, name: row.advertiser, email: row.email },
    first_at: row.first_at.toISOString(),
    last_at: row.last_at.toISOString(),
    leads,
    told_at: row.told_at?.toISOString() ?? null,
    told_by,
    note,
  }
}
