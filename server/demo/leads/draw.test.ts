import { expect, test } from 'vitest'
import { seededRandom } from '../random.ts'
import { drawLeads } from './draw.ts'
import { LEAD_OFFERS } from './offers.ts'

const NOW = Date.parse('2026-11-21T10:00:00Z')
const MONTH = 30 * 86_400_000
const SEEDS = 8

test('whatever the moment of the first start, nobody is drawn twice with the same phone and e-mail', () => {
  // who buys is drawn of the same chance: without advertisers people come as they come with them
  // forms with an e-mail and without one in the same country are what once made two of one: of all offers it happens in some hundreds of starts
  const both = ['nutra_cod', 'finance_trading'].flatMap((type) => LEAD_OFFERS.find((plan) => plan.type === type) ?? [])
  const offers = both.map((plan, place) => ({
    id: place + 1,
    uuid: `offer ${place}`,
    plan: { ...plan, geos: 'IT 1', weight: 1 },
    groups: [],
  }))
  const affiliates = Array.from({ length: 40 }, (_none, place) => place + 1)
  const twice: string[] = []
  for (let seed = 1; seed <= SEEDS; seed++) {
    const now = NOW + seed * 7_654_321
    const { people } = drawLeads(seededRandom(seed), { offers, products: new Map(), affiliates, from: now - MONTH, now, count: 1_200 })
    const seen = new Set<string>()
    for (const { phone, email, test: isTest } of people) {
      const key = `${phone} ${email} ${isTest}`
      if (seen.has(key)) twice.push(`${seed}: ${key}`)
      seen.add(key)
    }
  }
  expect(twice).toEqual([])
})
