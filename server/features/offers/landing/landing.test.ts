import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ERRORS } from '#contract/errors.ts'
import { landingApi, landingFilters } from '#contract/offers/landing.ts'
import { offerApi } from '#contract/offers/offer.ts'
import { partnerOfferApi } from '#contract/offers/partner-offer.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'
import { makeAdvertiser } from '#test/support/make/factories.ts'
import { landingInput, makeLanding, upload } from '#test/support/make/landings.ts'
import { goalInput, makeOffer, offerForm, ruleInput, saveOffer } from '#test/support/make/offers.ts'
import { pngOf } from '#test/support/make/picture.ts'
import { listen } from '#server/platform/pg/listen.ts'
import { SNAPSHOT_CHANNEL } from '#server/features/traffic/snapshot/snapshot.queries.ts'
import { until } from '#test/support/run/tracker.ts'
import { checkDueLandings } from './landing-check.service.ts'

let api: TestApi
let admin: Caller
let manager: Caller
let own: { id: number; uuid: string }
let strangers: { id: number; uuid: string }
const dataDir = mkdtempSync(join(tmpdir(), 'ohma-landing-'))
let page: { url: string; status: number; leadsTo: string; asked: string[]; close(): void }
beforeAll(async () => {
  page = await startPage()
  api = await startApi({
    env: { TRACKING_URL: 'https://go.example', OUTBOUND_ALLOW: new URL(page.url).host, DATA_DIR: dataDir },
  })
  admin = await api.as('admin')
  manager = await api.as('manager')
  own = await makeAdvertiser(api.db, { managerId: manager.managerId })
  strangers = await makeAdvertiser(api.db)
})
afterAll(async () => {
  await api.close()
  page.close()
  rmSync(dataDir, { recursive: true })
})

