import type { CallOutput } from '#contract/endpoint.ts'
import type { personApi } from '#contract/leads/person.ts'
import type { Actor } from '#server/access/actor.ts'
import { openLeadVault, type Told } from '#server/features/leads/session/vault.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { csvForPeople } from '#server/platform/csv.ts'
import { findOrThrow } from './person.service.ts'
import { listListsOf, listRecipientsOf, listSessionsOf, listVisitsOf } from './person.queries.ts'
import { refuseTelling } from './telling.ts'

const MOST = 5_000

/**
 * All that is held of somebody, in the clear, to hand over to them; passwords are left out. Written in the log before it is answered.
 * Throws `not_found`, `contacts_gone` of who was erased, and `invalid_input` where the reason tells who it is.
 */
export async function exportPerson(
  { db, secretKey }: { db: Db; secretKey: string | null },
  now: number,
  actor: Actor,
  uuid: string,
  { format, reason }: { format: 'json' | 'csv'; reason: string },
): Promise<CallOutput<typeof personApi.export>> {
  const vault = openLeadVault(secretKey)
  const open = (sealed: Buffer | null): Told => {
    const { password: _password, ...told } = sealed === null ? {} : vault.openTold(sealed)
    return Object.fromEntries(Object.entries(told).filter(([, value]) => value !== ''))
  }
  return db.transaction().execute(async (trx) => {
    const person = await findOrThrow(trx, uuid)
    if (person.erased_at !== null || person.sealed === null) throw new AppError('contacts_gone')
    refuseTelling('reason', reason, open(person.sealed))
    const sessions = (await listSessionsOf(trx, person.id, MOST)).map((row) => ({
      id: row.id,
      received_at: row.received_at.toISOString(),
      offer: row.offer,
      status: row.status,
      consent: row.consent ?? {},
      told: { ...open(row.sealed), landing_url: String(row.told['landing_url'] ?? ''), device: String(row.told['device'] ?? '') },
    }))
    const recipients = (await listRecipientsOf(trx, person.id, MOST)).map(({ asked_at, advertiser, status, session_id }) => ({
      at: asked_at.toISOString(),
      advertiser,
      status,
      session_id,
    }))
    const lists = (await listListsOf(trx, person.id, MOST)).map(({ title, added_at, sealed, consent, source }) => ({
      title,
      added_at: added_at.toISOString(),
      // where a file brought them: what it told, and where it came from
      ...(sealed !== null && { source: source ?? '', consent: consent ?? {}, told: open(sealed) }),
    }))
    const visits = (await listVisitsOf(trx, person.id, MOST)).map(({ at, ...one }) => ({ at: at.toISOString(), ...one }))
    const whole = {
      person: {
        id: person.id,
        first_seen_at: person.first_seen_at.toISOString(),
        last_seen_at: person.last_seen_at.toISOString(),
        country: person.country,
        ...open(person.sealed),
      },
      sessions,
      recipients,
      visits,
      lists,
    }
    await recordAudit(trx, actor, now, { action: 'export', entity: 'person', entityId: person.id, after: { reason, format } })
    const content = format === 'json' ? `${JSON.stringify(whole, null, 2)}\n` : csvForPeople(['of', 'field', 'value'], flat(whole))
    return { file_name: `person-${person.id}.${format}`, content }
  })
}

/** One row for each thing that is held: of what, and what. */
function flat(whole: Record<string, unknown>): string[][] {
  const rows: string[][] = []
  const walk = (of: string, field: string, value: unknown): void => {
    if (Array.isArray(value)) value.forEach((one, at) => walk(`${of}${field === '' ? '' : `.${field}`} ${at + 1}`, '', one))
    else if (value !== null && typeof value === 'object')
      for (const [name, one] of Object.entries(value)) walk(of, field === '' ? name : `${field}.${name}`, one)
    else rows.push([of, field, String(value ?? '')])
  }
  for (const [name, value] of Object.entries(whole)) walk(name, '', value)
  return rows
}
