import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ACTIVATION_WARNINGS, OPEN_TARGETING } from '#contract/offers/offer-fields.ts'
import { offerApi } from '#contract/offers/offer.ts'
import { partnerChangeApi } from '#contract/offers/partner-change.ts'
import { partnerOfferApi } from '#contract/offers/partner-offer.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'
import { makeAdvertiser } from '#test/support/make/factories.ts'
import { makeLanding } from '#test/support/make/landings.ts'
import { goalInput, makeOffer, offerForm, ruleInput, saveOffer } from '#test/support/make/offers.ts'

let api: TestApi
let admin: Caller
let affiliate: Caller
let advertiser: { id: number; uuid: string }
beforeAll(async () => {
  api = await startApi({ env: { TRACKING_URL: 'https://go.example' } })
  admin = await api.as('admin')
  affiliate = await api.as('affiliate')
  advertiser = await makeAdvertiser(api.db, { name: 'Secret GmbH' })
})
afterAll(() => api.close())

describe('what an affiliate sees', () => {
  test('tabs show what is visible, what runs, and what may be asked for', async () => {
    const own = await api.as('affiliate')
    const make = (title: string, privacy: 'public' | 'premoderation' | 'private', activate = true) =>
      makeOffer(admin, advertiser.uuid, { title: `Tab ${title}`, privacy }, activate)
    const offers = {
      open: await make('open', 'public'),
      asked: await make('asked', 'premoderation'),
      let_in: await make('let in', 'premoderation'),
      may_ask: await make('may ask', 'premoderation'),
      hidden: await make('hidden', 'private'),
      added: await make('added', 'private'),
      draft: await make('draft', 'public', false),
      paused: await make('paused', 'public'),
    }
    await own.call(partnerOfferApi.requestAccess, { params: { uuid: offers.asked.uuid } })
    for (const offer of [offers.let_in, offers.added])
      await admin.call(offerApi.addAffiliates, { params: { uuid: offer.uuid }, body: { affiliate_uuids: [own.uuid] } })
    await admin.call(offerApi.setStatus, { body: { uuids: [offers.paused.uuid], status: 'paused' } })
    const titles = async (tab: 'all' | 'live' | 'available') =>
      (await own.call(partnerOfferApi.list, { body: { tab, search: 'tab ', sort: 'title', direction: 'asc' } })).data.list.map((row) =>
        row.title.slice(4),
      )
    expect(await titles('all')).toEqual(['added', 'asked', 'let in', 'may ask', 'open', 'paused'])
    expect(await titles('live')).toEqual(['added', 'let in', 'open'])
    expect(await titles('available')).toEqual(['may ask'])
    for (const offer of [offers.hidden, offers.draft])
      expect((await own.call(partnerOfferApi.get, { params: { uuid: offer.uuid } })).status).toBe(404)
    expect((await own.call(offerApi.options, { body: { search: 'tab ' } })).data.list.map((row) => row.name)).toEqual([
      'Tab added',
      'Tab let in',
      'Tab open',
      'Tab paused',
    ])
  })

  test('only the terms that result, and nothing that is staff’s', async () => {
    const rival = await api.as('affiliate')
    const rules = [
      ruleInput({ payout_fixed: '10', revenue_fixed: '77.0001' }),
      ruleInput({ geos: ['PL', 'CZ'], payout_fixed: '12', revenue_fixed: '78.0001' }),
      ruleInput({ affiliate_uuids: [affiliate.uuid], geos: ['PL'], payout_fixed: '18', revenue_fixed: '79.0001' }),
      ruleInput({ affiliate_uuids: [rival.uuid], payout_fixed: '99', revenue_fixed: '100' }),
    ]
    const goals = [goalInput({ rules }), goalInput({ code: 'inner', title: 'Inner', is_default: false, hidden: true })]
    const offer = await makeOffer(admin, advertiser.uuid, {
      goals,
      notes: 'Margin is great',
      description: '<p>Hi</p>',
      trafficback_url: 'https://back.example/',
      title: 'Terms',
    })
    const { data } = await affiliate.call(partnerOfferApi.get, { params: { uuid: String(offer.id) } })
    expect(data.goals).toEqual([
      {
        code: 'sale',
        title: 'Sale',
        type: 'CPA',
        is_default: true,
        repeatable: false,
        terms: [
          { landings: [], geos: ['PL'], devices: [], oses: [], payout_fixed: '18.0000', payout_percent: '0.0000' },
          { landings: [], geos: ['CZ'], devices: [], oses: [], payout_fixed: '12.0000', payout_percent: '0.0000' },
          { landings: [], geos: [], devices: [], oses: [], payout_fixed: '10.0000', payout_percent: '0.0000' },
        ],
      },
    ])
    expect(data).toMatchObject({ payout: { fixed: '10.0000' }, payout_varies: true, description: '<p>Hi</p>' })
    const list = await affiliate.call(partnerOfferApi.list, { body: { search: 'Terms' } })
    expect(list.data.list[0]).toMatchObject({ payout: { fixed: '10.0000' }, payout_varies: true, access: 'approved' })
    for (const secret of [
      '99.0000',
      '77.0001',
      '78.0001',
      '79.0001',
      'Secret',
      'Margin',
      'back.example',
      'shop.example',
      'Inner',
      rival.uuid,
      advertiser.uuid,
    ]) {
      expect(JSON.stringify([data, list.data])).not.toContain(secret)
    }
  })

  test('staff endpoints are closed to affiliates, and these to staff', async () => {
    const offer = await makeOffer(admin, advertiser.uuid)
    expect((await affiliate.call(offerApi.get, { params: { uuid: offer.uuid } })).status).toBe(403)
    expect((await affiliate.call(offerApi.accessList)).status).toBe(403)
    expect((await admin.call(partnerOfferApi.list)).status).toBe(403)
  })
})