/** A page on this machine that answers with `status`, leads from /moved to `leadsTo`, and notes how it was asked. */
async function startPage() {
  const state = { url: '', status: 200, leadsTo: '/here', asked: [] as string[], close: () => void server.close() }
  const server = createServer((request, response) => {
    state.asked.push(`${request.method} ${request.url}`)
    if (request.url === '/moved') response.writeHead(302, { location: state.leadsTo }).end()
    else response.writeHead(state.status).end('x'.repeat(100_000))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  state.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}` // a TCP server has a port
  return state
}

const proposal = {
  name: 'Autumn sale',
  url: 'https://autumn.example/?c={click_id}',
  type: 'landing' as const,
  language: '',
  preview: null,
  weight: 70,
}

describe('managing landings', () => {
  test('what was saved is what is shown, and each change is announced to the trackers and logged', async () => {
    const affiliate = await api.as('affiliate')
    const heard: string[] = []
    const listener = await listen(api.databaseUrl, { [SNAPSHOT_CHANNEL]: (payload) => void heard.push(payload) }, async () => {})
    const form = landingInput({
      name: 'Private page',
      privacy: 'private',
      affiliate_uuids: [affiliate.uuid],
      advertiser_uuid: own.uuid,
      notes: 'Test',
      tags: ['sale', 'Sale ', 'sale'],
    })
    const { data: made } = await admin.call(landingApi.create, { body: form })
    expect(made).toMatchObject({
      name: 'Private page',
      status: 'active',
      privacy: 'private',
      notes: 'Test',
      tags: ['sale'],
      advertiser: { uuid: own.uuid },
    })
    expect(made.affiliates.map((one) => one.uuid)).toEqual([affiliate.uuid])
    const changed = await admin.call(landingApi.update, {
      params: { uuid: made.uuid },
      body: { ...landingInput({ name: 'Public page' }), version: made.version },
    })
    expect(changed.data).toMatchObject({ name: 'Public page', privacy: 'public', affiliates: [], advertiser: null })
    const log = await api.db
      .selectFrom('audit')
      .select(['action', 'actor_id', 'before', 'after'])
      .where('entity', '=', 'landing')
      .where('entity_id', '=', String(made.id))
      .orderBy('id')
      .execute()
    expect(log).toMatchObject([
      { action: 'create', actor_id: admin.accountId, before: null, after: { name: 'Private page', privacy: 'private' } },
      {
        action: 'update',
        actor_id: admin.accountId,
        before: { name: 'Private page', privacy: 'private' },
        after: { name: 'Public page', privacy: 'public' },
      },
    ])
    await admin.call(landingApi.setStatus, { body: { uuids: [made.uuid], status: 'stopped' } })
    // a new landing stands in no offer yet, so trackers need not hear of it
    await until(() => heard.length >= 2)
    expect(heard).toEqual([`landing:${made.id}`, `landing:${made.id}`])
    await listener.stop()
  })

  test.each([
    ['no address', { url: '' }, 'url', 400],
    ['an address without http', { url: 'ftp://land.example/' }, 'url', 400],
    ['a macro nobody fills', { url: 'https://land.example/?c={clickid}' }, 'url', 422],
    ['a macro of postbacks', { url: 'https://land.example/?c={payout}' }, 'url', 422],
    ['a language that is none', { language: 'English' }, 'language', 400],
    ['a language nobody speaks', { language: 'zz' }, 'language', 400],
    ['an advertiser that does not exist', { advertiser_uuid: '00000000-0000-4000-8000-000000000000' }, 'advertiser_uuid', 422],
    ['an affiliate that does not exist', { affiliate_uuids: ['00000000-0000-4000-8000-000000000000'] }, 'affiliate_uuids', 422],
  ])('%s is refused at its field', async (_title, changes, field, status) => {
    const answer = await admin.call(landingApi.create, { body: landingInput(changes) })
    expect({ status: answer.status, fields: Object.keys(answer.fields) }).toEqual({ status, fields: [field] })
  })

  test('an unknown macro is named', async () => {
    const { fields } = await admin.call(landingApi.create, { body: landingInput({ url: 'https://land.example/?c={clickid}' }) })
    expect(fields['url']).toContain('{clickid}')
  })

  test('what somebody else saved meanwhile is not overwritten', async () => {
    const made = await makeLanding(admin)
    const seen = { params: { uuid: made.uuid }, body: { ...landingInput({ name: 'Mine' }), version: made.version } }
    expect((await admin.call(landingApi.update, seen)).status).toBe(200)
    expect((await admin.call(landingApi.update, seen)).status).toBe(409)
  })

  test('its type and its advertiser stay while offers use it, which are named', async () => {
    const made = await makeLanding(admin, { name: 'Used page', advertiser_uuid: own.uuid })
    const landings = [{ landing_uuid: made.uuid, weight: 1 }]
    const offers = [await makeOffer(admin, own.uuid, { title: 'First shop', landings }), await makeOffer(admin, own.uuid, { landings })]
    const save = (changes: Parameters<typeof landingInput>[0]) =>
      admin.call(landingApi.update, {
        params: { uuid: made.uuid },
        body: { ...landingInput({ name: 'Used page', advertiser_uuid: own.uuid, ...changes }), version: made.version },
      })
    const named = `${offers[0]?.id} First shop, ${offers[1]?.id} Shop`
    const typed = await save({ type: 'prelanding' })
    expect(typed).toMatchObject({ status: 422, fields: { type: `The type stays while offers use it: ${named}` } })
    const moved = await save({ advertiser_uuid: strangers.uuid })
    expect(moved).toMatchObject({ status: 422, fields: { advertiser_uuid: `Offers of another advertiser use it: ${named}` } })
    // anybody's landing may stand there still
    expect((await save({ advertiser_uuid: null })).status).toBe(200)
    const free = await makeLanding(admin)
    const body = { ...landingInput({ type: 'prelanding', advertiser_uuid: strangers.uuid }), version: free.version }
    expect((await admin.call(landingApi.update, { params: { uuid: free.uuid }, body })).data.type).toBe('prelanding')
  })

  test('the list finds by name, number, address, language, tag, offer, advertiser, privacy and reachability, and hides deleted ones unless asked', async () => {
    const kept = await makeLanding(admin, { name: 'Zebra page', language: 'pl', tags: ['stripes'], url: 'https://zebra.example/' })
    const gone = await makeLanding(admin, { name: 'Zebra gone' })
    await admin.call(landingApi.setStatus, { body: { uuids: [gone.uuid], status: 'deleted' } })
    const late = { uuids: [kept.uuid, gone.uuid], status: 'stopped' as const, expected: 'moderation' as const }
    expect((await admin.call(landingApi.setStatus, { body: late })).data).toEqual({ changed: 0 })
    const offer = await makeOffer(admin, own.uuid, { landings: [{ landing_uuid: kept.uuid, weight: 1 }] })
    const found = async (
      body: Parameters<typeof admin.call<typeof landingApi.list>>[1] extends { body?: infer B } | undefined ? B : never,
    ) => (await admin.call(landingApi.list, { body: body ?? {} })).data.list.map((row) => row.name)
    for (const body of [
      { search: 'zebra' },
      { search: String(kept.id) },
      { search: 'zebra.example' },
      { language: ['pl'] },
      { tag: ['stripes'] },
      { offer_uuid: [offer.uuid] },
      { search: 'zebra', privacy: ['public' as const] },
      { search: 'zebra', reachable: ['unchecked' as const] },
    ])
      expect(await found(body), JSON.stringify(body)).toEqual(['Zebra page'])
    expect(await found({ search: 'zebra', status: ['deleted'] })).toEqual(['Zebra gone'])
    const whose = await makeAdvertiser(api.db)
    const hidden = await makeLanding(admin, { name: 'Yak page', url: `${page.url}/yak`, privacy: 'private', advertiser_uuid: whose.uuid })
    const yaks = { search: 'yak page' }
    expect(await found({ advertiser_uuid: [whose.uuid] })).toEqual(['Yak page'])
    expect(await found({ ...yaks, privacy: ['private'] })).toEqual(['Yak page'])
    expect(await found({ ...yaks, privacy: ['public'] })).toEqual([])
    for (const [status, reachable] of [
      [200, 'works'],
      [503, 'fails'],
    ] as const) {
      page.status = status
      await admin.call(landingApi.check, { params: { uuid: hidden.uuid } })
      for (const asked of ['works', 'fails', 'unchecked'] as const)
        expect(await found({ ...yaks, reachable: [asked] }), `${status} ${asked}`).toEqual(asked === reachable ? ['Yak page'] : [])
      expect(await found({ ...yaks, reachable: ['works', 'fails'] })).toEqual(['Yak page'])
    }
    page.status = 200
    const { data } = await admin.call(landingApi.get, { params: { uuid: kept.uuid } })
    expect(data).toMatchObject({ offers: 1, active_offers: 1, used_by: [{ uuid: offer.uuid, weight: 1, status: 'active' }] })
  })
})

describe('proposing within an offer', () => {
  test('a manager proposes at an offer of an own advertiser; it waits there, and is active once approved', async () => {
    const offer = await makeOffer(admin, own.uuid)
    const { status, data } = await manager.call(landingApi.propose, { params: { uuid: offer.uuid }, body: proposal })
    expect(status).toBe(200)
    const seen = () => manager.call(offerApi.get, { params: { uuid: offer.uuid } })
    expect((await seen()).data.landings).toMatchObject([{ uuid: data.uuid, status: 'moderation', weight: 70 }])
    const decide = { body: { uuids: [data.uuid], approve: true, reason: 'Fine' } }
    expect((await admin.call(landingApi.decide, decide)).data.changed).toBe(1)
    expect((await admin.call(landingApi.decide, decide)).data.changed).toBe(0)
    expect((await seen()).data.landings).toMatchObject([{ status: 'active' }])
    expect((await admin.call(landingApi.get, { params: { uuid: data.uuid } })).data).toMatchObject({
      reason: 'Fine',
      proposed_by: expect.any(String),
      advertiser: { uuid: own.uuid },
    })
  })

  test('a rejected one keeps its reason, which its proposer reads at the offer, and reaches nobody', async () => {
    const offer = await makeOffer(admin, own.uuid)
    const stranger = await api.as('manager')
    const { data } = await manager.call(landingApi.propose, { params: { uuid: offer.uuid }, body: proposal })
    await admin.call(landingApi.decide, { body: { uuids: [data.uuid], approve: false, reason: 'The logo is old' } })
    expect((await admin.call(landingApi.get, { params: { uuid: data.uuid } })).data).toMatchObject({
      status: 'stopped',
      reason: 'The logo is old',
    })
    const seen = async (who: Caller) => (await who.call(offerApi.get, { params: { uuid: offer.uuid } })).data.landings
    expect(await seen(manager)).toMatchObject([{ status: 'stopped', reason: 'The logo is old' }])
    expect(await seen(stranger)).toMatchObject([{ status: 'stopped', reason: '' }])
    const { list } = (await admin.call(landingApi.list, { body: { search: proposal.name, sort: 'id', direction: 'desc' } })).data
    expect(list[0]).toMatchObject({ uuid: data.uuid, reason: 'The logo is old' })
    for (const sort of landingFilters.shape.sort.unwrap().options)
      expect((await admin.call(landingApi.list, { body: { search: proposal.name, sort } })).data.list).toHaveLength(list.length)
  })

  test('proposing and what was decided stand in the history of the offer; let in after all, it keeps no reason', async () => {
    const offer = await makeOffer(admin, own.uuid)
    const { data } = await manager.call(landingApi.propose, { params: { uuid: offer.uuid }, body: proposal })
    await admin.call(landingApi.decide, { body: { uuids: [data.uuid], approve: false, reason: 'The logo is old' } })
    const give = (status: 'active' | 'moderation') => admin.call(landingApi.setStatus, { body: { uuids: [data.uuid], status } })
    await give('moderation')
    await give('active')
    const { version } = (await admin.call(landingApi.get, { params: { uuid: data.uuid } })).data
    const renamed = { ...landingInput({ name: 'Winter sale', url: proposal.url, advertiser_uuid: own.uuid }), version }
    expect((await admin.call(landingApi.update, { params: { uuid: data.uuid }, body: renamed })).status).toBe(200)
    expect((await admin.call(landingApi.get, { params: { uuid: data.uuid } })).data).toMatchObject({ status: 'active', reason: '' })
    expect(await give('moderation')).toMatchObject({
      status: 409,
      errors: { [ERRORS.status_not_allowed.code]: ERRORS.status_not_allowed.text },
    })
    const { list } = (await manager.call(offerApi.history, { params: { uuid: offer.uuid }, body: { count: 3 } })).data
    expect(list).toMatchObject([
      { action: 'approve_landing', undoable: false, after: { landing_uuid: data.uuid } },
      { action: 'reject_landing', after: { landing_uuid: data.uuid, reason: 'The logo is old' } },
      { action: 'propose_landing', actor: expect.any(String), after: { landing_uuid: data.uuid } },
    ])
    // whatever it was called when it was proposed
    expect(list.map(({ named }) => named)).toEqual(
      list.map(() => [{ kind: 'landing', uuid: data.uuid, id: expect.any(Number), name: 'Winter sale' }]),
    )
  })

  test('who decided takes it back, unless somebody has changed it since', async () => {
    const offer = await makeOffer(admin, own.uuid)
    const { data } = await manager.call(landingApi.propose, { params: { uuid: offer.uuid }, body: proposal })
    const uuids = [data.uuid]
    const undo = async (who: Caller) => (await who.call(landingApi.undo, { body: { uuids } })).data
    const seen = async () => (await admin.call(landingApi.get, { params: { uuid: data.uuid } })).data
    // nothing was decided yet
    expect(await undo(admin)).toEqual({ changed: 0 })
    await admin.call(landingApi.decide, { body: { uuids, approve: false, reason: 'The logo is old' } })
    expect(await undo(await api.as('head'))).toEqual({ changed: 0 })
    expect(await undo(admin)).toEqual({ changed: 1 })
    expect(await seen()).toMatchObject({ status: 'moderation', reason: '' })
    const { list } = (await manager.call(offerApi.history, { params: { uuid: offer.uuid }, body: { count: 1 } })).data
    expect(list).toMatchObject([{ action: 'reopen_landing', undoable: false, after: { landing_uuid: data.uuid } }])

    await admin.call(landingApi.decide, { body: { uuids, approve: true, reason: '' } })
    await (await api.as('head')).call(landingApi.setStatus, { body: { uuids, status: 'stopped' } })
    expect(await undo(admin)).toEqual({ changed: 0 })
    expect((await seen()).status).toBe('stopped')
  })

  test('one that waits is turned down with a reason only, never stopped or deleted past the decision', async () => {
    const offer = await makeOffer(admin, own.uuid)
    const { data } = await manager.call(landingApi.propose, { params: { uuid: offer.uuid }, body: proposal })
    const silent = await admin.call(landingApi.decide, { body: { uuids: [data.uuid], approve: false, reason: ' ' } })
    expect({ status: silent.status, fields: Object.keys(silent.fields) }).toEqual({ status: 400, fields: ['reason'] })
    const other = await makeLanding(admin)
    for (const status of ['stopped', 'deleted'] as const) {
      const answer = await admin.call(landingApi.setStatus, { body: { uuids: [other.uuid, data.uuid], status } })
      expect(answer).toMatchObject({ status: 409, fields: { uuids: `Decide first about: ${data.id} ${proposal.name}` } })
    }
    expect((await admin.call(landingApi.get, { params: { uuid: other.uuid } })).data.status).toBe('active')
  })

  test('an offer of somebody else’s advertiser does not exist for it, nor do landings of that advertiser', async () => {
    const offer = await makeOffer(admin, strangers.uuid)
    expect((await manager.call(landingApi.propose, { params: { uuid: offer.uuid }, body: proposal })).status).toBe(404)
    const theirs = await makeLanding(admin, { name: 'Their page', advertiser_uuid: strangers.uuid })
    const endless = await manager.call(landingApi.options, { body: { type: Array<'landing'>(65_536).fill('landing') } })
    expect(endless).toMatchObject({ status: 400, fields: { type: 'At most 2 values' } })
    const { data } = await manager.call(landingApi.options, { body: { search: 'Their page' } })
    expect(data.list).toEqual([])
    // who may see both is offered only what the server would take
    const fitting = async (uuid: string | null) =>
      (await admin.call(landingApi.options, { body: { search: 'Their page', advertiser_uuid: uuid } })).data.list.map(({ name }) => name)
    const free = await makeLanding(admin, { name: 'Their page or mine' })
    expect(await fitting(own.uuid)).toEqual(['Their page or mine'])
    expect(await fitting(strangers.uuid)).toEqual(['Their page', 'Their page or mine'])
    expect(await fitting(null)).toEqual(['Their page', 'Their page or mine'])
    // a deleted one is not offered, but a filter that has it says what it is called, to whoever knows it
    await admin.call(landingApi.setStatus, { body: { uuids: [free.uuid], status: 'deleted' } })
    expect(await fitting(null)).toEqual(['Their page'])
    const named = { body: { search: free.uuid } }
    expect((await admin.call(landingApi.options, named)).data.list).toMatchObject([{ name: 'Their page or mine' }])
    expect((await manager.call(landingApi.options, named)).data.list).toEqual([])
    const taken = await manager.call(offerApi.create, {
      body: offerForm(own.uuid, { landings: [{ landing_uuid: theirs.uuid, weight: 1 }] }),
    })
    expect(taken).toMatchObject({
      status: 422,
      fields: { 'landings.0.landing_uuid': 'This offer may not have this landing: remove it' },
    })
    const seen = await manager.call(offerApi.get, {
      params: { uuid: (await makeOffer(admin, strangers.uuid, { landings: [{ landing_uuid: theirs.uuid, weight: 1 }] })).uuid },
    })
    expect(seen.data.landings).toMatchObject([{ name: 'Their page', url: '' }])
  })

  test('an offer takes a hundred landings, however many are proposed at once', async () => {
    const offer = await makeOffer(admin, own.uuid)
    const filled = await api.db
      .insertInto('landing')
      .values(
        Array.from({ length: 99 }, (_, index) => ({
          name: `Page ${index}`,
          url: 'https://full.example/',
          type: 'landing' as const,
          status: 'active' as const,
          created_at: new Date(api.clock.now()),
          next_check_at: new Date(api.clock.now() + 365 * 86_400_000),
        })),
      )
      .returning('id')
      .execute()
    await api.db
      .insertInto('offer_landing')
      .values(filled.map(({ id }, position) => ({ offer_id: offer.id, landing_id: id, weight: 1, position })))
      .execute()
    const propose = () => manager.call(landingApi.propose, { params: { uuid: offer.uuid }, body: proposal })
    const answers = await Promise.all([propose(), propose()])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect(answers.find(({ status }) => status === 409)?.errors).toHaveProperty(String(ERRORS.limit_reached.code))
    expect((await manager.call(offerApi.get, { params: { uuid: offer.uuid } })).data.landings).toHaveLength(100)
  })
})

describe('landings a manager knows', () => {
  test('are those of own advertisers, those own offers have, and of the network’s own the public ones that are active', async () => {
    const make = async (name: string, changes: Parameters<typeof makeLanding>[1] = {}) =>
      makeLanding(admin, { name: `Known: ${name}`, ...changes })
    const [open, stopped, hidden, placed] = [
      await make('open'),
      await make('stopped'),
      await make('hidden', { privacy: 'private' }),
      await make('placed', { privacy: 'private' }),
    ]
    await make('own', { privacy: 'private', advertiser_uuid: own.uuid })
    await make('theirs', { advertiser_uuid: strangers.uuid })
    await admin.call(landingApi.setStatus, { body: { uuids: [stopped.uuid], status: 'stopped' } })
    await makeOffer(admin, own.uuid, { landings: [{ landing_uuid: placed.uuid, weight: 1 }] })
    await makeOffer(admin, strangers.uuid, { landings: [{ landing_uuid: hidden.uuid, weight: 1 }] })
    const { list } = (await manager.call(landingApi.options, { body: { search: 'Known:' } })).data
    expect(list.map(({ name }) => name)).toEqual(['Known: open', 'Known: own', 'Known: placed'])
    const choose = (uuid: string) =>
      manager.call(offerApi.create, { body: offerForm(own.uuid, { landings: [{ landing_uuid: uuid, weight: 1 }] }) })
    expect((await choose(open.uuid)).status).toBe(200)
    for (const { uuid } of [stopped, hidden]) {
      expect(await choose(uuid)).toMatchObject({
        status: 422,
        fields: { 'landings.0.landing_uuid': 'This offer may not have this landing: remove it' },
      })
    }
  })

  test('show their pictures, and of strangers only public ones do', async () => {
    const pictured = async (privacy: 'public' | 'private', advertiser: { uuid: string }) => {
      const preview = (await upload(api, admin, pngOf(30, 20))).data.uuid
      const made = await makeLanding(admin, { privacy, preview, advertiser_uuid: advertiser.uuid })
      const offer = await makeOffer(admin, advertiser.uuid, { landings: [{ landing_uuid: made.uuid, weight: 1 }] })
      const { data } = await manager.call(offerApi.get, { params: { uuid: offer.uuid } })
      const answer = await fetch(`${api.url}/api/file/v1/get/${preview}`, { headers: { authorization: `Bearer ${manager.token}` } })
      return { named: data.landings[0]?.preview === preview, shown: answer.status === 200 }
    }
    const yes = { named: true, shown: true }
    expect(await pictured('private', own)).toEqual(yes)
    expect(await pictured('public', strangers)).toEqual(yes)
    expect(await pictured('private', strangers)).toEqual({ named: false, shown: false })
  })
})

describe('landings of an offer', () => {
  const bad = [1.5, -1, 1001]
  test.each(bad)('a weight of %d is refused', async (weight) => {
    const made = await makeLanding(admin)
    expect(
      (await admin.call(offerApi.create, { body: offerForm(own.uuid, { landings: [{ landing_uuid: made.uuid, weight }] }) })).status,
    ).toBe(400)
  })

  test('are copied with the offer, and undone with a change of it', async () => {
    const [first, second] = [await makeLanding(admin, { name: 'First' }), await makeLanding(admin, { name: 'Second', type: 'prelanding' })]
    const landings = [
      { landing_uuid: first.uuid, weight: 30 },
      { landing_uuid: second.uuid, weight: 0 },
    ]
    const rules = [ruleInput(), ruleInput({ landing_uuids: [first.uuid], payout_fixed: '12' })]
    const offer = await makeOffer(admin, own.uuid, { landings, goals: [goalInput({ rules })] })
    const copy = await admin.call(offerApi.duplicate, { params: { uuid: offer.uuid } })
    const shown = async (uuid: string) => (await admin.call(offerApi.get, { params: { uuid } })).data
    const copied = await shown(copy.data.uuid)
    expect(copied.landings).toMatchObject([
      { name: 'First', weight: 30 },
      { name: 'Second', weight: 0, type: 'prelanding' },
    ])
    expect(copied.goals[0]?.rules[1]?.landings).toMatchObject([{ name: 'First' }])

    await saveOffer(admin, offer.uuid, offerForm(own.uuid))
    expect((await shown(offer.uuid)).landings).toEqual([])
    const { data } = await admin.call(offerApi.history, { params: { uuid: offer.uuid }, body: {} })
    await admin.call(offerApi.undo, { params: { uuid: offer.uuid }, body: { id: data.list[0]?.id ?? '' } })
    expect((await shown(offer.uuid)).landings).toMatchObject([{ name: 'First', weight: 30 }, { name: 'Second' }])
  })

  test('a deleted one keeps its place in the offer, so that its payout row never holds for all', async () => {
    const [stays, goes] = [await makeLanding(admin, { name: 'Stays' }), await makeLanding(admin, { name: 'Goes' })]
    const landings = [stays, goes].map(({ uuid }) => ({ landing_uuid: uuid, weight: 1 }))
    const goals = [goalInput({ rules: [ruleInput(), ruleInput({ landing_uuids: [goes.uuid], payout_fixed: '90' })] })]
    const offer = await makeOffer(admin, own.uuid, { landings, goals })
    await admin.call(landingApi.setStatus, { body: { uuids: [goes.uuid], status: 'deleted' } })
    const copy = await admin.call(offerApi.duplicate, { params: { uuid: offer.uuid } })
    expect(copy.status).toBe(200)
    for (const uuid of [offer.uuid, copy.data.uuid]) {
      const { data } = await admin.call(offerApi.get, { params: { uuid } })
      expect(data.landings).toMatchObject([{ name: 'Stays' }, { name: 'Goes', status: 'deleted' }])
      expect(data.goals[0]?.rules).toMatchObject([{ landings: [] }, { landings: [{ name: 'Goes' }], payout_fixed: '90.0000' }])
    }
    const saved = await saveOffer(admin, offer.uuid, offerForm(own.uuid, { title: 'Renamed', landings, goals }))
    expect(saved.status).toBe(200)
    const anew = await admin.call(offerApi.create, { body: offerForm(own.uuid, { landings, goals }) })
    expect(anew).toMatchObject({
      status: 422,
      fields: { 'landings.1.landing_uuid': 'This offer may not have this landing: remove it' },
    })
  })

  test('a payout row for a landing that is taken out never comes to hold for all', async () => {
    const [stays, goes] = [await makeLanding(admin), await makeLanding(admin)]
    const row = ruleInput({ landing_uuids: [goes.uuid], geos: ['DE'], payout_fixed: '90' })
    const wide = { ...row, landing_uuids: [], payout_fixed: '90.00' }
    const offer = await makeOffer(admin, own.uuid, {
      landings: [stays, goes].map(({ uuid }) => ({ landing_uuid: uuid, weight: 1 })),
      goals: [goalInput({ rules: [row, ruleInput()] })],
    })
    const save = (landings: { uuid: string }[], rules: (typeof row)[]) =>
      saveOffer(
        admin,
        offer.uuid,
        offerForm(own.uuid, { landings: landings.map(({ uuid }) => ({ landing_uuid: uuid, weight: 1 })), goals: [goalInput({ rules })] }),
      )
    const refused = { 'goals.0.rules.0.landing_uuids': expect.any(String) }
    expect(await save([stays], [row, ruleInput()])).toMatchObject({ status: 400, fields: refused })
    expect(await save([stays], [wide, ruleInput()])).toMatchObject({ status: 422, fields: refused })
    // whoever means everybody says so while the landing stands there
    expect((await save([stays, goes], [wide, ruleInput()])).status).toBe(200)
    expect((await save([stays, goes], [row, ruleInput()])).status).toBe(200)
    expect((await save([stays], [ruleInput()])).status).toBe(200)
  })

  test('one of an advertiser stands only in offers of that advertiser', async () => {
    const theirs = await makeLanding(admin, { advertiser_uuid: strangers.uuid })
    const landings = [{ landing_uuid: theirs.uuid, weight: 1 }]
    const answer = await admin.call(offerApi.create, { body: offerForm(own.uuid, { landings }) })
    expect(answer).toMatchObject({
      status: 422,
      fields: { 'landings.0.landing_uuid': 'This offer may not have this landing: remove it' },
    })
    const { data: offer } = await admin.call(offerApi.create, { body: offerForm(strangers.uuid, { landings }) })
    // nor does it go along to another one
    expect(await saveOffer(admin, offer.uuid, offerForm(own.uuid, { landings }))).toMatchObject({
      status: 422,
      fields: { 'landings.0.landing_uuid': 'This offer may not have this landing: remove it' },
    })
    expect((await saveOffer(admin, offer.uuid, offerForm(own.uuid))).status).toBe(200)
  })

  test('a proposal is not saved away by somebody who opened the offer before it', async () => {
    const offer = await makeOffer(admin, own.uuid)
    const { version } = (await admin.call(offerApi.get, { params: { uuid: offer.uuid } })).data
    const proposed = await manager.call(landingApi.propose, { params: { uuid: offer.uuid }, body: proposal })
    expect(proposed.data.version).toBe(version + 1)
    const late = await admin.call(offerApi.update, { params: { uuid: offer.uuid }, body: { ...offerForm(own.uuid), version } })
    expect(late.status).toBe(409)
    expect((await admin.call(offerApi.get, { params: { uuid: offer.uuid } })).data.landings).toMatchObject([{ status: 'moderation' }])
  })

  test('a team lead filters statistics by their names and learns no address and no proposal', async () => {
    const lead = await api.as('team lead')
    await makeLanding(admin, { name: 'Led page' })
    const offer = await makeOffer(admin, own.uuid)
    await manager.call(landingApi.propose, { params: { uuid: offer.uuid }, body: { ...proposal, name: 'Led proposal' } })
    const { data } = await lead.call(landingApi.options, { body: { search: 'Led p' } })
    expect(data.list).toMatchObject([{ name: 'Led page', url: '' }])
  })

  test('a payout row names only landings of its offer', async () => {
    const made = await makeLanding(admin)
    const goals = [goalInput({ rules: [ruleInput(), ruleInput({ landing_uuids: [made.uuid] })] })]
    const { fields } = await admin.call(offerApi.create, { body: offerForm(own.uuid, { goals }) })
    expect(Object.keys(fields)).toEqual(['goals.0.rules.1.landing_uuids'])
  })

  test('a payout row names no pre-landing, by which nothing is paid', async () => {
    const made = await makeLanding(admin, { name: 'Before it', type: 'prelanding' })
    const goals = [goalInput({ rules: [ruleInput(), ruleInput({ landing_uuids: [made.uuid] })] })]
    const answer = await admin.call(offerApi.create, {
      body: offerForm(own.uuid, { landings: [{ landing_uuid: made.uuid, weight: 1 }], goals }),
    })
    expect(answer).toMatchObject({
      status: 422,
      fields: { 'goals.0.rules.1.landing_uuids': 'Payouts go by landings, not by pre-landings' },
    })
  })

  test('the simulator names the landing a click is sent to and pays by it', async () => {
    const made = await makeLanding(admin, { name: 'Paid page' })
    const affiliate = await api.as('affiliate')
    const goals = [goalInput({ rules: [ruleInput(), ruleInput({ landing_uuids: [made.uuid], payout_fixed: '12' })] })]
    const offer = await makeOffer(admin, own.uuid, { landings: [{ landing_uuid: made.uuid, weight: 1 }], goals })
    const ask = { affiliate_uuid: affiliate.uuid, geo: 'UA', device: 'mobile' as const }
    const { data } = await admin.call(offerApi.simulate, { params: { uuid: offer.uuid }, body: ask })
    expect(data).toMatchObject({
      landing: { name: 'Paid page' },
      prelanding: null,
      payouts: [{ rule: 1, payout_fixed: expect.stringMatching(/^12\.0+$/) }],
    })
    expect(data.destination).toMatch(/^https:\/\/land\.example\/\?c=0+$/)
    await admin.call(landingApi.setStatus, { body: { uuids: [made.uuid], status: 'stopped' } })
    const stopped = await admin.call(offerApi.simulate, { params: { uuid: offer.uuid }, body: { ...ask, landing: String(made.id) } })
    expect(stopped.data.reason).toBe('landing_inactive')
  })
})

describe('what an affiliate sees', () => {
  test('the active landings of offers it may promote, those for others left out, without anything that is staff’s', async () => {
    const [affiliate, other] = [await api.as('affiliate'), await api.as('affiliate')]
    const { data: picture } = await upload(api, admin, pngOf(30, 20))
    const shown = await makeLanding(admin, {
      name: 'Shown',
      notes: 'Secret note',
      url: 'https://land.example/{sub1}?l={landing_id}',
      preview: picture.uuid,
    })
    const mine = await makeLanding(admin, { name: 'Own page', privacy: 'private', affiliate_uuids: [affiliate.uuid] })
    const theirs = await makeLanding(admin, { name: 'Their own page', privacy: 'private', affiliate_uuids: [other.uuid] })
    const stopped = await makeLanding(admin, { name: 'Stopped' })
    await admin.call(landingApi.setStatus, { body: { uuids: [stopped.uuid], status: 'stopped' } })
    const landings = [shown, mine, theirs, stopped].map((one) => ({ landing_uuid: one.uuid, weight: 1 }))
    const rules = [
      ruleInput(),
      ...[shown, theirs, stopped].map((one, index) => ruleInput({ landing_uuids: [one.uuid], payout_fixed: `2${index}` })),
    ]
    const offer = await makeOffer(admin, own.uuid, {
      title: 'For them',
      privacy: 'premoderation',
      deep_link_hosts: ['shop.example'],
      landings,
      goals: [goalInput({ rules })],
    })
    const see = async () => (await affiliate.call(partnerOfferApi.get, { params: { uuid: offer.uuid } })).data
    const link = (landing: number) =>
      affiliate.call(partnerOfferApi.link, { params: { uuid: offer.uuid }, body: { landing: String(landing) } })
    const picked = () => fetch(`${api.url}/api/file/v1/get/${picture.uuid}`, { headers: { authorization: `Bearer ${affiliate.token}` } })
    expect((await see()).landings).toEqual([])
    expect((await picked()).status).toBe(404)

    await admin.call(offerApi.addAffiliates, { params: { uuid: offer.uuid }, body: { affiliate_uuids: [affiliate.uuid] } })
    const seen = await see()
    expect(seen.landings).toEqual([
      {
        id: shown.id,
        name: 'Shown',
        type: 'landing',
        language: 'en',
        preview: picture.uuid,
        preview_url: 'https://land.example/test?l=test',
        broken: false,
      },
      expect.objectContaining({ id: mine.id, name: 'Own page' }),
    ])
    await api.db.updateTable('landing').set({ failures: 3, check_error: 'timeout' }).where('id', '=', mine.id).execute()
    expect((await see()).landings.map(({ broken }) => broken)).toEqual([false, true])
    expect(seen.goals[0]?.terms.map((terms) => terms.landings)).toEqual([[shown.id], []])
    expect(JSON.stringify(seen)).not.toContain('Secret')
    expect((await picked()).status).toBe(200)
    expect((await link(mine.id)).data.url).toBe(
      `https://go.example/click?offer_id=${offer.id}&pid=${affiliate.affiliateId}&landing=${mine.id}`,
    )
    const both = { landing: String(mine.id), deeplink: 'https://shop.example/p' }
    for (const endpoint of [partnerOfferApi.link, partnerOfferApi.createShortLink]) {
      const answer = await affiliate.call(endpoint, { params: { uuid: offer.uuid }, body: both })
      expect(answer).toMatchObject({ status: 422, fields: { deeplink: 'Choose either a landing or a deep link' } })
    }
    for (const hidden of [theirs.id, stopped.id, 999]) expect((await link(hidden)).fields).toHaveProperty('landing')
    const choices = async (search: string) =>
      (await affiliate.call(landingApi.options, { body: { search } })).data.list.map((one) => one.name)
    expect(await choices('own page')).toEqual(['Own page'])
    // what is stopped is not offered, but a filter that has it says what it is called; not what is for others or waits
    expect(await choices('stopped')).toEqual([])
    expect(await choices(stopped.uuid)).toEqual(['Stopped'])
    expect(await choices(theirs.uuid)).toEqual([])
    await api.db.updateTable('landing').set({ status: 'moderation' }).where('id', '=', stopped.id).execute()
    expect(await choices(stopped.uuid)).toEqual([])
  })
})

