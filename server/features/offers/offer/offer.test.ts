import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { offerApi, offerFilters } from '#contract/offers/offer.ts'
import { OPEN_TARGETING, type OfferInput } from '#contract/offers/offer-fields.ts'
import { partnerOfferApi } from '#contract/offers/partner-offer.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'
import { makeAdvertiser } from '#test/support/make/factories.ts'
import { goalInput, makeOffer, offerForm, ruleInput, saveOffer } from '#test/support/make/offers.ts'

let api: TestApi
let admin: Caller
let advertiser: { id: number; uuid: string }
beforeAll(async () => {
  api = await startApi()
  admin = await api.as('admin')
  advertiser = await makeAdvertiser(api.db, { name: 'Shop GmbH' })
})
afterAll(() => api.close())

const form = (changes: Partial<OfferInput> = {}) => offerForm(advertiser.uuid, changes)
const create = (changes: Partial<OfferInput> = {}) => admin.call(offerApi.create, { body: form(changes) })
const geoRows = (...geos: string[][]) => geos.map((one) => ruleInput({ geos: one }))
const statusOf = async (uuid: string) => (await admin.call(offerApi.get, { params: { uuid } })).data.status

describe('making an offer', () => {
  test('it starts as a draft and answers what was saved, money with four decimals', async () => {
    const affiliate = await api.as('affiliate', { name: 'Olha' })
    const rules = [
      ruleInput(),
      ruleInput({
        affiliate_uuids: [affiliate.uuid],
        geos: ['PL', 'CZ'],
        devices: ['mobile'],
        oses: ['Android'],
        payout_fixed: '18.5',
        payout_percent: '2.25',
      }),
    ]
    const { status, data } = await create({
      title: 'Магазин',
      tags: ['vip'],
      caps: [{ period: 'day', scope: 'offer', measure: 'conversions', limit: '50' }],
      hold_days: 7,
      start_at: '2026-11-01T00:00:00Z',
      goals: [goalInput({ rules }), goalInput({ code: 'lead', title: 'Lead', is_default: false, hidden: true })],
    })
    expect(status).toBe(200)
    expect(data).toMatchObject({
      title: 'Магазин',
      status: 'draft',
      type: 'direct',
      advertiser: { uuid: advertiser.uuid, name: 'Shop GmbH' },
      payout: { fixed: '10.0000', percent: '0.0000' },
      revenue: { fixed: '15.0000' },
      cap_levels: [{ period: 'day', limit: '50', used: '0', full: 0 }],
      start_at: '2026-11-01T00:00:00.000Z',
      editable: true,
      postback_token: null,
    })
    expect(data.goals.map((goal) => goal.code)).toEqual(['sale', 'lead'])
    expect(data.goals[0]?.rules[1]).toEqual({
      landings: [],
      affiliates: [{ uuid: affiliate.uuid, id: affiliate.affiliateId, name: 'Olha' }],
      geos: ['PL', 'CZ'],
      devices: ['mobile'],
      oses: ['Android'],
      payout_fixed: '18.5000',
      payout_percent: '2.2500',
      revenue_fixed: '15.0000',
      revenue_percent: '0.0000',
    })
    expect((await admin.call(offerApi.get, { params: { uuid: String(data.id) } })).data).toEqual(data)
  })

  test.each<[string, Partial<OfferInput>, string]>([
    ['an unknown macro', { tracking_url: 'https://shop.example/?c={clickid}' }, 'tracking_url'],
    ['a macro in the host', { tracking_url: 'https://{sub1}.example/' }, 'tracking_url'],
    ['a conversion’s macro in trafficback', { trafficback_url: 'https://back.example/?p={payout}' }, 'trafficback_url'],
    ['a macro in the preview', { preview_url: 'https://shop.example/{sub1}' }, 'preview_url'],
    ['an app address where none is allowed', { tracking_url: 'market://details?id=a.b&referrer={click_id}' }, 'tracking_url'],
    ['a device id where none is allowed', { tracking_url: 'https://shop.example/?i={idfa}&c={click_id}' }, 'tracking_url'],
    ['a scheme of no shop of apps', { app_links: true, tracking_url: 'intent://x/?c={click_id}' }, 'tracking_url'],
    ['another scheme', { tracking_url: 'javascript:alert(1)' }, 'tracking_url'],
    ['a user name in the address', { preview_url: 'https://bank.example@evil.example/' }, 'preview_url'],
    ['a deep-link host that is an address', { deep_link_hosts: ['https://shop.example/'] }, 'deep_link_hosts.0'],
    ['a system no click has', { targeting: { ...OPEN_TARGETING, os: { mode: 'include', values: ['Amiga'] } } }, 'targeting.os.values'],
    [
      'a version that is none',
      { targeting: { ...OPEN_TARGETING, os_version: { mode: 'include', values: ['iOS < 15', 'Android >= ten'] } } },
      'targeting.os_version.values.1',
    ],
    [
      'a version of dots',
      { targeting: { ...OPEN_TARGETING, os_version: { mode: 'include', values: ['Windows = XP', 'Android = ....'] } } },
      'targeting.os_version.values.1',
    ],
    [
      'a city of another region',
      { targeting: { ...OPEN_TARGETING, city: { mode: 'include', values: ['US/Texas/Los Angeles'] } } },
      'targeting.city.values',
    ],
    ['two default goals', { goals: [goalInput(), goalInput({ code: 'b' })] }, 'goals'],
    ['two goals with one code', { goals: [goalInput(), goalInput({ is_default: false })] }, 'goals.1.code'],
    ['two base rows', { goals: [goalInput({ rules: [ruleInput(), ruleInput()] })] }, 'goals.0.rules.1'],
    ['a row below a broader one', { goals: [goalInput({ rules: geoRows([], ['PL', 'CZ'], ['PL']) })] }, 'goals.0.rules.2'],
    ['a row that two above share', { goals: [goalInput({ rules: geoRows(['PL'], ['CZ'], ['CZ', 'PL'], []) })] }, 'goals.0.rules.2'],
    ['a negative payout', { goals: [goalInput({ rules: [ruleInput({ payout_fixed: '-1' })] })] }, 'goals.0.rules.0.payout_fixed'],
    ['five decimals', { goals: [goalInput({ rules: [ruleInput({ payout_percent: '1.00001' })] })] }, 'goals.0.rules.0.payout_percent'],
    ['an end before the start', { start_at: '2026-02-01T00:00:00Z', stop_at: '2026-01-01T00:00:00Z' }, 'stop_at'],
    ['an unknown zone', { time_zone: 'Mars/Olympus' }, 'time_zone'],
    ['an advertiser nobody knows', { advertiser_uuid: '00000000-0000-4000-8000-000000000000' }, 'advertiser_uuid'],
    [
      'an affiliate nobody knows',
      { goals: [goalInput({ rules: [ruleInput(), ruleInput({ affiliate_uuids: ['00000000-0000-4000-8000-000000000000'] })] })] },
      'goals.0.rules.1.affiliate_uuids',
    ],
  ])('%s is refused at its field', async (_title, changes, field) => {
    const answer = await create(changes)
    expect([400, 422]).toContain(answer.status)
    expect(Object.keys(answer.fields)).toEqual([field])
  })

  test('a row that can never win is refused by the row that wins over it', async () => {
    const { fields } = await create({ goals: [goalInput({ rules: geoRows(['PL'], [], ['PL'], ['PL', 'DE'], ['DE']) })] })
    expect(fields).toEqual({
      'goals.0.rules.2': 'Row 1 is for the same and stands above: this one can never win',
      'goals.0.rules.4': 'Row 4 stands above and takes in all this row is for: this one can never win',
    })
  })

  test('a stored row that can never win keeps nobody from changing something else', async () => {
    const rows = geoRows(['PL'], ['DE'], [], ['PL', 'DE'])
    const live = rows.map((row, index) => (index === 3 ? { ...row, geos: ['FR' as const] } : row))
    const made = (await create({ goals: [goalInput({ rules: live })] })).data
    // as offers stood before such rows were refused
    await api.db
      .updateTable('payout_rule')
      .set({ geos: ['DE', 'PL'] })
      .where('offer_id', '=', made.id)
      .where('position', '=', 3)
      .execute()
    const stored = { goals: [goalInput({ uuid: made.goals[0]?.uuid, rules: rows })] }
    const save = (changes: Parameters<typeof form>[0]) => saveOffer(admin, made.uuid, form(changes))
    expect((await save({ ...stored, title: 'Another' })).data.title).toBe('Another')
    const dearer = rows.map((row, index) => (index === 3 ? { ...row, payout_fixed: '99' } : row))
    expect((await save({ goals: [goalInput({ ...stored.goals[0], rules: dearer })] })).fields).toEqual({
      'goals.0.rules.3': 'Rows 1, 2 stand above and together take in all this row is for: this one can never win',
    })
    // one more of them is nobody else's doing
    expect(Object.keys((await save({ goals: [goalInput({ ...stored.goals[0], rules: [...rows, ...geoRows(['DE'])] })] })).fields)).toEqual([
      'goals.0.rules.4',
    ])
    const [change] = (await admin.call(offerApi.history, { params: { uuid: made.uuid }, body: {} })).data.list
    expect((await admin.call(offerApi.undo, { params: { uuid: made.uuid }, body: { id: change?.id ?? '' } })).data.title).toBe(made.title)
  })

  test('hostile markup in texts is taken out, formatting stays', async () => {
    const { data } = await create({
      description:
        '<h2>Hi</h2><script>alert(1)</script><p onclick="x()">A <a href="javascript:x()">b</a> <a href="https://shop.example/">c</a></p><img src=x onerror=y>',
    })
    expect(data.description).toBe(
      '<h2>Hi</h2><p>A <a rel="noopener noreferrer nofollow" target="_blank">b</a> <a href="https://shop.example/" rel="noopener noreferrer nofollow" target="_blank">c</a></p>',
    )
  })
})

