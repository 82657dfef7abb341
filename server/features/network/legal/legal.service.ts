import type { z } from 'zod'
import type { legalApi } from '#contract/network/legal.ts'
import type { Actor } from '#server/access/actor.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db, DbOrTrx } from '#server/platform/pg/database.ts'
import { cleanHtml } from '#server/platform/rich-text.ts'
import { findLatestText, insertAcceptances, insertText, listCurrentTexts, lockText } from './legal.queries.ts'

/**
 * Publishes the next version of a text, cleaned of all that is no text. What was published stays as it was.
 * Throws `conflict` when somebody published one since it was written, `invalid_input` where nothing is left or nothing changed.
 */
export async function publishText(
  db: Db,
  now: number,
  actor: Actor,
  { kind, language, version, html, note }: z.output<typeof legalApi.publish.body>,
): Promise<void> {
  const clean = cleanHtml(html).trim()
  if (clean.replace(/<[^>]*>|&nbsp;|\s/g, '') === '') throw new AppError('invalid_input', { fields: { html: 'Required' } })
  await db.transaction().execute(async (trx) => {
    await lockText(trx, kind, language)
    const latest = await findLatestText(trx, kind, language)
    if ((latest?.version ?? 0) !== version) throw new AppError('conflict')
    if (latest?.html === clean) throw new AppError('invalid_input', { fields: { html: 'This is the text that is published already' } })
    const next = { kind, language, version: version + 1, note }
    await insertText(trx, { ...next, html: clean, published_at: new Date(now), published_by: actor.accountId })
    await recordAudit(trx, actor, now, { action: 'publish', entity: 'legal_text', entityId: `${kind} ${language}`, after: next })
  })
}

/**
 * Keeps that an affiliate accepted the texts that hold now, which `accepted` has to name by uuid: nobody agrees to what they
 * were not shown. Throws `invalid_input`.
 */
export async function acceptTexts(
  trx: DbOrTrx,
  now: number,
  by: { affiliateId: number; address: string },
  language: 'en' | 'uk',
  accepted: readonly string[],
): Promise<void> {
  const current = await requireAccepted(trx, language, accepted)
  await insertAcceptances(
    trx,
    current.map(({ id }) => ({ legal_text_id: id, affiliate_id: by.affiliateId, accepted_at: new Date(now), address: by.address })),
  )
}

/** The texts that hold now, all of which were accepted. Throws `invalid_input`. */
export async function requireAccepted(db: DbOrTrx, language: 'en' | 'uk', accepted: readonly string[]) {
  const current = await listCurrentTexts(db, language)
  if (current.every(({ uuid }) => accepted.includes(uuid))) return current
  const other = accepted.some((uuid) => current.every((text) => text.uuid !== uuid))
  throw new AppError('invalid_input', {
    fields: { accepted: other ? 'These texts have changed since you opened them. Please read them again' : 'Please accept them to go on' },
  })
}
