import { Transformer } from '@napi-rs/image'
import { landingInput, type LandingInput } from '#contract/offers/landing.ts'
import type { Actor } from '#server/access/actor.ts'
import { createLanding, proposeLanding } from '#server/features/offers/landing/landing.service.ts'
import { keepPicture, openRefusedLimit } from '#server/features/network/file/file.service.ts'
import type { FileStore } from '#server/platform/files/store.ts'
import type { Db } from '#server/platform/pg/database.ts'

type Parts = { db: Db; store: FileStore }

type Plan = Pick<LandingInput, 'name' | 'url' | 'language'> & {
  type?: LandingInput['type']
  tags?: string[]
  weight: number
  broken?: true
  /** Places of the affiliates a private one is for. */
  only?: number[]
}

const address = (host: string, path: string) => `https://${host}.example/${path}?click={click_id}&lp={landing_id}`

/** Landings by the place of their offer in the demo's list: split tests, and one offer with a pre-landing. */
const LANDINGS: readonly (readonly Plan[])[] = [
  [
    { name: 'Finova – 75 € bonus', url: address('finova', 'bonus'), language: 'de', tags: ['bonus'], weight: 60 },
    { name: 'Finova – five-minute account', url: address('finova', 'quick'), language: 'de', weight: 30 },
    { name: 'Finova – students', url: address('finova', 'campus'), language: 'de', tags: ['students'], weight: 10 },
    { name: 'Finova – comparison', url: address('kontovergleich', 'finova'), language: 'de', type: 'prelanding', weight: 100 },
    { name: 'Finova – Nordlicht readers', url: address('finova', 'nordlicht'), language: 'de', weight: 0, only: [1] },
  ],
  [
    { name: 'Kredyt24 – calculator', url: address('kredyt24', 'kalkulator'), language: 'pl', weight: 50 },
    { name: 'Kredyt24 – short form', url: address('kredyt24', 'wniosek'), language: 'pl', weight: 50 },
  ],
  [
    { name: 'Крамниця – літній розпродаж', url: address('kramnytsia', 'summer'), language: 'uk', tags: ['sale'], weight: 70 },
    { name: 'Крамниця – подарунок', url: address('kramnytsia', 'gift'), language: 'uk', weight: 30 },
    { name: 'Крамниця – minus 50 %', url: address('kramnytsia', 'half'), language: 'uk', weight: 0, broken: true },
  ],
]

/** Makes the landings of the offer at a place; answers what its form names. */
export async function makeLandings(
  { db, store }: Parts,
  plans: { at: number; now: number; admin: Actor; place: number; advertiser: string | null; affiliates: readonly string[] },
): Promise<{ landing_uuid: string; weight: number }[]> {
  const { at, now, admin, place, advertiser, affiliates } = plans
  const made: { landing_uuid: string; weight: number }[] = []
  for (const { weight, broken, only, ...plan } of LANDINGS[place] ?? []) {
    const form = {
      type: 'landing',
      tags: [],
      privacy: only === undefined ? 'public' : 'private',
      advertiser_uuid: advertiser,
      affiliate_uuids: (only ?? []).flatMap((rank) => affiliates[rank] ?? []),
      preview: await keepPreview({ db, store }, at, admin, place, made.length),
      notes: '',
      ...plan,
    } as const
    const uuid = await createLanding(db, at, admin, landingInput.parse(form))
    // nobody answers at these addresses: what a look would have found is put down, and the next one is far away
    await db
      .updateTable('landing')
      .set({
        checked_at: new Date(now - 1_800_000),
        check_status: broken ? 503 : 200,
        failures: broken ? 4 : 0,
        next_check_at: new Date(now + 10 * 365 * 86_400_000),
      })
      .where('uuid', '=', uuid)
      .execute()
    made.push({ landing_uuid: uuid, weight })
  }
  return made
}

/** What a manager has proposed at an offer and nobody has decided yet. */
export async function proposeDemoLanding({ db, store }: Parts, at: number, manager: Actor, offerUuid: string): Promise<void> {
  const proposal = {
    name: 'Finova – autumn bonus',
    url: address('finova', 'herbst'),
    type: 'landing',
    language: 'de',
    preview: await keepPreview({ db, store }, at, manager, 0, 5),
    weight: 50,
  } as const
  await proposeLanding(db, at, manager, offerUuid, proposal)
}

const HUES = [212, 152, 338]

/** What a page might look like: a head, a claim and a button, each page arranged a little differently. Answers the file. */
async function keepPreview({ db, store }: Parts, at: number, actor: Actor, place: number, page: number): Promise<string> {
  const hue = (HUES[place] ?? 30) + page * 14
  const x = page % 2 === 0 ? 40 : 240
  const bar = (y: number, width: number, height: number, fill: string) =>
    `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="6" fill="${fill}"/>`
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="320" height="200" viewBox="0 0 480 300">
    <rect width="480" height="300" fill="hsl(${hue}, 45%, 94%)"/><rect width="480" height="44" fill="hsl(${hue}, 55%, 38%)"/>
    <circle cx="${280 - x + 90}" cy="170" r="${56 + page * 4}" fill="hsl(${hue}, 50%, 74%)"/>
    ${bar(96, 200, 24, `hsl(${hue}, 40%, 24%)`)}${bar(132, 170, 12, `hsl(${hue}, 15%, 60%)`)}${bar(152, 150, 12, `hsl(${hue}, 15%, 60%)`)}
    ${bar(196, 120, 36, `hsl(${hue + 150}, 70%, 45%)`)}</svg>`
  const picture = await Transformer.fromSvg(svg).png()
  return (await keepPicture({ db, store, limit: openRefusedLimit() }, at, actor, 'landing', picture)).uuid
}
