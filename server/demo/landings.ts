import { landingInput, type LandingInput } from '#contract/offers/landing.ts'
import type { OfferInput } from '#contract/offers/offer-fields.ts'
import type { Actor } from '#server/access/actor.ts'
import { createLanding, proposeLanding } from '#server/features/offers/landing/landing.service.ts'
import type { Db } from '#server/platform/pg/database.ts'

type Plan = Pick<LandingInput, 'name' | 'url' | 'language'> & {
  type?: LandingInput['type']
  tags?: string[]
  weight: number
  broken?: true
}

const address = (host: string, path: string) => `https://${host}.example/${path}?click={click_id}&lp={landing_id}`

/** Landings by the place of their offer in the demo's list: split tests, and one offer with a pre-landing. */
const LANDINGS: readonly (readonly Plan[])[] = [
  [
    { name: 'Finova – 75 € bonus', url: address('finova', 'bonus'), language: 'de', tags: ['bonus'], weight: 60 },
    { name: 'Finova – five-minute account', url: address('finova', 'quick'), language: 'de', weight: 30 },
    { name: 'Finova – students', url: address('finova', 'campus'), language: 'de', tags: ['students'], weight: 10 },
    { name: 'Finova – comparison', url: address('kontovergleich', 'finova'), language: 'de', type: 'prelanding', weight: 100 },
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
  db: Db,
  { at, now, admin, place }: { at: number; now: number; admin: Actor; place: number },
): Promise<OfferInput['landings']> {
  const made: { landing_uuid: string; weight: number }[] = []
  for (const { weight, broken, ...plan } of LANDINGS[place] ?? []) {
    const form = {
      type: 'landing',
      tags: [],
      privacy: 'public',
      advertiser_uuid: null,
      affiliate_uuids: [],
      preview: null,
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
export async function proposeDemoLanding(db: Db, at: number, admin: Actor, offerUuid: string): Promise<void> {
  const proposal = {
    name: 'Kredyt24 – autumn',
    url: address('kredyt24', 'jesien'),
    type: 'landing',
    language: 'pl',
    preview: null,
    weight: 50,
  } as const
  await proposeLanding(db, at, admin, offerUuid, proposal)
}