test('an offer that takes no visitors reads so, and has no link', async () => {
  const own = await api.as('affiliate')
  const offers = {
    paused: await makeOffer(admin, advertiser.uuid, { title: 'State paused' }),
    stopped: await makeOffer(admin, advertiser.uuid, { title: 'State stopped' }),
    upcoming: await makeOffer(admin, advertiser.uuid, { title: 'State upcoming', start_at: '2026-11-22T00:00:00Z' }),
    over: await makeOffer(admin, advertiser.uuid, { title: 'State over', stop_at: '2026-11-21T00:00:00Z' }),
    live: await makeOffer(admin, advertiser.uuid, { title: 'State live', stop_at: '2026-11-22T00:00:00Z' }),
  }
  const move = (uuid: string, status: 'paused' | 'stopped') => admin.call(offerApi.setStatus, { body: { uuids: [uuid], status } })
  await move(offers.paused.uuid, 'paused')
  await move(offers.stopped.uuid, 'paused')
  await move(offers.stopped.uuid, 'stopped')
  const listed = async (tab: 'all' | 'live') =>
    (await own.call(partnerOfferApi.list, { body: { tab, search: 'State ' } })).data.list.map(({ title, state }) => [title, state])
  expect((await listed('all')).toSorted()).toEqual(
    Object.keys(offers)
      .toSorted()
      .map((state) => [`State ${state}`, state]),
  )
  expect(await listed('live')).toEqual([['State live', 'live']])
  for (const [state, { uuid }] of Object.entries(offers)) {
    expect((await own.call(partnerOfferApi.get, { params: { uuid } })).data.state).toBe(state)
    const { status, data } = await own.call(partnerOfferApi.link, { params: { uuid } })
    expect([state, status, typeof data?.url]).toEqual([state, state === 'live' ? 200 : 409, state === 'live' ? 'string' : 'undefined'])
    expect((await own.call(partnerOfferApi.createShortLink, { params: { uuid } })).status).toBe(state === 'live' ? 200 : 409)
  }
})