test('an offer targets the places, networks and versions its form finds, and tells the names', async () => {
  const found = async (body: { kind?: 'region' | 'city'; search: string; countries?: string[] }) =>
    (await admin.call(offerApi.places, { body })).data.list
  const city = { value: 'US/California/Los Angeles', label: 'Los Angeles, California, US' }
  expect(await found({ kind: 'city', search: 'los ang', countries: ['US'] })).toContainEqual(city)
  expect(await found({ kind: 'city', search: 'los angeles', countries: ['PL'] })).toEqual([])
  expect((await found({ search: 'california' })).map(({ value }) => value)).toContain('US/California')
  expect(await found({ search: 'los angeles' })).toContainEqual(city)
  expect(await found({ kind: 'city', search: 'ANGELES', countries: ['US'] })).toContainEqual(city)
  expect((await found({ kind: 'city', search: 'london' }))[0]?.label).toBe('London, England, GB')
  expect(await found({ kind: 'city', search: '' })).toEqual([])
  expect(await found({ kind: 'region', search: ' ', countries: ['PL'] })).toContainEqual({ value: 'PL/Mazovia', label: 'Mazovia, PL' })
  const [google] = (await admin.call(offerApi.networks, { body: { search: '15169' } })).data.list
  expect(google).toEqual({ value: '15169', label: expect.stringMatching(/^Google.* \(AS15169\)$/) })

  const affiliate = await api.as('affiliate')
  const asked = [
    affiliate.call(offerApi.places, { body: { kind: 'city', search: 'los ang' } }),
    affiliate.call(offerApi.networks, { body: { search: '15169' } }),
  ]
  expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([403, 403])

  const targeting = {
    ...OPEN_TARGETING,
    os_version: { mode: 'include' as const, values: ['Android >= 10', 'Windows = XP'] },
    region: null,
    city: { mode: 'exclude' as const, values: [city.value] },
    network: { mode: 'include' as const, values: ['15169'] },
  }
  const offer = await makeOffer(admin, advertiser.uuid, { targeting })
  const network_names = { 15169: google?.label }
  expect((await admin.call(offerApi.get, { params: { uuid: offer.uuid } })).data).toMatchObject({ targeting, network_names })
  const copy = (await admin.call(offerApi.duplicate, { params: { uuid: offer.uuid } })).data
  expect((await admin.call(offerApi.get, { params: { uuid: copy.uuid } })).data.targeting).toEqual(targeting)
  const seen = await affiliate.call(partnerOfferApi.get, { params: { uuid: offer.uuid } })
  expect(seen.data).toMatchObject({ targeting, network_names })

  await saveOffer(admin, offer.uuid, form({ targeting: OPEN_TARGETING }))
  const [change] = (await admin.call(offerApi.history, { params: { uuid: offer.uuid }, body: {} })).data.list
  expect(change).toMatchObject({ before: { targeting }, network_names })
  const undone = await admin.call(offerApi.undo, { params: { uuid: offer.uuid }, body: { id: change?.id ?? '' } })
  expect(undone.data.targeting).toEqual(targeting)
})