describe('looking whether a landing is there', () => {
  const due = () => checkDueLandings({ db: api.db, clock: api.clock, policy: { allow: [new URL(page.url).host] } })
  const see = async (uuid: string) => (await admin.call(landingApi.get, { params: { uuid } })).data
  /** Those of other tests are not asked for: their hosts exist nowhere, and to hear that takes a machine without a network long. */
  const leaveOthers = () =>
    api.db
      .updateTable('landing')
      .set({ next_check_at: new Date(api.clock.now() + 365 * 86_400_000) })
      .execute()

  test('its page is asked for with sample values, again only hours later, and one look says what came', async () => {
    await leaveOthers()
    page.asked = []
    const made = await makeLanding(admin, { url: `${page.url}/here?s={sub1}` })
    expect(await due()).toBe(1)
    expect(page.asked).toEqual(['HEAD /here?s=test'])
    expect(await see(made.uuid)).toMatchObject({
      check_status: 200,
      check_error: '',
      failures: 0,
      checked_at: new Date(api.clock.now()).toISOString(),
    })
    expect(await due()).toBe(0)
    api.clock.advance(5 * 3_600_000)
    expect(await due()).toBeGreaterThan(0)
  })

  test('one that waits for a decision is looked at like active ones', async () => {
    await leaveOthers()
    const offer = await makeOffer(admin, own.uuid)
    const body = { ...proposal, url: `${page.url}/proposed` }
    const { data } = await manager.call(landingApi.propose, { params: { uuid: offer.uuid }, body })
    expect(await due()).toBe(1)
    expect(await see(data.uuid)).toMatchObject({ status: 'moderation', check_status: 200 })
  })

  test('failures are counted until it works again, and its status stays', async () => {
    const made = await makeLanding(admin, { url: `${page.url}/gone` })
    page.status = 503
    page.asked = []
    const look = async () => (await admin.call(landingApi.check, { params: { uuid: made.uuid } })).data
    await look()
    expect(page.asked).toEqual(['HEAD /gone', 'GET /gone'])
    expect(await look()).toMatchObject({ failures: 2, check_status: 503, status: 'active' })
    page.status = 200
    expect(await look()).toMatchObject({ failures: 0, check_status: 200 })
  })

  test('redirects are followed, and the page at their end is what counts', async () => {
    const made = await makeLanding(admin, { url: `${page.url}/moved` })
    const look = async (leadsTo: string, status = 200) => {
      Object.assign(page, { leadsTo, status, asked: [] })
      const { check_status, check_error, failures } = (await admin.call(landingApi.check, { params: { uuid: made.uuid } })).data
      page.status = 200
      return { check_status, check_error, works: failures === 0 }
    }
    expect(await look('/here')).toEqual({ check_status: 200, check_error: '', works: true })
    expect(page.asked).toEqual(['HEAD /moved', 'HEAD /here'])
    expect(await look(`${page.url}/gone`, 404)).toEqual({ check_status: 404, check_error: '', works: false })
    // neither a circle nor an answer that says nothing of where to go is a page
    expect(await look('/moved')).toEqual({ check_status: null, check_error: 'too_many_redirects', works: false })
    expect(await look('/not-modified', 304)).toEqual({ check_status: 304, check_error: '', works: false })
    // a page of others must not lead the network's own machine to its neighbours
    for (const leadsTo of ['http://127.0.0.1:1/', 'http://169.254.169.254/latest', 'file:///etc/passwd'])
      expect(await look(leadsTo), leadsTo).toEqual({ check_status: null, check_error: 'refused_target', works: false })
  })

  test('a page in a private network is not asked for', async () => {
    const made = await makeLanding(admin, { url: 'http://127.0.0.1:1/' })
    expect((await admin.call(landingApi.check, { params: { uuid: made.uuid } })).data).toMatchObject({
      check_error: 'refused_target',
      check_status: null,
      failures: 1,
    })
  })

  test('a look at an address that was changed meanwhile counts for nothing', async () => {
    const made = await makeLanding(admin, { url: 'http://127.0.0.1:1/' })
    await admin.call(landingApi.check, { params: { uuid: made.uuid } })
    await admin.call(landingApi.update, {
      params: { uuid: made.uuid },
      body: { ...landingInput({ url: `${page.url}/new` }), version: made.version },
    })
    expect(await see(made.uuid)).toMatchObject({ failures: 0, checked_at: null })
  })
})