describe('what changed', () => {
  test('is told at the affiliate’s own terms, without revenue, advertiser and what is others’', async () => {
    const [own, rival] = [await api.as('affiliate'), await api.as('affiliate')]
    const landing = await makeLanding(admin, { name: 'Winter page', advertiser_uuid: null })
    const rules = (base: string, ownPayout: string, rivals: string, revenue: string) => [
      ruleInput({ payout_fixed: base, revenue_fixed: revenue }),
      ruleInput({ geos: ['PL'], payout_fixed: '12', revenue_fixed: revenue }),
      ruleInput({ affiliate_uuids: [own.uuid], payout_fixed: ownPayout, revenue_fixed: revenue }),
      ruleInput({ affiliate_uuids: [rival.uuid], payout_fixed: rivals, revenue_fixed: revenue }),
    ]
    const goals = (...given: Parameters<typeof rules>) => [goalInput({ rules: rules(...given) })]
    const form = (changes: Parameters<typeof offerForm>[1]) =>
      offerForm(advertiser.uuid, { goals: goals('10', '18', '41', '77.0001'), ...changes })
    const offer = await makeOffer(admin, advertiser.uuid, form({ title: 'Draft' }), false)
    await saveOffer(admin, offer.uuid, form({ goals: goals('1', '1', '1', '77.0001') }))
    await saveOffer(admin, offer.uuid, form({}))
    await admin.call(offerApi.setStatus, { body: { uuids: [offer.uuid], status: 'active', confirm: [...ACTIVATION_WARNINGS] } })
    // what others get, what the network earns, and notes are nobody else's
    await saveOffer(admin, offer.uuid, form({ goals: goals('10', '18', '43', '79.0001'), notes: 'Note' }))
    await saveOffer(admin, offer.uuid, form({ goals: goals('11', '20.5', '43', '79.0001'), hold_days: 7 }))
    const later = {
      goals: goals('11', '20.5', '43', '79.0001'),
      hold_days: 7,
      caps: [{ period: 'day' as const, scope: 'offer' as const, measure: 'conversions' as const, limit: '50' }],
      targeting: { ...OPEN_TARGETING, geo: { mode: 'include' as const, values: ['PL'] } },
      landings: [{ landing_uuid: landing.uuid, weight: 1 }],
    }
    await saveOffer(admin, offer.uuid, form(later))
    await admin.call(offerApi.setStatus, { body: { uuids: [offer.uuid], status: 'paused' } })

    const changesOf = async (who: Caller) => (await who.call(partnerChangeApi.list, { body: { offer_uuid: offer.uuid } })).data.list
    const payout = (amount: string) => ({ payout_fixed: `${amount}000`, payout_percent: '0.0000' })
    const anywhere = { landings: [], geos: [], devices: [], oses: [] }
    const list = await changesOf(own)
    expect(list.map((entry) => entry.changes)).toEqual([
      [{ kind: 'state', before: 'active', after: 'paused' }],
      [
        { kind: 'caps', before: [], after: later.caps },
        { kind: 'geo', before: null, after: { mode: 'include', values: ['PL'] } },
        { kind: 'landings', added: ['Winter page'] },
      ],
      [
        { kind: 'payout', goal: 'Sale', where: anywhere, before: payout('18.0'), after: payout('20.5') },
        { kind: 'hold', before: 0, after: 7 },
      ],
      [{ kind: 'state', before: null, after: 'active' }],
    ])
    expect(JSON.stringify(list)).not.toMatch(/revenue|7[79]\.0001|Secret GmbH|Note|"4[13][".]/)
    expect(list[0]?.offer).toMatchObject({ uuid: offer.uuid, name: 'Shop' })
    // another affiliate reads its own
    expect((await changesOf(rival)).flatMap((entry) => entry.changes.flatMap((one) => (one.kind === 'payout' ? [one.after] : [])))).toEqual(
      [payout('43.0')],
    )
    expect((await changesOf(affiliate)).flatMap((entry) => entry.changes.filter((one) => one.kind === 'payout'))).toMatchObject([
      { before: payout('10.0'), after: payout('11.0'), where: anywhere },
    ])
  })

  test('of a private offer is told from the day it was opened to the affiliate', async () => {
    const own = await api.as('affiliate')
    const offer = await makeOffer(admin, advertiser.uuid, { privacy: 'private' })
    const save = (hold_days: number) => saveOffer(admin, offer.uuid, offerForm(advertiser.uuid, { privacy: 'private', hold_days }))
    await save(1)
    const changesOf = async () => (await own.call(partnerChangeApi.list)).data.list.filter((entry) => entry.offer.uuid === offer.uuid)
    expect(await changesOf()).toEqual([])
    api.clock.advance(60_000)
    await admin.call(offerApi.addAffiliates, { params: { uuid: offer.uuid }, body: { affiliate_uuids: [own.uuid] } })
    await save(2)
    expect((await changesOf()).map((entry) => entry.changes)).toEqual([[{ kind: 'hold', before: 1, after: 2 }]])
    expect((await admin.call(partnerChangeApi.list)).status).toBe(403)
  })
})