test('an offer that leads to an app takes app addresses and device ids', async () => {
  for (const tracking_url of [
    'market://details?id=a.b&referrer={click_id}&g={gaid}',
    'itms-apps://itunes.apple.com/app/id1?c={click_id}&i={_idfa}',
  ]) {
    const { status, data } = await create({ app_links: true, tracking_url })
    expect([status, data.tracking_url]).toEqual([200, tracking_url])
    expect((await admin.call(offerApi.setStatus, { body: { uuids: [data.uuid], status: 'active' } })).status).toBe(200)
  }
})

describe('activating an offer', () => {
  const activate = (uuid: string, confirm: ('no_click_id' | 'pays_more')[] = []) =>
    admin.call(offerApi.setStatus, { body: { uuids: [uuid], status: 'active', confirm } })

  test('asks about a destination without our click id and a row that pays more than it earns', async () => {
    const { data } = await create({
      tracking_url: 'https://shop.example/?sub={sub1}',
      goals: [goalInput({ rules: [ruleInput({ payout_fixed: '100', revenue_fixed: '8' })] })],
    })
    const asked = await activate(data.uuid)
    expect([asked.status, Object.keys(asked.fields)]).toEqual([409, ['no_click_id', 'pays_more']])
    // and its page says so beforehand
    expect((await admin.call(offerApi.get, { params: { uuid: data.uuid } })).data.doubts).toEqual(['no_click_id', 'pays_more'])
    expect(Object.keys((await activate(data.uuid, ['no_click_id'])).fields)).toEqual(['pays_more'])
    expect((await activate(data.uuid, ['no_click_id', 'pays_more'])).data).toMatchObject({ changed: 1 })
    expect((await admin.call(offerApi.setStatus, { body: { uuids: [data.uuid], status: 'archived' } })).data).toMatchObject({ changed: 1 })
  })

  test('asks nothing where a share makes up for a fixed payout', async () => {
    const rules = [ruleInput({ payout_fixed: '20', revenue_fixed: '0', revenue_percent: '40' })]
    const { data } = await create({ tracking_url: 'https://shop.example/{_click_id}', goals: [goalInput({ rules })] })
    expect((await activate(data.uuid)).status).toBe(200)
  })

  test('an active one that is saved with a new doubt is asked about too, and not about those it had', async () => {
    const { data } = await create({ tracking_url: 'https://shop.example/?c={click_id}' })
    await activate(data.uuid)
    const save = async (changes: Partial<OfferInput>, confirm: ('no_click_id' | 'pays_more')[] = []) => {
      const { version } = (await admin.call(offerApi.get, { params: { uuid: data.uuid } })).data
      const body = { ...form({ tracking_url: 'https://shop.example/?c={click_id}', ...changes }), version, confirm }
      const { status, fields } = await admin.call(offerApi.update, { params: { uuid: data.uuid }, body })
      return [status, Object.keys(fields)]
    }
    const blind = 'https://shop.example/?c={sub1}'
    const losing = goalInput({ rules: [ruleInput({ payout_fixed: '100', revenue_fixed: '8' })] })
    expect(await save({ tracking_url: blind, goals: [losing] })).toEqual([409, ['no_click_id', 'pays_more']])
    expect((await admin.call(offerApi.get, { params: { uuid: data.uuid } })).data.tracking_url).toBe(data.tracking_url)
    expect(await save({ tracking_url: blind, goals: [losing] }, ['no_click_id', 'pays_more'])).toEqual([200, []])
    expect(await save({ tracking_url: blind, goals: [losing], title: 'Renamed' })).toEqual([200, []])
    const more = ruleInput({ geos: ['UA'], payout_fixed: '90', revenue_fixed: '8' })
    expect(await save({ tracking_url: blind, goals: [{ ...losing, rules: [...(losing.rules ?? []), more] }] })).toEqual([
      409,
      ['pays_more'],
    ])
    expect(await save({ tracking_url: blind })).toEqual([200, []])
  })

  test('a draft may be deleted for good, nothing else', async () => {
    const { data } = await create()
    expect((await admin.call(offerApi.remove, { params: { uuid: data.uuid } })).status).toBe(200)
    expect((await admin.call(offerApi.get, { params: { uuid: data.uuid } })).status).toBe(404)
    const active = (await create()).data
    await activate(active.uuid)
    expect((await admin.call(offerApi.remove, { params: { uuid: active.uuid } })).status).toBe(409)
  })
})

