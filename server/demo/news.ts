import { Transformer } from '@napi-rs/image'
import type { Actor } from '#server/access/actor.ts'
import { keepRead } from '#server/features/network/file/file.service.ts'
import { changeNewsStatus, createNews } from '#server/features/network/news/news.service.ts'
import { readNews, readTold } from '#server/features/network/news/reader.queries.ts'
import { tellNews } from '#server/features/network/news/tell.jobs.ts'
import { readPicture } from '#server/platform/files/picture.ts'
import type { FileStore } from '#server/platform/files/store.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { demoNews } from './news-texts.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** Writes the news of the network, each when it came out; most people have read what is older than a few days. */
export async function makeNews({ db, store }: { db: Db; store: FileStore }, now: number, admin: Actor): Promise<void> {
  for (const { days, en, uk, hue, state, roles = [], geos = [], tags = [], pinned = false } of demoNews(now)) {
    const at = Math.min(now - days * DAY, now - 2 * HOUR)
    const cover = hue === undefined ? null : (await keepRead({ db, store }, at, admin, 'news', await drawCover(hue))).uuid
    const publish_at = days < 0 ? new Date(now - days * DAY).toISOString() : null
    const audience = { roles, geos, tags, pinned, publish_at }
    const uuid = await createNews(db, at, admin, { texts: { en, uk }, cover, publish: state !== 'draft', ...audience })
    // the bell rang then, not when the demo starts
    while (await tellNews(db, at + HOUR));
    if (state === 'archived') await changeNewsStatus(db, at + 3 * DAY, admin, { uuids: [uuid], status: 'archived' })
  }
  const people = await db.selectFrom('account').select('id').orderBy('id').execute()
  for (const { id } of people) {
    // whose login is printed is among those who were here last a week ago
    const until = new Date(now - (id % 4 === 0 ? 1 : 7) * DAY)
    await readNews(db, now, id, { until })
    await readTold(db, now, id)
  }
}

/** A banner of circles and hills in one colour, read as an upload is. */
async function drawCover(hue: number) {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="512" height="192" viewBox="0 0 960 360">
    <rect width="960" height="360" fill="hsl(${hue}, 55%, 88%)"/>
    <circle cx="720" cy="120" r="86" fill="hsl(${hue + 30}, 75%, 72%)"/>
    <path d="M0 290 Q200 150 430 260 T960 210 V360 H0Z" fill="hsl(${hue}, 48%, 62%)"/>
    <path d="M0 330 Q260 230 520 310 T960 280 V360 H0Z" fill="hsl(${hue}, 52%, 42%)"/></svg>`
  // drawn larger by the library than anybody needs, and larger takes longer to encode
  const picture = Transformer.fromSvg(svg)
  picture.fastResize({ width: 960, height: 360 })
  const read = await readPicture(await picture.png())
  if (read === null) throw new Error('a cover of the demo cannot be read')
  return read
}