describe('links', () => {
  test('carry what was asked for, encoded, with other systems’ braces left alone', async () => {
    const offer = await makeOffer(admin, advertiser.uuid, { deep_link_hosts: ['shop.example', '.shop.example'] })
    const link = (body: object = {}) => affiliate.call(partnerOfferApi.link, { params: { uuid: offer.uuid }, body })
    expect((await link()).data.url).toBe(`https://go.example/click?offer_id=${offer.id}&pid=${affiliate.affiliateId}`)
    expect((await link({ sub1: 'a b&c=d', sub10: '{zone_id}', source: 'фб', click_id: '{clickid}', domain: 'go.example' })).data.url).toBe(
      `https://go.example/click?offer_id=${offer.id}&pid=${affiliate.affiliateId}&sub1=a%20b%26c%3Dd&sub10={zone_id}&source=%D1%84%D0%B1&click_id={clickid}`,
    )
    expect((await link({ deeplink: 'https://uk.shop.example/p?id=1' })).data.url).toContain(
      '&deeplink=https%3A%2F%2Fuk.shop.example%2Fp%3Fid%3D1',
    )
    expect(await link({ domain: 'evil.example' })).toMatchObject({ status: 422, fields: { domain: expect.any(String) } })
  })

  test.each([
    'https://shop.example.evil.example/',
    'https://shop.example@evil.example/',
    'http://shop.example/',
    '//shop.example/',
    'https://evil.example\\@shop.example/',
    'https://shop.example:8443/',
    'https://ѕhop.example/',
  ])('a deep link to %s is refused', async (deeplink) => {
    const offer = await makeOffer(admin, advertiser.uuid, { deep_link_hosts: ['shop.example'] })
    const answer = await affiliate.call(partnerOfferApi.link, { params: { uuid: offer.uuid }, body: { deeplink } })
    expect([400, 422]).toContain(answer.status)
    expect(Object.keys(answer.fields)).toEqual(['deeplink'])
  })

  test('need access', async () => {
    const offer = await makeOffer(admin, advertiser.uuid, { privacy: 'premoderation' })
    expect((await affiliate.call(partnerOfferApi.link, { params: { uuid: offer.uuid } })).errors).toHaveProperty('1031')
    expect((await affiliate.call(partnerOfferApi.createShortLink, { params: { uuid: offer.uuid } })).errors).toHaveProperty('1031')
  })

  test('are built by staff for affiliates of their scope that have access, as those would build them', async () => {
    const manager = await api.as('manager')
    const own = await api.as('affiliate', { managerId: manager.managerId })
    const offer = await makeOffer(admin, advertiser.uuid, { privacy: 'private' })
    const link = (by: Caller, of: Caller, body: object = {}) =>
      by.call(offerApi.affiliateLink, { params: { uuid: offer.uuid }, body: { affiliate_uuid: of.uuid, ...body } })
    expect((await link(manager, own)).fields).toEqual({ affiliate_uuid: 'This affiliate has no access to the offer' })
    await admin.call(offerApi.addAffiliates, { params: { uuid: offer.uuid }, body: { affiliate_uuids: [own.uuid, affiliate.uuid] } })
    const built = await link(manager, own, { sub1: 'mail' })
    expect(built.data).toEqual({
      url: `https://go.example/click?offer_id=${offer.id}&pid=${own.affiliateId}&sub1=mail`,
      refused: null,
      landings: [],
      deep_link_hosts: [],
      track_domains: ['go.example'],
    })
    expect((await own.call(partnerOfferApi.link, { params: { uuid: offer.uuid }, body: { sub1: 'mail' } })).data.url).toBe(built.data.url)
    expect((await link(manager, affiliate)).fields).toEqual({ affiliate_uuid: 'Choose an affiliate of yours' })
    expect((await link(own, own)).status).toBe(403)
  })

  test('whose clicks would be refused say why to staff, and are not given to the affiliate', async () => {
    const whose = await makeAdvertiser(api.db)
    const offer = await makeOffer(admin, whose.uuid)
    const own = await api.as('affiliate')
    const refused = async (of: Caller = own) => {
      const answer = await admin.call(offerApi.affiliateLink, { params: { uuid: offer.uuid }, body: { affiliate_uuid: of.uuid } })
      return [answer.data.url !== '', answer.data.refused]
    }
    const taken = async () => Object.keys((await own.call(partnerOfferApi.link, { params: { uuid: offer.uuid } })).errors)
    const ofOffer = async (change: { status?: 'active' | 'paused'; start_at?: Date | null; stop_at?: Date | null }) => {
      await api.db.updateTable('offer').set(change).where('uuid', '=', offer.uuid).execute()
    }
    expect(await refused()).toEqual([true, null])
    expect(await taken()).toEqual([])
    await ofOffer({ stop_at: new Date(0) })
    expect(await refused()).toEqual([true, 'outside_dates'])
    await ofOffer({ status: 'paused' })
    expect(await refused()).toEqual([true, 'offer_inactive'])
    expect(await taken()).toEqual(['1036'])
    await ofOffer({ status: 'active', stop_at: null })
    await api.db.updateTable('advertiser').set({ status: 'inactive' }).where('uuid', '=', whose.uuid).execute()
    expect(await refused()).toEqual([true, 'advertiser_inactive'])
    expect(await taken()).toEqual(['1036'])
    // to the affiliate it is paused, like every offer that takes no visitors just now
    expect((await own.call(partnerOfferApi.get, { params: { uuid: offer.uuid } })).data.state).toBe('paused')
    expect((await own.call(partnerOfferApi.list, { body: { tab: 'live', search: offer.uuid } })).data.list).toEqual([])
    expect((await own.call(partnerOfferApi.list, { body: { search: offer.uuid } })).data.list).toMatchObject([{ state: 'paused' }])
    const short = await own.call(partnerOfferApi.createShortLink, { params: { uuid: offer.uuid } })
    expect(Object.keys(short.errors)).toEqual(['1036'])
    await api.db.updateTable('advertiser').set({ status: 'active' }).where('uuid', '=', whose.uuid).execute()
    const credit = { advertiser_id: whose.id, currency: 'USD', credit_limit: '10', blocked_at: new Date(0) } as const
    await api.db.insertInto('advertiser_credit').values(credit).execute()
    expect(await refused()).toEqual([true, 'credit_blocked'])
    expect(await taken()).toEqual(['1036'])
    await api.db
      .updateTable('affiliate')
      .set({ status: 'inactive' })
      .where('id', '=', own.affiliateId ?? 0)
      .execute()
    expect(await refused()).toEqual([true, 'affiliate_inactive'])
  })

  test('the same short link is one, however often and fast it is asked for, and nobody else’s', async () => {
    const offer = await makeOffer(admin, advertiser.uuid)
    const make = (caller: Caller, sub1: string) =>
      caller.call(partnerOfferApi.createShortLink, { params: { uuid: offer.uuid }, body: { sub1 } })
    const made = await Promise.all([make(affiliate, 'x'), make(affiliate, 'x'), make(affiliate, 'y')])
    expect(made[0].data).toEqual(made[1].data)
    expect(made[0].data).toMatchObject({
      url: `https://go.example/c/${made[0].data.code}`,
      params: { sub1: 'x' },
      offer: { uuid: offer.uuid },
    })
    expect(new Set(made.map((answer) => answer.data.code)).size).toBe(2)
    const other = await api.as('affiliate')
    expect((await make(other, 'x')).data.code).not.toBe(made[0].data.code)
    const list = await affiliate.call(partnerOfferApi.shortLinks, { body: { offer_uuid: [offer.uuid] } })
    expect(list.data).toMatchObject({ summary: { rows: 2 } })
    expect((await other.call(partnerOfferApi.shortLinks)).data.summary.rows).toBe(1)
  })
})
