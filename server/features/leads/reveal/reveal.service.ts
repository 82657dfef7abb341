import type { z } from 'zod'
import type { CallOutput } from '#contract/endpoint.ts'
import { REVEALED_FIELDS, type revealApi } from '#contract/leads/reveal.ts'
import { securitySetting } from '#contract/people/security.ts'
import type { Actor } from '#server/access/actor.ts'
import { getSetting } from '#server/features/network/setting/setting.queries.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db, DbOrTrx } from '#server/platform/pg/database.ts'
import { lockName } from '#server/platform/pg/lock.ts'
import { openLeadVault, type Told } from '../session/vault.ts'
import { findSealed, insertReveal, revealedSince } from './reveal.queries.ts'

type Parts = { db: Db; secretKey: string | null }

const DAY = 86_400_000

/** Of how many more leads somebody may look at contacts. */
export async function showQuota(db: Db, now: number, actor: Actor): Promise<CallOutput<typeof revealApi.quota>> {
  return quotaOf(await mostOf(db, actor), await revealedSince(db, actor.accountId, new Date(now - DAY)))
}

/**
 * Shows the contacts of a lead in scope, once it is written who looked and why. Counted under a lock: of two at once, one for the last
 * place, the second is refused; the same lead again within 24 hours takes no further place. Throws `not_found`, `reveal_closed`,
 * `reveal_limit`, `contacts_gone`, and `invalid_input` where the note itself tells a contact, which would stand in the log.
 */
export async function revealContacts(
  { db, secretKey }: Parts,
  now: number,
  actor: Actor,
  key: string,
  { reason, note }: z.output<typeof revealApi.show.body>,
): Promise<CallOutput<typeof revealApi.show>> {
  return db.transaction().execute(async (trx) => {
    await lockName(trx, `reveal ${actor.accountId}`)
    const session = await findSealed(trx, actor.scope, key)
    if (session === undefined) throw new AppError('not_found')
    const most = await mostOf(trx, actor)
    if (most === 0) throw new AppError('reveal_closed')
    const seen = await revealedSince(trx, actor.accountId, new Date(now - DAY))
    const again = seen.some(({ sessionId }) => sessionId === session.id)
    const { left, next_at } = quotaOf(most, seen)
    if (!again && left === 0) throw new AppError('reveal_limit', { values: { most: String(most), time: next_at ?? '' } })
    if (session.sealed === null) throw new AppError('contacts_gone')
    const told = openLeadVault(secretKey).openTold(session.sealed)
    if (tellsContact(note, told))
      throw new AppError('invalid_input', { fields: { note: 'Leave the contact itself out: this stands in the log' } })
    const at = new Date(now)
    await insertReveal(trx, { session_id: session.id, account_id: actor.accountId, at, reason, note })
    await recordAudit(trx, actor, now, { action: 'reveal', entity: 'user_session', entityId: session.id, after: { reason, note } })
    const rest = seen.filter(({ sessionId }) => sessionId !== session.id)
    return { ...quotaOf(most, [...rest, { at }]), contacts: contactsOf(told) }
  })
}

async function mostOf(db: DbOrTrx, { role }: Actor): Promise<number> {
  if (role === 'affiliate') return 0
  return (await getSetting(db, securitySetting)).reveals[role]
}

/** `seen`: the longest ago first. */
function quotaOf(most: number, seen: readonly { at: Date }[]) {
  const left = Math.max(most - seen.length, 0)
  // where the limit was lowered since, more than one has to pass
  const next = left > 0 || most === 0 ? undefined : seen[seen.length - most]
  return { most, left, next_at: next === undefined ? null : new Date(next.at.getTime() + DAY).toISOString() }
}

/** What of a person may be told in the clear, as far as it is known. */
export function contactsOf(told: Told): Partial<Record<(typeof REVEALED_FIELDS)[number], string>> {
  return Object.fromEntries(REVEALED_FIELDS.flatMap((name) => (told[name] === undefined || told[name] === '' ? [] : [[name, told[name]]])))
}

/** Whether a sentence holds the telephone or the e-mail address it is said of. */
function tellsContact(note: string, { phone = '', email = '' }: Told): boolean {
  const [digits, said] = [phone.replace(/\D/g, '').slice(-8), note.replace(/\D/g, '')]
  return (email !== '' && note.toLowerCase().includes(email)) || (digits.length >= 6 && said.includes(digits))
}