describe('changing an offer', () => {
  test('goals keep their identity, may swap codes, and one left out comes back with its code', async () => {
    const { data } = await create({
      goals: [goalInput({ code: 'a' }), goalInput({ code: 'b', is_default: false }), goalInput({ code: 'c', is_default: false })],
    })
    const [a, b, c] = data.goals.map((goal) => goal.uuid)
    const save = async (goals: OfferInput['goals']) =>
      (await saveOffer(admin, data.uuid, form({ goals }))).data.goals.map((goal) => [goal.uuid, goal.code, goal.is_default])
    expect(await save([goalInput({ uuid: b, code: 'a' }), goalInput({ uuid: a, code: 'b', is_default: false })])).toEqual([
      [b, 'a', true],
      [a, 'b', false],
    ])
    const back = await save([goalInput({ uuid: a, code: 'b' }), goalInput({ code: 'c', is_default: false })])
    expect(back).toEqual([
      [a, 'b', true],
      [c, 'c', false],
    ])
  })

  test('of two people who save from the same state the second is told', async () => {
    const { data } = await create()
    const save = (title: string) =>
      admin.call(offerApi.update, { params: { uuid: data.uuid }, body: { ...form({ title }), version: data.version } })
    const answers = await Promise.all([save('One'), save('Two')])
    expect(answers.map((answer) => answer.status).toSorted()).toEqual([200, 409])
    expect(answers.find((answer) => answer.status === 409)?.errors).toHaveProperty('1012')
  })

  test('is saved only by those who say what they saw; pausing it or a token of its own is no edit', async () => {
    const { uuid, version } = await makeOffer(admin, advertiser.uuid)
    const unseen = await admin.call(offerApi.update, { params: { uuid }, body: form() as ReturnType<typeof form> & { version: number } }) // nothing told
    expect([unseen.status, Object.keys(unseen.fields)]).toEqual([400, ['version']])
    await admin.call(offerApi.setStatus, { body: { uuids: [uuid], status: 'paused' } })
    const late = { uuids: [uuid], status: 'stopped' as const, expected: 'active' as const }
    expect((await admin.call(offerApi.setStatus, { body: late })).data).toEqual({ changed: 0, refused: [] })
    await admin.call(offerApi.renewToken, { params: { uuid }, body: { own: true } })
    const saved = await admin.call(offerApi.update, { params: { uuid }, body: { ...form(), version } })
    expect(saved.data).toMatchObject({ status: 'paused', version: version + 1 })
  })

  test('an active offer stays complete, a draft need not be', async () => {
    const bare = { tracking_url: '', goals: [goalInput({ rules: [] })] }
    const draft = await create(bare)
    expect(draft.data).toMatchObject({ payout: null, status: 'draft' })
    const active = await makeOffer(admin, advertiser.uuid)
    const save = (changes: Partial<OfferInput>) => saveOffer(admin, active.uuid, form(changes))
    expect(await save(bare)).toMatchObject({
      status: 422,
      errors: { 1020: expect.any(String) },
      fields: { 'goals.0.rules': expect.any(String) },
    })
    expect(await save({ tracking_url: '' })).toMatchObject({
      status: 422,
      errors: { 1030: expect.any(String) },
      fields: { tracking_url: expect.any(String) },
    })
    expect(await statusOf(active.uuid)).toBe('active')
    expect((await save({ title: 'Renamed' })).data).toMatchObject({ title: 'Renamed', status: 'active' })
  })

  test('a copy is a draft with the same terms and no access', async () => {
    const affiliate = await api.as('affiliate')
    const original = await makeOffer(admin, advertiser.uuid, {
      goals: [goalInput({ rules: [ruleInput(), ruleInput({ affiliate_uuids: [affiliate.uuid] })] })],
      privacy: 'private',
    })
    await admin.call(offerApi.addAffiliates, { params: { uuid: original.uuid }, body: { affiliate_uuids: [affiliate.uuid] } })
    const { data: made } = await admin.call(offerApi.duplicate, { params: { uuid: original.uuid } })
    const { data: copy } = await admin.call(offerApi.get, { params: { uuid: made.uuid } })
    expect(copy).toMatchObject({ title: 'Shop (copy)', status: 'draft', access_counts: { approved: 0 } })
    const termsOf = (offer: typeof copy) => offer.goals.map(({ uuid: _uuid, ...goal }) => goal)
    expect(termsOf(copy)).toEqual(termsOf(original))
  })

  test('the own postback token is made and dropped', async () => {
    const { data } = await create()
    const own = await admin.call(offerApi.renewToken, { params: { uuid: data.uuid }, body: { own: true } })
    expect(own.data.postback_token).toMatch(/^[\w-]{43}$/)
    expect((await admin.call(offerApi.get, { params: { uuid: data.uuid } })).data.postback_token).toBe(own.data.postback_token)
    expect((await admin.call(offerApi.renewToken, { params: { uuid: data.uuid }, body: { own: false } })).data).toEqual({
      postback_token: null,
    })
  })
})

