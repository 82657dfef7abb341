import { describe, expect, it } from 'vitest'
import { refusalGroup, STORED_REFUSALS } from '#contract/traffic/refusal.ts'
import type { NetworkTrafficback, SnapshotLanding, SnapshotOffer } from '#server/rules/offer/snapshot.ts'
import { decideClick, drawLanding, type ClickFacts, type SnapshotView } from '#server/rules/offer/match.ts'
import { offerOf } from '#test/support/make/snapshot.ts'

const base = offerOf()
const anyone = base.targeting
const landing = (id: number, extra: Partial<SnapshotLanding> = {}): SnapshotLanding => ({
  id,
  url: `https://l${id}.example/`,
  weight: 1,
  kind: 'landing',
  active: true,
  ...extra,
})

function decide(
  offer: Partial<SnapshotOffer>,
  click: Partial<ClickFacts> = {},
  rest: Partial<{ active: boolean; trafficback: NetworkTrafficback }> = {},
) {
  const view: SnapshotView = {
    offers: new Map([[1, { ...base, ...offer }]]),
    affiliates: new Map([[5, { id: 5, active: rest.active ?? true }]]),
    trafficback: rest.trafficback ?? { url: null, groups: {} },
  }
  const facts = {
    at: 1000,
    random: 7,
    geo: 'UA',
    device: 'mobile',
    os: 'Android',
    browser: 'Chrome',
    language: 'uk',
    os_version: '14',
    region: 'Lviv',
    city: 'Lviv',
    asn: '13188',
    ...click,
  }
  return decideClick(view, { ...facts, parameters: { offer_id: '1', pid: '5', landing: '', ...click.parameters } })
}
const asking = (parameters: Partial<ClickFacts['parameters']>) => ({ parameters: { offer_id: '1', pid: '5', landing: '', ...parameters } })

