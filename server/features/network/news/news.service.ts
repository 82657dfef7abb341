import type { z } from 'zod'
import type { newsApi, newsFields, NewsInput, NewsStatus, NewsTexts, newsUpdate } from '#contract/network/news.ts'
import { MOST_NEWS_PICTURES } from '#contract/network/news.ts'
import { may, type Actor } from '#server/access/actor.ts'
import { AppError } from '#server/platform/errors.ts'
import type { FileStore } from '#server/platform/files/store.ts'
import type { Db, Trx } from '#server/platform/pg/database.ts'
import { refuseStale } from '#server/platform/pg/version.ts'
import { copyPicture, showPictures } from '#server/features/network/file/file.service.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import { keptTexts, picturesIn, withPictures } from './news-text.ts'
import { getWritten, insertNews, lockWritten, showCover, updateNews, type WrittenRow } from './news.queries.ts'
import { mayRead } from './reader.queries.ts'

type Written = z.output<z.ZodObject<typeof newsFields>>

/** Writes news: a draft, or published at their moment. Answers their uuid. Throws `unknown_reference`, `invalid_input`. */
export function createNews(db: Db, now: number, actor: Actor, { publish, ...input }: NewsInput): Promise<string> {
  const texts = keptTexts(input.texts)
  const moments = publish ? published(now, input.publish_at) : { status: 'draft' as const, publish_at: dateOf(input.publish_at) }
  return db.transaction().execute(async (trx) => {
    const { id, uuid } = await insertNews(trx, {
      ...columnsOf({ ...input, cover: null }, texts),
      ...moments,
      created_by: actor.accountId,
      created_at: new Date(now),
      updated_at: new Date(now),
    })
    await keepPictures(trx, now, actor, id, { texts, cover: input.cover })
    await showCover(trx, id, input.cover)
    await recordAudit(trx, actor, now, {
      action: 'create',
      entity: 'news',
      entityId: id,
      after: { ...input, texts, status: moments.status },
    })
    return uuid
  })
}

/** Changes news; they stay a draft, published or archived. Throws `not_found`, `conflict`, `unknown_reference`, `invalid_input`. */
export async function updateNewsOf(
  db: Db,
  now: number,
  actor: Actor,
  key: string,
  { version, ...input }: z.output<typeof newsUpdate>,
): Promise<void> {
  const texts = keptTexts(input.texts)
  await db.transaction().execute(async (trx) => {
    const before = await getWritten(trx, now, key, true)
    if (before === undefined) throw new AppError('not_found')
    refuseStale(before, version)
    // what is out without a moment came out when it did
    const publish_at = before.stored === 'published' ? (dateOf(input.publish_at) ?? before.publish_at) : dateOf(input.publish_at)
    await keepPictures(trx, now, actor, before.id, { texts, cover: input.cover })
    await updateNews(trx, [before.id], { ...columnsOf(input, texts), publish_at, updated_at: new Date(now) })
    const change = { before: logged(before), after: { ...input, texts, publish_at: publish_at?.toISOString() ?? null } }
    await recordAudit(trx, actor, now, { action: 'update', entity: 'news', entityId: before.id, ...change })
  })
}

/** Makes a draft of the same texts, with copies of the pictures: a file belongs to one thing. Throws `not_found`. */
export function duplicateNews({ db, store }: { db: Db; store: FileStore }, now: number, actor: Actor, key: string) {
  return db.transaction().execute(async (trx) => {
    const source = await getWritten(trx, now, key)
    if (source === undefined) throw new AppError('not_found')
    const { roles, geos, tags } = source
    const at = new Date(now)
    const made = await insertNews(trx, {
      texts: source.texts,
      roles,
      geos,
      tags,
      created_by: actor.accountId,
      created_at: at,
      updated_at: at,
    })
    const copies = new Map<string, string>()
    for (const uuid of [...picturesIn(source.texts), ...(source.cover === null ? [] : [source.cover])]) {
      const copy = copies.has(uuid) ? null : await copyPicture({ trx, store }, now, actor, uuid, { kind: 'news', ownerId: made.id })
      if (copy !== null) copies.set(uuid, copy)
    }
    const texts = withPictures(named(source.texts), copies)
    await updateNews(trx, [made.id], { texts, cover: copies.get(source.cover ?? '') ?? null })
    const after = { texts, roles, geos, tags, status: 'draft' }
    await recordAudit(trx, actor, now, { action: 'duplicate', entity: 'news', entityId: made.id, after })
    return made
  })
}