describe('statuses', () => {
  const move = (uuids: string[], status: 'active' | 'paused' | 'stopped' | 'archived' | 'draft') =>
    admin.call(offerApi.setStatus, { body: { uuids, status } })

  test('an offer goes draft, active, paused, stopped, archived, from each but a draft to archived at once, and no other way', async () => {
    const { data } = await create()
    for (const status of ['paused', 'stopped', 'archived'] as const) expect((await move([data.uuid], status)).errors).toHaveProperty('1021')
    for (const status of ['active', 'paused', 'active', 'paused', 'stopped', 'archived'] as const)
      expect((await move([data.uuid], status)).data).toEqual({ changed: 1, refused: [] })
    for (const status of ['draft', 'active', 'paused', 'stopped'] as const) expect((await move([data.uuid], status)).status).toBe(409)
    expect((await saveOffer(admin, data.uuid, form())).status).toBe(409)
    for (const way of [['active'], ['active', 'paused']] as const) {
      const { uuid } = (await create()).data
      for (const status of [...way, 'archived'] as const) expect((await move([uuid], status)).data).toMatchObject({ changed: 1 })
    }
  })

  test('what is not complete is not activated: alone it is an error, among others it is listed', async () => {
    const good = await create()
    const noUrl = await create({ tracking_url: '', title: 'No URL' })
    const noBase = await create({ goals: [goalInput({ rules: [ruleInput({ geos: ['PL'] })] })] })
    expect(await move([noBase.data.uuid], 'active')).toMatchObject({
      status: 422,
      errors: { 1020: expect.any(String) },
      fields: { 'goals.0.rules': expect.any(String) },
    })
    const { data } = await move([good.data.uuid, noUrl.data.uuid, noBase.data.uuid, '00000000-0000-4000-8000-000000000000'], 'active')
    expect(data.changed).toBe(1)
    expect(data.refused.map((offer) => [offer.id, offer.name])).toEqual([
      [noUrl.data.id, 'No URL'],
      [noBase.data.id, 'Shop'],
    ])
    const idle = await makeAdvertiser(api.db)
    await api.db.updateTable('advertiser').set({ status: 'inactive' }).where('id', '=', idle.id).execute()
    const theirs = await makeOffer(admin, idle.uuid, {}, false)
    expect(await move([theirs.uuid], 'active')).toMatchObject({ status: 422, fields: { advertiser_uuid: expect.any(String) } })
    // and one that is active says whether its advertiser keeps it from taking visitors
    const shown = async () => (await admin.call(offerApi.get, { params: { uuid: good.data.uuid } })).data
    expect(await shown()).toMatchObject({ status: 'active', advertiser_active: true })
    const own = (status: 'active' | 'inactive') =>
      api.db.updateTable('advertiser').set({ status }).where('uuid', '=', advertiser.uuid).execute()
    await own('inactive')
    expect(await shown()).toMatchObject({ status: 'active', advertiser_active: false })
    await own('active')
  })
})