describe('the decision about a click', () => {
  it('sends it to the offer when nothing speaks against it', () => {
    const decision = decide({})
    expect(decision).toMatchObject({ outcome: 'redirect', reason: '', destination: base.url, landing: null })
    expect(decision.verdicts.every((verdict) => verdict.passed)).toBe(true)
  })

  it('knows no links without numbers, offer or affiliate', () => {
    expect(decide({}, asking({ offer_id: 'x' }))).toMatchObject({ outcome: 'unknown', reason: 'malformed' })
    expect(decide({}, asking({ pid: '' }))).toMatchObject({ outcome: 'unknown', reason: 'malformed' })
    expect(decide({}, asking({ offer_id: '2' }))).toMatchObject({ outcome: 'unknown', reason: 'unknown_offer' })
    expect(decide({}, asking({ pid: '6' }))).toMatchObject({ outcome: 'unknown', reason: 'unknown_affiliate' })
  })

  it.each<[string, Partial<SnapshotOffer>, Partial<ClickFacts>, { active?: boolean }]>([
    ['affiliate_inactive', { advertiser_active: false }, {}, { active: false }],
    ['advertiser_inactive', { advertiser_active: false, active: false }, {}, {}],
    ['advertiser_inactive', { advertiser_active: false, credit_blocked: true }, {}, {}],
    ['credit_blocked', { credit_blocked: true, active: false }, {}, {}],
    ['offer_inactive', { active: false, start_at: 2000 }, {}, {}],
    ['outside_dates', { start_at: 1001, open: false }, {}, {}],
    ['outside_dates', { stop_at: 1000 }, {}, {}],
    ['no_access', { open: false, access: [6] }, asking({ landing: '9' }), {}],
    ['no_access', { denied: [5] }, {}, {}],
    [
      'landing_inactive',
      { landings: [landing(3, { active: false })], targeting: { ...anyone, geo: { mode: 'include', values: [] } } },
      asking({ landing: '3' }),
      {},
    ],
    ['landing_inactive', {}, asking({ landing: 'abc' }), {}],
    [
      'targeting_geo',
      { targeting: { ...anyone, geo: { mode: 'include', values: ['PL'] }, os: { mode: 'exclude', values: ['Android'] } } },
      {},
      {},
    ],
    ['targeting_device', { targeting: { ...anyone, device: { mode: 'exclude', values: ['mobile'] } } }, {}, {}],
    ['targeting_os', { targeting: { ...anyone, os: { mode: 'include', values: ['iOS'] } } }, {}, {}],
    ['targeting_browser', { targeting: { ...anyone, browser: { mode: 'exclude', values: ['Chrome'] } } }, {}, {}],
    ['targeting_language', { targeting: { ...anyone, language: { mode: 'include', values: ['pl'] } }, cap_until: 2000 }, {}, {}],
    ['targeting_region', { targeting: { ...anyone, region: { mode: 'exclude', values: ['UA/Lviv'] } } }, {}, {}],
    ['targeting_region', { targeting: { ...anyone, region: { mode: 'include', values: ['UA/Lviv'] } } }, { region: '' }, {}],
    ['targeting_city', { targeting: { ...anyone, city: { mode: 'include', values: ['UA/Lviv/Lviv'] } } }, { city: 'Stryi' }, {}],
    ['targeting_city', { targeting: { ...anyone, city: { mode: 'include', values: ['UA/Lviv/Lviv'] } } }, { geo: 'PL' }, {}],
    ['targeting_network', { targeting: { ...anyone, network: { mode: 'exclude', values: ['13188'] } } }, {}, {}],
    ['targeting_network', { targeting: { ...anyone, network: { mode: 'include', values: ['13188'] } } }, { asn: '' }, {}],
    ['conversion_cap', { cap_until: 1001 }, {}, {}],
    ['conversion_cap', { capped: [[5, 1001]] }, {}, {}],
  ])('refuses with the first reason: %s', (reason, offer, click, rest) => {
    expect(decide(offer, click, rest)).toMatchObject({ outcome: 'refused', reason, destination: null })
  })

  it.each<['include' | 'exclude', string[], string, string, boolean]>([
    ['include', ['Android >= 10'], 'Android', '14', true],
    ['include', ['Android >= 10'], 'Android', '9.3', false],
    ['include', ['Android >= 10'], 'Android', '', false],
    ['include', ['Android >= 10', 'Android < 5'], 'Android', '4.4', true],
    ['include', ['Android >= 10'], 'iOS', '9', true],
    ['include', ['iOS = 17'], 'iOS', '17.0', true],
    ['include', ['iOS = 17'], 'iOS', '17.4', false],
    ['exclude', ['Windows = XP', 'Windows < 8'], 'Windows', 'XP', false],
    ['exclude', ['Windows = XP', 'Windows < 8'], 'Windows', '7', false],
    ['exclude', ['Windows = XP', 'Windows < 8'], 'Windows', '8.1', true],
    ['exclude', ['Windows = XP', 'Windows < 8'], 'Windows', '', true],
    ['include', ['Windows >= 10'], 'Windows', '10/11', true],
    ['include', ['Windows >= 11'], 'Windows', '10/11', false],
    ['exclude', ['Windows < 11'], 'Windows', '10/11', true],
  ])('compares versions number by number: %s %j of %s %s is %s', (mode, values, os, os_version, passed) => {
    const { reason } = decide({ targeting: { ...anyone, os_version: { mode, values } } }, { os, os_version })
    expect(reason).toBe(passed ? '' : 'targeting_os_version')
  })

  it("sends refused clicks to the offer's trafficback, else to that of the reason, else to the network's, else to the plain page", () => {
    const wayOf = (offer: Partial<SnapshotOffer>, trafficback: NetworkTrafficback) => {
      const { way, destination } = decide(offer, {}, { trafficback })
      return [way, destination]
    }
    const network = { url: 'https://all.example/', groups: { offer: 'https://offer.example/', cap: 'https://cap.example/' } }
    expect(wayOf({ active: false, trafficback_url: 'https://own.example/' }, network)).toEqual(['offer', 'https://own.example/'])
    expect(wayOf({ active: false }, network)).toEqual(['reason', 'https://offer.example/'])
    expect(wayOf({ advertiser_active: false }, network)).toEqual(['reason', 'https://offer.example/'])
    expect(wayOf({ cap_until: Date.UTC(2099, 0) }, network)).toEqual(['reason', 'https://cap.example/'])
    expect(wayOf({ open: false }, network)).toEqual(['network', 'https://all.example/'])
    expect(wayOf({ active: false }, { url: null, groups: { cap: 'https://cap.example/' } })).toEqual(['page', null])
    expect(wayOf({}, network)[0]).toBeNull()
  })

  it('leads visitors of an offer of leads to landings alone: without one nobody is let in, however the link asks', () => {
    const way = (landings: SnapshotLanding[], asked = '') => {
      const { reason, landing: reached } = decide({ leads: true, url: '', landings }, asking({ landing: asked }))
      return reason || reached?.id
    }
    expect(way([])).toBe('landing_inactive')
    expect(way([landing(2)])).toBe(2)
    expect(way([landing(2, { active: false })])).toBe('landing_inactive')
    const own = landing(3, { weight: 0, only: [5] })
    expect(way([own])).toBe('landing_inactive')
    expect(way([own], '3')).toBe(3)
    const before = landing(4, { kind: 'prelanding' })
    expect(way([before, own], '4')).toBe('landing_inactive')
    expect(way([before, landing(2)], '4')).toBe(2)
  })

  it('knows a group for each reason that is stored', () => {
    expect(STORED_REFUSALS.filter((reason) => refusalGroup(reason) === null)).toEqual([])
    expect(refusalGroup('unknown_offer')).toBeNull()
  })

  it('takes the landing asked for, else one by weight, behind a pre-landing where there is one', () => {
    const landings = [landing(1, { weight: 0 }), landing(2), landing(4, { kind: 'prelanding' })]
    expect(decide({ landings })).toMatchObject({ landing: { id: 2 }, prelanding: { id: 4 }, destination: 'https://l4.example/' })
    expect(decide({ landings }, asking({ landing: '1' }))).toMatchObject({ landing: { id: 1 } })
  })

  it('refuses a private landing to all but the affiliates it is for', () => {
    const landings = [landing(1, { weight: 0, only: [5] }), landing(2, { weight: 0, only: [6] })]
    expect(decide({ landings }, asking({ landing: '1' }))).toMatchObject({ reason: '', landing: { id: 1 } })
    expect(decide({ landings }, asking({ landing: '2' }))).toMatchObject({ reason: 'landing_inactive', landing: null })
  })

  it('keeps what a refused click asked for, and draws nothing for it', () => {
    const landings = [landing(1, { active: false }), landing(2), landing(3, { active: false, kind: 'prelanding' })]
    const asked = (number: string, more: Partial<SnapshotOffer> = {}) => {
      const { outcome, landing: page, prelanding } = decide({ landings, ...more }, asking({ landing: number }))
      return { outcome, landing: page?.id ?? 0, prelanding: prelanding?.id ?? 0 }
    }
    const none = { outcome: 'refused', landing: 0, prelanding: 0 }
    expect(asked('1')).toEqual({ ...none, landing: 1 })
    expect(asked('3')).toEqual({ ...none, prelanding: 3 })
    expect(asked('2', { active: false })).toEqual({ ...none, landing: 2 })
    expect(asked('', { active: false })).toEqual(none)
    // a number of no landing here is whatever somebody typed
    expect(asked('99')).toEqual(none)
    // whoever has no access must not find out which numbers stand in the offer
    expect(asked('2', { active: false, open: false })).toEqual(none)
  })

  it('draws landings by their weights, and the same one for the same click', () => {
    const landings = [landing(1, { weight: 3 }), landing(2), landing(3, { active: false, weight: 9 })]
    const counts = new Map<number, number>()
    for (let random = 0; random < 4000; random++) {
      const drawn = drawLanding(landings, 'landing', random)?.id ?? 0
      expect(drawLanding(landings, 'landing', random)?.id).toBe(drawn)
      counts.set(drawn, (counts.get(drawn) ?? 0) + 1)
    }
    expect([...counts.keys()].toSorted()).toEqual([1, 2])
    expect((counts.get(1) ?? 0) / 4000).toBeCloseTo(0.75, 1)
  })
})
