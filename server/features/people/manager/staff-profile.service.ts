import type { z } from 'zod'
import { staffProfileFields, type staffProfile, type staffProfileApi } from '#contract/people/own-profile.ts'
import type { Actor } from '#server/access/actor.ts'
import { isMailSetUp } from '#server/features/network/mail/smtp.queries.ts'
import { requireLanguage } from '#server/features/network/setting/general.service.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db, DbOrTrx } from '#server/platform/pg/database.ts'
import { pickFields } from '#server/platform/pg/fields.ts'
import { refuseStale } from '#server/platform/pg/version.ts'
import { updateAccount } from '../account/account.queries.ts'
import { recordAudit } from '../audit/audit.service.ts'
import { findWaitingEmail } from '../auth/link.queries.ts'
import { findStaffProfile, updateContacts } from './staff-profile.queries.ts'

/** The own profile of a member of staff. */
export async function readStaffProfile(db: DbOrTrx, now: number, actor: Actor): Promise<z.input<typeof staffProfile>> {
  const [row, mail, new_email] = await Promise.all([own(db, actor), isMailSetUp(db), findWaitingEmail(db, actor.accountId, now)])
  return { ...row, mail, new_email }
}

/** Changes it. Throws `conflict`, and `invalid_input` for a language that is not offered. */
export async function updateStaffProfile(
  db: Db,
  now: number,
  actor: Actor,
  { version, contacts, ...input }: z.output<typeof staffProfileApi.update.body>,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const row = await own(trx, actor, true)
    refuseStale(row, version)
    if (input.language !== row.language) await requireLanguage(trx, input.language)
    await updateAccount(trx, actor.accountId, input)
    await updateContacts(trx, actor.accountId, contacts)
    const change = { before: pickFields(row, staffProfileFields), after: { ...input, contacts } }
    await recordAudit(trx, actor, now, { action: 'update', entity: 'account', entityId: actor.accountId, ...change })
  })
}

async function own(db: DbOrTrx, actor: Actor, lock = false) {
  const row = await findStaffProfile(db, actor.accountId, lock)
  if (row === undefined || row.role === 'affiliate') throw new AppError('not_found')
  return { ...row, role: row.role }
}