describe('the list', () => {
  test('filters by text, status, privacy, advertiser, country, vertical and tag', async () => {
    const own = await makeAdvertiser(api.db)
    const poland = await makeOffer(admin, own.uuid, {
      title: 'Only 100% PL',
      tags: ['x1'],
      vertical: 'nutra',
      targeting: { ...OPEN_TARGETING, geo: { mode: 'include', values: ['PL'] } },
    })
    const notPoland = await makeOffer(
      admin,
      own.uuid,
      { title: 'Not PL', privacy: 'private', targeting: { ...OPEN_TARGETING, geo: { mode: 'exclude', values: ['PL', 'RU'] } } },
      false,
    )
    const found = async (body: z.input<typeof offerFilters>) =>
      (await admin.call(offerApi.list, { body: { advertiser_uuid: [own.uuid], ...body } })).data.list.map((row) => row.id)
    expect(await found({ sort: 'title', direction: 'asc' })).toEqual([notPoland.id, poland.id])
    for (const sort of offerFilters.shape.sort.unwrap().options) expect([sort, (await found({ sort })).length]).toEqual([sort, 2])
    expect(await found({ search: '100% p' })).toEqual([poland.id])
    expect(await found({ search: String(notPoland.id) })).toEqual([notPoland.id])
    expect(await found({ status: ['draft'] })).toEqual([notPoland.id])
    expect(await found({ privacy: ['private'] })).toEqual([notPoland.id])
    expect(await found({ geo: ['PL'] })).toEqual([poland.id])
    expect(await found({ geo: ['DE'] })).toEqual([notPoland.id])
    expect(await found({ geo: ['DE', 'PL'] })).toEqual([notPoland.id, poland.id])
    expect(await found({ tag: ['x1', 'other'] })).toEqual([poland.id])
    expect(await found({ vertical: ['nutra'] })).toEqual([poland.id])
    expect(await found({ type: ['api'] })).toEqual([])
  })

  test('archived offers are left out unless asked for', async () => {
    const own = await makeAdvertiser(api.db)
    const offer = await makeOffer(admin, own.uuid)
    for (const status of ['paused', 'stopped', 'archived'] as const)
      await admin.call(offerApi.setStatus, { body: { uuids: [offer.uuid], status } })
    const listed = async (status: ('archived' | 'active')[]) =>
      (await admin.call(offerApi.list, { body: { advertiser_uuid: [own.uuid], status } })).data.summary.rows
    expect([await listed([]), await listed(['archived'])]).toEqual([0, 1])
  })
})

