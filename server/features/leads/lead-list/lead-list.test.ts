import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { leadListApi } from '#contract/leads/lead-list.ts'
import { openLeadVault } from '#server/features/leads/session/vault.ts'
import { readConfig } from '#server/platform/config.ts'
import { makeAdvertiser } from '#test/support/make/factories.ts'
import { makeApiOffer, makeProduct } from '#test/support/make/products.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'

const DAY = 86_400_000
let api: TestApi
let admin: Caller
let lead: Caller
/** Somebody of the team, and somebody of another one. */
let mine: Caller
let theirs: Caller
let product: { id: number; uuid: string }
let offer: { id: number; uuid: string }
let advertiser: { id: number; uuid: string }
beforeAll(async () => {
  api = await startApi()
  ;[admin, lead] = await Promise.all([api.as('admin'), api.as('team lead')])
  const manager = await api.as('manager', { teamLeadId: lead.managerId })
  const stranger = await api.as('manager')
  ;[mine, theirs] = [
    await api.as('affiliate', { managerId: manager.managerId }),
    await api.as('affiliate', { managerId: stranger.managerId }),
  ]
  advertiser = await makeAdvertiser(api.db, { name: 'Zephyr Brokers' })
  product = await makeProduct(api.db, advertiser.id, api.clock.now())
  offer = await makeApiOffer(api.db, product.id)
})
afterAll(() => api.close())

