import type { z } from 'zod'
import type { CallOutput } from '#contract/endpoint.ts'
import type { personApi } from '#contract/leads/person.ts'
import type { Actor } from '#server/access/actor.ts'
import { openLeadVault } from '#server/features/leads/session/vault.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db, DbOrTrx } from '#server/platform/pg/database.ts'
import { canonicalEmail, canonicalPhone } from '#server/rules/lead/contact.ts'
import { optOutToken } from '../opt-out/opt-out-token.ts'
import { lockWhole } from './erase.service.ts'
import { presentNotice, presentPerson } from './person.present.ts'
import {
  findPeople,
  findPerson,
  listListsOf,
  listNotices,
  listRecipientsOf,
  listRevealsOf,
  listSessionsOf,
  markTold,
  updatePerson,
  type PersonRow,
} from './person.queries.ts'
import { refuseTelling } from './telling.ts'

type Parts = { db: Db; secretKey: string | null }

/** People of a whole contact, or of a lead. */
export async function findByContact({ db, secretKey }: Parts, search: string): Promise<CallOutput<typeof personApi.find>> {
  const vault = openLeadVault(secretKey)
  const [email, phone] = [canonicalEmail(search), canonicalPhone(search, '')]
  const rows = await findPeople(db, {
    phone: phone === undefined ? null : vault.hash('phone', phone),
    email: email.includes('@') ? vault.hash('email', email) : null,
    session: email,
  })
  return { list: rows.map((row) => presentPerson(row, vault)) }
}

/** What is held of somebody, masked. Throws `not_found`. */
export async function showPerson({ db, secretKey }: Parts, panel: string, uuid: string): Promise<CallOutput<typeof personApi.get>> {
  const person = await findOrThrow(db, uuid)
  const [sessions, recipients, lists, reveals, notices] = await Promise.all([
    listSessionsOf(db, person.id),
    listRecipientsOf(db, person.id),
    listListsOf(db, person.id),
    listRevealsOf(db, person.id),
    listNotices(db, person.id),
  ])
  return {
    ...presentPerson(person, openLeadVault(secretKey)),
    opt_out_url: `${panel}/opt-out/${optOutToken(secretKey, person.uuid)}`,
    sessions_list: sessions.map(({ uuid: of, id, received_at, offer, affiliate, status, consent }) => ({
      uuid: of,
      id,
      received_at: received_at.toISOString(),
      offer,
      affiliate,
      status,
      consent_at: textOf(consent?.['given_at']),
      consent_proof: textOf(consent?.['proof_url']),
    })),
    recipients: recipients.map(({ asked_at, advertiser, product, status, session_id, external_id }) => ({
      at: asked_at.toISOString(),
      advertiser,
      product,
      status,
      session_id,
      external_id: external_id ?? '',
    })),
    lists: lists.map(({ title, added_at, removed_at }) => ({
      title,
      added_at: added_at.toISOString(),
      removed_at: removed_at?.toISOString() ?? null,
    })),
    reveals: reveals.map(({ at, by, reason, note }) => ({ at: at.toISOString(), by, reason, note })),
    notices: notices.map(presentNotice),
  }
}

/** Keeps somebody from being offered, or lets them be offered again; twice changes it once. Throws `not_found`, `invalid_input`. */
export async function restrictPerson(
  { db, secretKey }: Parts,
  now: number,
  actor: Actor,
  uuid: string,
  { restricted, reason }: z.output<typeof personApi.restrict.body>,
): Promise<CallOutput<typeof personApi.restrict>> {
  return db.transaction().execute(async (trx) => {
    const { person } = await lockWhole(trx, uuid)
    if (person.sealed !== null) refuseTelling('reason', reason, openLeadVault(secretKey).openTold(person.sealed))
    if ((person.restricted_at !== null) === restricted) return { changed: 0 }
    await updatePerson(trx, person.id, { restricted_at: restricted ? new Date(now) : null })
    const change = { before: { restricted: !restricted }, after: { restricted, reason } }
    await recordAudit(trx, actor, now, { action: 'restrict', entity: 'person', entityId: person.id, ...change })
    return { changed: 1 }
  })
}

/** Notes that advertisers were told of an erasure. */
export async function noteTold(
  db: Db,
  now: number,
  actor: Actor,
  { uuids, note }: z.output<typeof personApi.told.body>,
): Promise<CallOutput<typeof personApi.told>> {
  return db.transaction().execute(async (trx) => {
    const told = await markTold(trx, uuids, { told_at: new Date(now), told_by: actor.accountId, note })
    await recordAudit(
      trx,
      actor,
      now,
      told.map(({ person_id, advertiser_id }) => ({
        action: 'tell_recipient',
        entity: 'person' as const,
        entityId: person_id,
        after: { advertiser_id, note },
      })),
    )
    return { changed: told.length }
  })
}

/** Whom nobody has told yet. */
export async function showToTell(db: Db): Promise<CallOutput<typeof personApi.toTell>> {
  const rows = await listNotices(db, null)
  return {
    list: rows.map((row) => ({
      ...presentNotice(row),
      person_uuid: row.person_uuid,
      erased_at: (row.erased_at ?? row.last_at).toISOString(),
    })),
  }
}

/** A person by uuid. Throws `not_found`. */
export async function findOrThrow(db: DbOrTrx, uuid: string): Promise<PersonRow> {
  const person = await findPerson(db, uuid)
  if (person === undefined) throw new AppError('not_found')
  return person
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