describe('whose offer it is', () => {
  test('a manager reads every offer but learns advertiser, addresses and others’ terms of the own ones only', async () => {
    const manager = await api.as('manager')
    const mine = await api.as('affiliate', { managerId: manager.managerId, name: 'Mine' })
    const other = await api.as('affiliate', { name: 'Other' })
    const goals = [
      goalInput({
        rules: [
          ruleInput(),
          ruleInput({ affiliate_uuids: [mine.uuid, other.uuid] }),
          ruleInput({ affiliate_uuids: [other.uuid], geos: ['PL'] }),
        ],
      }),
    ]
    const foreign = await makeOffer(admin, advertiser.uuid, { goals, notes: 'secret', trafficback_url: 'https://shop.example/back' })
    await admin.call(offerApi.renewToken, { params: { uuid: foreign.uuid }, body: { own: true } })
    const { data: seen } = await manager.call(offerApi.get, { params: { uuid: foreign.uuid } })
    expect(seen).toMatchObject({
      advertiser: null,
      tracking_url: '',
      trafficback_url: '',
      notes: '',
      postback_token: null,
      editable: false,
    })
    expect(seen.goals[0]?.rules.map((rule) => rule.affiliates.map((affiliate) => affiliate.name))).toEqual([[], ['Mine']])
    expect(JSON.stringify(seen)).not.toContain('Shop GmbH')
    expect(JSON.stringify(seen)).not.toContain('shop.example')
    const list = (await manager.call(offerApi.list, { body: { search: String(foreign.id) } })).data.list
    expect(list).toMatchObject([{ id: foreign.id, advertiser: null, editable: false }])
    expect((await manager.call(offerApi.list, { body: { advertiser_uuid: [advertiser.uuid] } })).data.list).toEqual([])
    const colleague = await api.as('manager')
    const theirs = await makeAdvertiser(api.db, { managerId: colleague.managerId })
    const looked = await makeOffer(admin, theirs.uuid)
    const lookedAfter = async (who: Caller) =>
      (await who.call(offerApi.list, { body: { manager_uuid: [colleague.uuid] } })).data.list.map(({ id }) => id)
    expect([await lookedAfter(admin), await lookedAfter(colleague), await lookedAfter(manager)]).toEqual([[looked.id], [looked.id], []])

    const at = { params: { uuid: foreign.uuid } }
    expect((await saveOffer(manager, foreign.uuid, form())).status).toBe(404)
    expect((await manager.call(offerApi.setStatus, { body: { uuids: [foreign.uuid], status: 'paused' } })).status).toBe(404)
    expect((await manager.call(offerApi.duplicate, at)).status).toBe(404)
    expect((await manager.call(offerApi.renewToken, { ...at, body: { own: false } })).status).toBe(404)
    expect((await manager.call(offerApi.history, at)).status).toBe(404)
    expect((await manager.call(offerApi.undo, { ...at, body: { id: '1' } })).status).toBe(404)
    expect((await manager.call(offerApi.testLink, { ...at, body: { affiliate_uuid: mine.uuid } })).status).toBe(404)
    expect((await manager.call(offerApi.addAffiliates, { ...at, body: { affiliate_uuids: [mine.uuid] } })).status).toBe(404)
    expect(
      (
        await manager.call(offerApi.decideAccess, {
          body: { entries: [{ offer_uuid: foreign.uuid, affiliate_uuid: mine.uuid }], status: 'blocked' },
        })
      ).data,
    ).toMatchObject({ changed: 0 })
  })

  test('a manager writes the offers of the own advertisers, keeps affiliates others put into rows, and adds only the own', async () => {
    const manager = await api.as('manager')
    const own = await makeAdvertiser(api.db, { managerId: manager.managerId })
    const other = await api.as('affiliate', { name: 'Other' })
    const offer = await makeOffer(admin, own.uuid, {
      goals: [goalInput({ rules: [ruleInput(), ruleInput({ affiliate_uuids: [other.uuid] })] })],
    })
    const { data: seen } = await manager.call(offerApi.get, { params: { uuid: offer.uuid } })
    expect(seen).toMatchObject({ editable: true, advertiser: { uuid: own.uuid }, tracking_url: 'https://shop.example/?c={click_id}' })
    expect(seen.goals[0]?.rules[1]?.affiliates).toEqual([{ uuid: other.uuid, id: other.affiliateId, name: '' }])
    const save = (changes: Partial<OfferInput>) => saveOffer(manager, offer.uuid, offerForm(own.uuid, changes))
    expect((await save({ goals: [goalInput({ rules: [ruleInput(), ruleInput({ affiliate_uuids: [other.uuid] })] })] })).status).toBe(200)
    const stranger = await api.as('affiliate')
    expect((await save({ goals: [goalInput({ rules: [ruleInput(), ruleInput({ affiliate_uuids: [stranger.uuid] })] })] })).status).toBe(422)
    expect(await save({ advertiser_uuid: advertiser.uuid })).toMatchObject({ status: 422, fields: { advertiser_uuid: expect.any(String) } })
    expect((await manager.call(offerApi.create, { body: offerForm(advertiser.uuid) })).status).toBe(422)
    expect((await manager.call(offerApi.create, { body: offerForm(own.uuid) })).status).toBe(200)
  })

  test('team leads choose offers for their statistics by name, and see no more of them', async () => {
    const lead = await api.as('team lead')
    const offer = await makeOffer(admin, advertiser.uuid, { title: 'Unmistakable' })
    expect((await lead.call(offerApi.options, { body: { search: 'unmistak' } })).data.list).toEqual([
      { uuid: offer.uuid, id: offer.id, name: 'Unmistakable', status: 'active', currency: 'USD' },
    ])
    await api.db.updateTable('offer').set({ status: 'archived' }).where('id', '=', offer.id).execute()
    expect((await lead.call(offerApi.options, { body: { search: 'unmistak' } })).data.list).toEqual([])
    expect((await lead.call(offerApi.options, { body: { search: offer.uuid } })).data.list).toMatchObject([{ name: 'Unmistakable' }])
    expect((await lead.call(offerApi.get, { params: { uuid: offer.uuid } })).status).toBe(403)
  })
})