const vault = openLeadVault(readConfig({ DATABASE_URL: 'postgres://nobody' }, 'test').secretKey)
let people = 0
type Made = {
  country?: string
  status?: 'unsold' | 'closed'
  test?: boolean
  days?: number
  personId?: string
  suppressed?: boolean
  erased?: boolean
  restricted?: boolean
}
/** A lead of an affiliate, of a new person unless one is named. */
async function makeLead(
  affiliate: Caller,
  { country = 'IT', status = 'unsold', test: isTest = false, days = 1, personId, ...of }: Made = {},
) {
  people += 1
  const number = people
  const at = new Date(api.clock.now() - days * DAY)
  const email = `person${number}@mail.example`
  const person =
    personId ??
    (
      await api.db
        .insertInto('person')
        .values({
          email_hash: vault.hash('email', email),
          country,
          test: isTest,
          suppressed_at: of.suppressed === true ? at : null,
          erased_at: of.erased === true ? at : null,
          restricted_at: of.restricted === true ? at : null,
          first_seen_at: at,
          last_seen_at: at,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id
  const session = await api.db
    .insertInto('user_session')
    .values({
      person_id: person,
      affiliate_id: affiliate.affiliateId ?? 0,
      offer_id: offer.id,
      click_id: `click ${number}`,
      origin: 'api',
      test: isTest,
      status,
      country,
      sealed: vault.sealTold({ first_name: 'Anna', email, phone: '' }),
      draw: 0.5,
      received_at: at,
      changed_at: at,
    })
    .returning(['id', 'uuid'])
    .executeTakeFirstOrThrow()
  return { ...session, personId: person, email }
}
let lists = 0
async function makeList(who: Caller, title = `List ${(lists += 1)}`) {
  return (await who.call(leadListApi.create, { body: { title, description: '' } })).data
}
const get = async (who: Caller, uuid: string) => (await who.call(leadListApi.get, { params: { uuid } })).data
const add = (who: Caller, uuid: string, body: object) => who.call(leadListApi.addSessions, { params: { uuid }, body })
const itemsOf = async (who: Caller, uuid: string, body: object = {}) => (await who.call(leadListApi.items, { params: { uuid }, body })).data
const idsOf = async (who: Caller, uuid: string) => (await itemsOf(who, uuid)).list.map(({ id }) => id)

test('everything that matches is added at once, each person once, and who is left out is told by reason', async () => {
  const [first, second] = [await makeLead(mine, { country: 'PL', days: 3 }), await makeLead(mine, { country: 'PL' })]
  const again = await makeLead(mine, { country: 'PL', days: 2, personId: first.personId })
  await makeLead(mine, { country: 'PL', suppressed: true })
  await makeLead(mine, { country: 'PL', test: true })
  await makeLead(mine, { country: 'PL', erased: true })
  await makeLead(mine, { country: 'PL', restricted: true })
  await makeLead(mine, { country: 'ES' })
  const { uuid } = await makeList(lead)
  const matching = { status: ['unsold' as const], country: ['PL'] }
  const tried = (await lead.call(leadListApi.trySessions, { params: { uuid }, body: { matching } })).data
  const counts = { added: 2, left_out: { duplicate: 1, suppressed: 1, test: 1, erased: 1, restricted: 1 } }
  expect(tried).toMatchObject(counts)
  expect((await get(lead, uuid)).total).toBe(0)
  expect((await add(lead, uuid, { matching: { ...matching, until: tried.until } })).data).toMatchObject(counts)
  const { list } = await itemsOf(lead, uuid)
  // the newest lead of each stands for them
  expect(list.map(({ session }) => session?.uuid).toSorted()).toEqual([again.uuid, second.uuid].toSorted())
  expect(list[0]).toMatchObject({
    source: 'session',
    via: 'filter',
    email: 'p***@m***.example',
    affiliate: { id: mine.affiliateId },
    added_by: expect.stringContaining('team lead'),
  })
  expect((await add(lead, uuid, { matching })).data).toMatchObject({
    added: 0,
    left_out: { in_list: 3, suppressed: 1, test: 1, erased: 1, restricted: 1 },
  })

  const candidates = (await lead.call(leadListApi.sessions, { params: { uuid }, body: { country: ['PL'] } })).data.list
  expect(candidates.map(({ left_out }) => left_out).toSorted()).toEqual([
    'erased',
    'in_list',
    'in_list',
    'in_list',
    'restricted',
    'suppressed',
    'test',
  ])
  expect(await get(lead, uuid)).toMatchObject({
    status: 'ready',
    total: 2,
    sendable: 2,
    by_source: { session: 2, conversion: 0, file: 0 },
    geos: [{ country: 'PL', items: 2 }],
    owner: { id: lead.managerId },
  })
  // who asks for silence later is counted as they are now
  await api.db.updateTable('person').set({ suppressed_at: new Date() }).where('id', '=', second.personId).execute()
  expect(await get(lead, uuid)).toMatchObject({ total: 2, sendable: 1, suppressed: 1 })
  expect((await itemsOf(lead, uuid)).list.map(({ unsendable }) => unsendable).toSorted()).toEqual(['suppressed', null].toSorted())
})

test('they are narrowed by lists, by advertisers and by age', async () => {
  const [listed, sent, old, fresh] = [
    await makeLead(mine, { country: 'SE' }),
    await makeLead(mine, { country: 'SE' }),
    await makeLead(mine, { country: 'SE', days: 200 }),
    await makeLead(mine, { country: 'SE' }),
  ]
  const { version_id } = await api.db.selectFrom('product').select('version_id').where('id', '=', product.id).executeTakeFirstOrThrow()
  await api.db
    .insertInto('lead_send')
    .values({
      session_id: sent.id,
      person_id: sent.personId,
      product_id: product.id,
      advertiser_id: advertiser.id,
      version_id,
      attempt: 1,
      status: 'rejected',
      outcome: 'rejected',
      asked_at: new Date(api.clock.now()),
    })
    .execute()
  const [other, { uuid }] = [await makeList(lead), await makeList(lead)]
  await add(lead, other.uuid, { uuids: [listed.uuid] })
  const found = async (body: object) => {
    const { data } = await lead.call(leadListApi.sessions, { params: { uuid }, body: { country: ['SE'], ...body } })
    return data.list.map((one) => one.uuid).toSorted()
  }
  expect(await found({ not_listed: true })).toEqual([sent.uuid, old.uuid, fresh.uuid].toSorted())
  expect(await found({ age_max: 100, not_listed: true })).toEqual([sent.uuid, fresh.uuid].toSorted())
  expect(await found({ age_min: 100 })).toEqual([old.uuid])
  const asked = { params: { uuid }, body: { country: ['SE'], not_sent_to_uuid: [advertiser.uuid] } }
  // the advertiser is nobody of the team's
  expect(await lead.call(leadListApi.sessions, asked)).toMatchObject({ status: 422, fields: { not_sent_to_uuid: expect.any(String) } })
  const notSent = async () => (await admin.call(leadListApi.sessions, asked)).data.list.map((one) => one.uuid)
  expect((await notSent()).toSorted()).toEqual([listed.uuid, old.uuid, fresh.uuid].toSorted())
  // who has the telephone of whom it had is the same to it, whatever the e-mail address
  const phones = api.db.updateTable('person').where('id', 'in', [sent.personId, fresh.personId])
  await phones.set({ phone_hash: vault.hash('phone', '+46700000001') }).execute()
  expect((await notSent()).toSorted()).toEqual([listed.uuid, old.uuid].toSorted())
  await phones.set({ phone_hash: null }).execute()
  // of its own sends anybody of the list is told
  const [item] = (await itemsOf(lead, other.uuid)).list
  expect(item?.sends).toBe(0)
  await add(lead, other.uuid, { uuids: [sent.uuid] })
  const [row] = (await itemsOf(lead, other.uuid, { search: sent.email })).list
  expect(row?.sends).toBe(1)
  const sends = async (who: Caller) =>
    (await who.call(leadListApi.sends, { params: { uuid: other.uuid }, body: { item_id: row?.id ?? '' } })).data.list
  expect(await sends(lead)).toMatchObject([{ status: 'rejected', advertiser: null, product: null }])
  expect(await sends(admin)).toMatchObject([{ status: 'rejected', advertiser: { name: 'Zephyr Brokers' } }])
})

test('people of conversions are added with the conversion they are of', async () => {
  const sold = await makeLead(mine, { status: 'closed', country: 'NO' })
  const strange = await makeLead(theirs, { status: 'closed', country: 'NO' })
  const goal = await api.db.selectFrom('goal').select('id').where('offer_id', '=', offer.id).executeTakeFirstOrThrow()
  for (const [of, whose] of [
    [sold, mine],
    [strange, theirs],
  ] as const) {
    const { click_id } = await api.db.selectFrom('user_session').select('click_id').where('id', '=', of.id).executeTakeFirstOrThrow()
    const at = new Date(api.clock.now() - DAY)
    await api.db
      .insertInto('conversion')
      .values({
        click_id,
        offer_id: offer.id,
        goal_id: goal.id,
        affiliate_id: whose.affiliateId ?? 0,
        advertiser_id: advertiser.id,
        status: 'declined',
        currency: 'USD',
        payout: '10',
        revenue: '20',
        geo: 'NO',
        click_at: at,
        created_at: at,
        updated_at: at,
        rule: '{}',
      } as never) // the columns that have no default
      .execute()
  }
  const { uuid } = await makeList(lead)
  const matching = { status: ['declined' as const], geo: ['NO'] }
  const shown = (await lead.call(leadListApi.conversions, { params: { uuid }, body: matching })).data
  expect(shown.list).toMatchObject([{ status: 'declined', left_out: null, affiliate: { id: mine.affiliateId } }])
  expect((await lead.call(leadListApi.addConversions, { params: { uuid }, body: { matching } })).data).toMatchObject({
    added: 1,
    left_out: {},
  })
  expect((await itemsOf(lead, uuid, { source: ['conversion'] })).list).toMatchObject([
    { source: 'conversion', session: { uuid: sold.uuid }, conversion: { status: 'declined' } },
  ])
  expect(
    (await lead.call(leadListApi.tryConversions, { params: { uuid }, body: { uuids: [shown.list[0]?.uuid ?? ''] } })).data,
  ).toMatchObject({
    added: 0,
    left_out: { in_list: 1 },
  })
})

describe('a team lead reaches only people of the own team', () => {
  test('whatever is named, found or added', async () => {
    const [own, strange] = [await makeLead(mine, { country: 'FI' }), await makeLead(theirs, { country: 'FI' })]
    const { uuid } = await makeList(lead)
    for (const search of ['', strange.uuid, strange.id, strange.email]) {
      const { data } = await lead.call(leadListApi.sessions, { params: { uuid }, body: { country: ['FI'], search } })
      expect(data.list.map((one) => one.uuid)).toEqual(search === '' ? [own.uuid] : [])
    }
    expect((await add(lead, uuid, { uuids: [strange.uuid] })).data).toMatchObject({ added: 0, left_out: {} })
    expect((await add(lead, uuid, { matching: { country: ['FI'] } })).data).toMatchObject({ added: 1 })
    // an admin adds a stranger to it: the team lead still sees the own people alone, in rows and in figures
    expect((await add(admin, uuid, { matching: { country: ['FI'] } })).data).toMatchObject({ added: 1, left_out: { in_list: 1 } })
    expect((await itemsOf(lead, uuid)).summary.rows).toBe(1)
    expect((await itemsOf(lead, uuid, { search: strange.email })).list).toEqual([])
    expect((await itemsOf(admin, uuid)).summary.rows).toBe(2)
    expect([(await get(lead, uuid)).total, (await get(admin, uuid)).total]).toEqual([1, 2])
    const all = await idsOf(admin, uuid)
    expect((await lead.call(leadListApi.removeItems, { params: { uuid }, body: { item_ids: all } })).data).toEqual({ changed: 1 })
    const strangeItem = (await itemsOf(admin, uuid)).list[0]?.id
    expect((await lead.call(leadListApi.sends, { params: { uuid }, body: { item_id: strangeItem ?? '' } })).status).toBe(404)
    const split = await lead.call(leadListApi.split, { params: { uuid }, body: { title: 'Not theirs', countries: ['FI'] } })
    expect(split).toMatchObject({ status: 422, fields: { countries: expect.any(String) } })
  })

  test('and no list of others; managers and affiliates reach none', async () => {
    const { uuid } = await makeList(admin)
    expect((await lead.call(leadListApi.get, { params: { uuid } })).status).toBe(404)
    const shown = (await lead.call(leadListApi.list, { body: { count: 100 } })).data.list
    expect(shown.map((one) => one.uuid)).not.toContain(uuid)
    for (const who of [await api.as('manager'), mine]) {
      expect((await who.call(leadListApi.list, { body: {} })).status).toBe(403)
      expect((await who.call(leadListApi.items, { params: { uuid }, body: {} })).status).toBe(403)
    }
  })
})

describe('a list', () => {
  test('is renamed, has a title of its own, is put away and deleted, but not while it is sent', async () => {
    const { uuid, id } = await makeList(lead, 'Spring leads')
    expect((await lead.call(leadListApi.create, { body: { title: 'SPRING leads', description: '' } })).fields).toEqual({
      title: 'Another list has this title',
    })
    // what others call theirs is nobody's to know
    expect((await admin.call(leadListApi.create, { body: { title: 'Spring leads', description: '' } })).status).toBe(200)
    const { version } = await get(lead, uuid)
    const renamed = await lead.call(leadListApi.update, { params: { uuid }, body: { title: 'Summer leads', description: 'x', version } })
    expect(renamed.data).toMatchObject({ title: 'Summer leads', status: 'draft' })
    expect((await lead.call(leadListApi.update, { params: { uuid }, body: { title: 'Late', description: '', version } })).status).toBe(409)
    const at = new Date(api.clock.now())
    const recold = await api.db
      .insertInto('recold')
      .values({
        title: 'Evening sale',
        list_id: id,
        offer_id: offer.id,
        affiliate_id: mine.affiliateId ?? 0,
        schedule: '{}',
        pacing: '{}',
        data: '{}',
        skip: '{}',
        seed: '1',
        created_at: at,
        updated_at: at,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    expect(await get(lead, uuid)).toMatchObject({ status: 'in_use', used_in: [{ title: 'Evening sale', status: 'draft' }], uses: 1 })
    for (const call of [
      () => lead.call(leadListApi.remove, { params: { uuid } }),
      () => lead.call(leadListApi.archive, { params: { uuid }, body: { archived: true } }),
    ])
      expect(await call()).toMatchObject({
        status: 409,
        errors: { 1188: 'The list “Summer leads” is used by Evening sale. End or delete that first.' },
      })
    await api.db.updateTable('recold').set({ status: 'done' }).where('id', '=', recold.id).execute()
    await lead.call(leadListApi.archive, { params: { uuid }, body: { archived: true } })
    const open = (await lead.call(leadListApi.list, { body: { search: 'Summer' } })).data.list
    expect(open).toEqual([])
    expect((await lead.call(leadListApi.list, { body: { search: 'Summer', status: ['archived'] } })).data.list).toHaveLength(1)
    expect((await lead.call(leadListApi.options, { body: { search: 'Summer' } })).data.list).toEqual([])
    const refused = await add(lead, uuid, { uuids: [(await makeLead(mine)).uuid] })
    expect(refused).toMatchObject({ status: 409, errors: { 1189: expect.stringContaining('Summer leads') } })
    expect((await lead.call(leadListApi.remove, { params: { uuid } })).status).toBe(200)
    expect((await lead.call(leadListApi.get, { params: { uuid } })).status).toBe(404)
    expect((await makeList(lead, 'Summer leads')).uuid).not.toBe(uuid)
  })

  test('gives people up, takes them back, and hands them to another one', async () => {
    const made = [await makeLead(mine), await makeLead(mine), await makeLead(mine)]
    const [from, to] = [await makeList(lead), await makeList(lead)]
    await add(lead, from.uuid, { uuids: made.map(({ uuid }) => uuid) })
    const [a = '', b = '', c = ''] = await idsOf(lead, from.uuid)
    const call = (which: 'removeItems' | 'restoreItems', ids: string[]) =>
      lead.call(leadListApi[which], { params: { uuid: from.uuid }, body: { item_ids: ids } })
    expect((await call('removeItems', [a, b])).data).toEqual({ changed: 2 })
    expect((await call('removeItems', [a])).data).toEqual({ changed: 0 })
    expect(await get(lead, from.uuid)).toMatchObject({ total: 1, removed: 2 })
    expect((await itemsOf(lead, from.uuid, { shown: 'removed' })).summary.rows).toBe(2)
    // who was taken out is not brought back by a filter
    expect((await add(lead, from.uuid, { uuids: made.map(({ uuid }) => uuid) })).data.left_out).toEqual({ in_list: 1, removed: 2 })
    await call('restoreItems', [a, b])
    await add(lead, to.uuid, { uuids: [made[0]!.uuid] })
    const move = () => lead.call(leadListApi.moveItems, { params: { uuid: from.uuid }, body: { item_ids: [a, b, c], to_uuid: to.uuid } })
    expect((await move()).data).toEqual({ moved: 2, there: 1, left: 0 })
    expect((await move()).data).toEqual({ moved: 0, there: 0, left: 0 })
    const nowhere = { params: { uuid: from.uuid }, body: { item_ids: [a], to_uuid: '' } }
    expect((await lead.call(leadListApi.moveItems, nowhere)).fields).toEqual({ to_uuid: 'Choose a list' })
    expect((await lead.call(leadListApi.merge, { params: { uuid: from.uuid }, body: { from_uuid: '' } })).fields).toEqual({
      from_uuid: 'Choose a list',
    })
    expect([(await get(lead, from.uuid)).total, (await get(lead, to.uuid)).total]).toEqual([0, 3])
  })

  test('takes another one in, and is split by country and by share', async () => {
    const made = await Promise.all(Array.from({ length: 10 }, (_, at) => makeLead(mine, { country: at < 4 ? 'DK' : 'NL' })))
    const [one, other] = [await makeList(lead), await makeList(lead)]
    await add(lead, one.uuid, { uuids: made.slice(0, 6).map(({ uuid }) => uuid) })
    await add(lead, other.uuid, { uuids: made.slice(4).map(({ uuid }) => uuid) })
    const merge = () => lead.call(leadListApi.merge, { params: { uuid: one.uuid }, body: { from_uuid: other.uuid, archive: true } })
    expect((await merge()).data).toEqual({ added: 4, there: 2 })
    expect((await merge()).data).toEqual({ added: 0, there: 6 })
    expect((await get(lead, other.uuid)).status).toBe('archived')
    const split = (body: { title: string; countries?: string[]; percent?: number }) =>
      lead.call(leadListApi.split, { params: { uuid: one.uuid }, body })
    const danes = (await split({ title: 'Danes', countries: ['DK'] })).data
    expect(danes.moved).toBe(4)
    expect(await get(lead, danes.uuid)).toMatchObject({ total: 4, geos: [{ country: 'DK', items: 4 }] })
    expect((await split({ title: 'Danes', countries: ['DK'] })).fields).toEqual({ title: 'Another list has this title' })
    expect((await split({ title: 'Nobody', countries: ['DK'] })).fields).toEqual({ countries: 'Nobody of this list is meant by that' })
    const half = (await split({ title: 'Half of them', percent: 50 })).data
    expect([half.moved, (await get(lead, one.uuid)).total]).toEqual([3, 3])
    expect((await itemsOf(lead, half.uuid)).list.map(({ via }) => via)).toEqual(['split', 'split', 'split'])
    expect((await split({ title: 'Neither' })).status).toBe(400)
  })

  test('takes each person once, however many add at once', async () => {
    const made = await Promise.all(Array.from({ length: 5 }, () => makeLead(mine, { country: 'IE' })))
    const { uuid } = await makeList(lead)
    const answers = await Promise.all(Array.from({ length: 4 }, () => add(lead, uuid, { matching: { country: ['IE'] } })))
    expect(answers.reduce((sum, { data }) => sum + data.added, 0)).toBe(made.length)
    expect((await get(lead, uuid)).total).toBe(made.length)
  })
})

test('what a file told of somebody is gone once they are erased, whoever erases them', async () => {
  const { personId } = await makeLead(mine)
  const { id } = await makeList(lead)
  const item = await api.db
    .insertInto('lead_list_item')
    .values({
      list_id: id,
      person_id: personId,
      source: 'file',
      via: 'file',
      sealed: vault.sealTold({ first_name: 'Berta' }),
      consent: JSON.stringify({ text: 'Yes' }),
      added_at: new Date(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await api.db.updateTable('person').set({ erased_at: new Date() }).where('id', '=', personId).execute()
  const kept = await api.db.selectFrom('lead_list_item').select(['sealed', 'consent']).where('id', '=', item.id).executeTakeFirstOrThrow()
  expect(kept).toEqual({ sealed: null, consent: null })
})
