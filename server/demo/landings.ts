import { Transformer } from '@napi-rs/image'
import { sql } from 'kysely'
import { landingInput } from '#contract/offers/landing.ts'
import type { Actor } from '#server/access/actor.ts'
import { changeLandingStatus, createLanding, proposeLanding } from '#server/features/offers/landing/landing.service.ts'
import { keepRead } from '#server/features/network/file/file.service.ts'
import { readPicture, type Picture } from '#server/platform/files/picture.ts'
import type { FileStore } from '#server/platform/files/store.ts'
import { recordsOf } from '#server/platform/pg/bulk.ts'
import type { Db } from '#server/platform/pg/database.ts'
import type { DemoOffer, DemoPage } from './catalogue/plan.ts'
import { textAt } from './season.ts'

type Parts = { db: Db; store: FileStore; previewOf: PreviewOf }
/** `offered`: what the form of the offer names. */
export type DemoLandings = { offered: { landing_uuid: string; weight: number }[]; made: { uuid: string; page: DemoPage }[] }

const HOUR = 3_600_000

/** Makes the landings of an offer that somebody has decided on. */
export async function landingsOf(
  parts: Parts,
  plans: { at: number; now: number; admin: Actor; plan: DemoOffer; place: number; advertiser: string; affiliates: readonly string[] },
): Promise<DemoLandings> {
  const { at, now, admin, plan, place, advertiser, affiliates } = plans
  const pages: DemoLandings = { offered: [], made: [] }
  for (const [index, page] of plan.pages.entries()) {
    if (page.state === 'proposed') continue
    const form = {
      name: textAt(page.name, now),
      url: page.url,
      language: page.language,
      type: page.type ?? 'landing',
      tags: page.tags ?? [],
      privacy: page.only === undefined ? 'public' : 'private',
      advertiser_uuid: advertiser,
      affiliate_uuids: (page.only ?? []).flatMap((rank) => affiliates[rank] ?? []),
      preview: page.weight > 0 ? await keepPreview(parts, at, admin, place, index) : null,
      notes: '',
    } as const
    const uuid = await createLanding(parts.db, at, admin, landingInput.parse(form))
    pages.made.push({ uuid, page })
    if (page.state !== 'deleted') pages.offered.push({ landing_uuid: uuid, weight: page.weight })
  }
  return pages
}

/** Proposes, as the manager of an offer, the landings nobody has decided on yet. */
export async function proposeLandings(
  parts: Parts,
  { now, manager, plan, place, offerUuid }: { now: number; manager: Actor; plan: DemoOffer; place: number; offerUuid: string },
): Promise<void> {
  for (const { name, url, language, weight, state } of plan.pages) {
    if (state !== 'proposed') continue
    const preview = await keepPreview(parts, now, manager, place, 5)
    const proposal = { name: textAt(name, now), url, type: 'landing', language, preview, weight } as const
    await proposeLanding(parts.db, now - (2 + place * 3) * HOUR, manager, offerUuid, proposal)
  }
}

/** What became of the landings since, by the places of their offers: looked at, stopped and deleted. */
export async function settleLandings(
  db: Db,
  { now, admin, pages }: { now: number; admin: Actor; pages: ReadonlyMap<number, DemoLandings> },
): Promise<void> {
  const made = [...pages].flatMap(([place, of]) => of.made.map((one) => ({ place, ...one })))
  for (const { uuid, page, place } of made)
    if (page.state === 'stopped' || page.state === 'deleted')
      await changeLandingStatus(db, now - (6 + place) * 24 * HOUR, admin, { uuids: [uuid], status: page.state })
  // nobody answers at these addresses: what a look would have found is put down, and the next one is far away
  const looked = made.flatMap(({ uuid, page: { state } }) => {
    const [check_status, failures] = state === 'broken' ? [503, 4] : [200, 0]
    return state === 'unchecked' ? [] : [{ uuid, checked_at: new Date(now - HOUR / 2), check_status, failures }]
  })
  await sql`
    update landing l set checked_at = r.checked_at, check_status = r.check_status, failures = r.failures
      from ${recordsOf('landing', looked)} r where l.uuid = r.uuid`.execute(db)
  await db
    .updateTable('landing')
    .set({ next_check_at: new Date(now + 10 * 365 * 24 * HOUR) })
    .execute()
}

const HUES = [212, 152, 338, 28, 268, 190, 96]

/** What the page of an offer at a place in the list looks like. */
type PreviewOf = (place: number, page: number) => Promise<Picture>

/** Draws what pages might look like, each look once however many pages have it; every file belongs to one of them. */
export function openPreviews(): PreviewOf {
  const drawn = new Map<string, Promise<Picture>>()
  return (place, page) => {
    const hue = (HUES[place % HUES.length] ?? 30) + page * 14
    const name = `${hue} ${page}`
    const known = drawn.get(name) ?? drawPreview(hue, page)
    drawn.set(name, known)
    return known
  }
}

async function keepPreview({ db, store, previewOf }: Parts, at: number, actor: Actor, place: number, page: number): Promise<string> {
  return (await keepRead({ db, store }, at, actor, 'landing', await previewOf(place, page))).uuid
}

/** A head, a claim and a button, each page arranged a little differently. Read as an upload is. */
async function drawPreview(hue: number, page: number): Promise<Picture> {
  const x = page % 2 === 0 ? 40 : 240
  const bar = (y: number, width: number, height: number, fill: string) =>
    `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="6" fill="${fill}"/>`
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="512" height="320" viewBox="0 0 480 300">
    <rect width="480" height="300" fill="hsl(${hue}, 45%, 94%)"/><rect width="480" height="44" fill="hsl(${hue}, 55%, 38%)"/>
    <circle cx="${280 - x + 90}" cy="170" r="${56 + page * 4}" fill="hsl(${hue}, 50%, 74%)"/>
    ${bar(96, 200, 24, `hsl(${hue}, 40%, 24%)`)}${bar(132, 170, 12, `hsl(${hue}, 15%, 60%)`)}${bar(152, 150, 12, `hsl(${hue}, 15%, 60%)`)}
    ${bar(196, 120, 36, `hsl(${hue + 150}, 70%, 45%)`)}</svg>`
  // the library draws it at 1,024 by 640 and larger, which would take six times as long to encode
  const picture = Transformer.fromSvg(svg)
  picture.fastResize({ width: 480, height: 300 })
  const read = await readPicture(await picture.png())
  if (read === null) throw new Error('a preview of the demo cannot be read')
  return read
}
