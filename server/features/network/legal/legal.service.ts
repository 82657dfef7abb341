import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import type { legalApi } from '#contract/network/legal.ts'
import type { Actor } from '#server/access/actor.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import { AppError } from '#server/platform/errors.ts'
import { isoDates } from '#server/platform/iso-dates.ts'
import type { Db, DbOrTrx, Trx } from '#server/platform/pg/database.ts'
import { cleanHtml } from '#server/platform/rich-text.ts'
import {
  deleteDraft,
  findDraft,
  findLatestText,
  insertAcceptances,
  insertText,
  listCurrentTexts,
  lockText,
  storeDraft,
} from './legal.queries.ts'

type Which = Pick<z.output<typeof legalApi.current.body>, 'kind' | 'language'>

/** The text that holds, and what is being written over it. */
export async function readWritten(db: DbOrTrx, { kind, language }: Which): Promise<z.input<typeof legalApi.current.response>> {
  const [text, draft] = [await findLatestText(db, kind, language), await findDraft(db, kind, language)]
  return {
    text: text === undefined ? null : isoDates(text),
    version: text?.version ?? 0,
    html: draft?.html ?? text?.html ?? '',
    draft: { revision: draft?.revision ?? null, saved_at: draft?.saved_at.toISOString() ?? null, saved_by: draft?.saved_by ?? '' },
  }
}

/** Keeps the next version while it is written. Throws `conflict` when somebody saved or published one since, `invalid_input` where nothing is left. */
export async function saveDraft(
  db: Db,
  now: number,
  actor: Actor,
  { kind, language, draft, html: typed }: z.output<typeof legalApi.saveDraft.body>,
): Promise<void> {
  const html = cleanText(typed)
  await db.transaction().execute(async (trx) => {
    const before = await lockDraft(trx, { kind, language }, draft)
    const saved = { kind, language, html, revision: randomUUID(), saved_at: new Date(now), saved_by: actor.accountId }
    await storeDraft(trx, saved)
    const change = { before: { draft: before?.html ?? '' }, after: { draft: html } }
    await recordAudit(trx, actor, now, { action: 'save_draft', entity: 'legal_text', entityId: `${kind} ${language}`, ...change })
  })
}

/** Throws a draft away. Throws `conflict` when somebody saved another one since, or it is gone. */
export async function discardDraft(
  db: Db,
  now: number,
  actor: Actor,
  { kind, language, draft }: z.output<typeof legalApi.discardDraft.body>,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const before = await lockDraft(trx, { kind, language }, draft)
    await deleteDraft(trx, kind, language)
    const entry = { action: 'discard_draft', entity: 'legal_text', entityId: `${kind} ${language}` } as const
    await recordAudit(trx, actor, now, { ...entry, before: { draft: before?.html ?? '' } })
  })
}

/** Waits for others who write the same text, and answers its draft. Throws `conflict` where that is another than the one written over. */
async function lockDraft(trx: Trx, { kind, language }: Which, seen: string | null) {
  await lockText(trx, kind, language)
  const found = await findDraft(trx, kind, language)
  if ((found?.revision ?? null) !== seen) throw new AppError('conflict')
  return found
}

/** A text without all that is no text. Throws `invalid_input` where nothing is left. */
export function cleanText(html: string): string {
  const clean = cleanHtml(html).trim()
  if (clean.replace(/<[^>]*>|&nbsp;|\s/g, '') === '') throw new AppError('invalid_input', { fields: { html: 'Required' } })
  return clean
}

/**
 * Publishes the next version of a text, cleaned of all that is no text. What was published stays as it was, its draft is gone.
 * Throws `conflict` when somebody published one or saved a draft since it was written, `invalid_input` where nothing is left or nothing changed.
 */
export async function publishText(
  db: Db,
  now: number,
  actor: Actor,
  { kind, language, version, draft = null, html, note }: z.input<typeof legalApi.publish.body>,
): Promise<void> {
  const clean = cleanText(html)
  await db.transaction().execute(async (trx) => {
    await lockDraft(trx, { kind, language }, draft)
    const latest = await findLatestText(trx, kind, language)
    if ((latest?.version ?? 0) !== version) throw new AppError('conflict')
    if (latest?.html === clean) throw new AppError('invalid_input', { fields: { html: 'This is the text that is published already' } })
    const next = { kind, language, version: version + 1, note }
    await deleteDraft(trx, kind, language)
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