/**
 * Publishes news at once, or at their own moments, withdraws them to drafts, or archives them. Answers how many changed.
 * Throws `status_not_allowed` where one is to wait for a moment it does not name.
 */
export function changeNewsStatus(
  db: Db,
  now: number,
  actor: Actor,
  { uuids, status, expected }: z.output<typeof newsApi.setStatus.body>,
): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const changing = await lockWritten(trx, now, { uuids, status, expected })
    if (status === 'scheduled' && changing.some(({ publish_at }) => publish_at === null || publish_at.getTime() <= now))
      throw new AppError('status_not_allowed', { fields: { uuids: 'Say first when it is to be published' } })
    const stored = storedAs(status)
    for (const one of changing) {
      const soon = status === 'published' && (one.publish_at === null || one.publish_at.getTime() > now)
      await updateNews(trx, [one.id], { status: stored, updated_at: new Date(now), ...(soon && { publish_at: new Date(now) }) })
    }
    await recordAudit(
      trx,
      actor,
      now,
      changing.map(({ id, shown, publish_at }) => ({
        action: 'set_status',
        entity: 'news',
        entityId: id,
        before: { status: shown, publish_at: publish_at?.toISOString() ?? null },
        after: { status, publish_at: status === 'published' ? new Date(now).toISOString() : (publish_at?.toISOString() ?? null) },
      })),
    )
    return changing.length
  })
}

/** Whether somebody may see the pictures of news: who writes them, and those they are for. */
export async function maySeeNews(db: Db, actor: Actor, newsId: number, now: number): Promise<boolean> {
  return may(actor, 'news.write') || mayRead(db, now, actor.accountId, newsId)
}

/** What is stored for a status as it is shown. */
export function storedAs(status: NewsStatus): 'draft' | 'published' | 'archived' {
  return status === 'scheduled' ? 'published' : status
}

function published(now: number, at: string | null) {
  return { status: 'published' as const, publish_at: dateOf(at) ?? new Date(now) }
}

function dateOf(moment: string | null): Date | null {
  return moment === null ? null : new Date(moment)
}

function columnsOf({ cover, roles, geos, tags, pinned }: Written, texts: NewsTexts) {
  return { texts, cover, roles, geos, tags, pinned }
}

/** What the log compares. */
function logged({ texts, cover, roles, geos, tags, pinned, publish_at }: WrittenRow) {
  return { texts, cover, roles, geos, tags, pinned, publish_at: publish_at?.toISOString() ?? null }
}

async function keepPictures(
  trx: Trx,
  now: number,
  actor: Actor,
  id: number,
  { texts, cover }: { texts: NewsTexts; cover: string | null },
): Promise<void> {
  const inside = picturesIn(texts)
  if (inside.length > 2 * MOST_NEWS_PICTURES) throw new AppError('invalid_input', { fields: { texts: 'At most 20 pictures in a text' } })
  const pictures = [
    ...inside.filter((uuid) => uuid !== cover).map((uuid) => ({ uuid, field: 'texts' })),
    ...(cover === null ? [] : [{ uuid: cover, field: 'cover' }]),
  ]
  await showPictures(trx, now, actor, { kind: 'news', ownerId: id }, pictures)
}

/** The texts of a copy: their titles say what they are. */
function named(texts: NewsTexts): NewsTexts {
  const of = (text: NewsTexts['en'], copy: string) =>
    text.title === '' ? text : { ...text, title: `${text.title.slice(0, 138)} (${copy})` }
  return { en: of(texts.en, 'copy'), uk: of(texts.uk, 'копія') }
}
