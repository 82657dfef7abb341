import type { z } from 'zod'
import type { CallOutput } from '#contract/endpoint.ts'
import type { personApi } from '#contract/leads/person.ts'
import type { Actor } from '#server/access/actor.ts'
import { openLeadVault } from '#server/features/leads/session/vault.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import { AppError, type FieldErrors } from '#server/platform/errors.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { canonicalEmail, canonicalPhone, isEmail } from '#server/rules/lead/contact.ts'
import { lockWhole } from './erase.service.ts'
import { findOther, listToldInFiles, sealItems, sealSessions, updatePerson } from './person.queries.ts'
import { refuseTelling } from './telling.ts'

/**
 * Mends who somebody is, in the person, in all their sessions and in what files told of them, with the hashes they are found by. Throws `not_found`,
 * `contacts_gone`, and `invalid_input` at what is no contact, at contacts another person has, and at a reason that tells who it is.
 */
export async function rectifyPerson(
  { db, secretKey }: { db: Db; secretKey: string | null },
  now: number,
  actor: Actor,
  uuid: string,
  { reason, ...asked }: z.output<typeof personApi.rectify.body>,
): Promise<CallOutput<typeof personApi.rectify>> {
  const vault = openLeadVault(secretKey)
  return db.transaction().execute(async (trx) => {
    const { person, sessions } = await lockWhole(trx, uuid)
    if (person.erased_at !== null || person.sealed === null) throw new AppError('contacts_gone')
    const told = vault.openTold(person.sealed)
    const { mended, mistakes } = read(asked, told, person.country)
    if (Object.keys(mistakes).length > 0) throw new AppError('invalid_input', { fields: mistakes })
    refuseTelling('reason', reason, told)
    refuseTelling('reason', reason, { ...told, ...mended })
    const changed = Object.keys(mended).filter((name) => mended[name] !== (told[name] ?? ''))
    if (changed.length === 0) return { changed }
    const now_told = { ...told, ...mended }
    const hashes = {
      phone_hash: (now_told.phone ?? '') === '' ? null : vault.hash('phone', now_told.phone ?? ''),
      email_hash: (now_told.email ?? '') === '' ? null : vault.hash('email', now_told.email ?? ''),
    }
    const other = await findOther(trx, person.id, hashes, person.test)
    if (other !== undefined)
      throw new AppError('invalid_input', {
        fields: { [changed.includes('email') ? 'email' : 'phone']: 'Another person has these contacts' },
      })
    await updatePerson(trx, person.id, { sealed: vault.sealTold(now_told), ...hashes })
    const anew = (rows: readonly { id: string; sealed: Buffer | null }[]) =>
      rows.flatMap(({ id, sealed }) => (sealed === null ? [] : [{ id, sealed: vault.sealTold({ ...vault.openTold(sealed), ...mended }) }]))
    await sealSessions(trx, anew(sessions))
    await sealItems(trx, anew(await listToldInFiles(trx, person.id)))
    // which, never what: this stands for good
    await recordAudit(trx, actor, now, {
      action: 'rectify',
      entity: 'person',
      entityId: person.id,
      after: { fields: changed.join(', '), reason },
    })
    return { changed }
  })
}

function read(
  asked: Omit<z.output<typeof personApi.rectify.body>, 'reason'>,
  told: Readonly<Record<string, string>>,
  country: string,
): { mended: Record<string, string>; mistakes: FieldErrors } {
  const mistakes: FieldErrors = {}
  const mended: Record<string, string> = {}
  for (const name of ['first_name', 'last_name'] as const) if (asked[name] !== undefined) mended[name] = asked[name]
  if (asked.email !== undefined) {
    mended.email = canonicalEmail(asked.email)
    if (mended.email !== '' && !isEmail(mended.email)) mistakes.email = 'This is not an e-mail address'
  }
  if (asked.phone !== undefined) {
    const phone = asked.phone === '' ? '' : canonicalPhone(asked.phone, country)
    if (phone === undefined) mistakes.phone = 'This is no telephone number of its country'
    else mended.phone = phone
  }
  const left = { ...told, ...mended }
  if ((left.email ?? '') === '' && (left.phone ?? '') === '') mistakes.email = 'Required'
  return { mended, mistakes }
}
