import { afterAll, beforeAll, expect, test } from 'vitest'
import { personApi } from '#contract/leads/person.ts'
import { retentionApi, retentionSetting, type Retention } from '#contract/leads/retention.ts'
import { leadApi } from '#contract/leads/lead.ts'
import { readConfig } from '#server/platform/config.ts'
import { makeAdvertiser } from '#test/support/make/factories.ts'
import { leadOf, makeLeadOffer } from '#test/support/make/leads.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'
import { openLeadVault } from '../session/vault.ts'
import { forgetExpired } from './retention.jobs.ts'

const { secretKey } = readConfig({ DATABASE_URL: 'postgres://nobody' }, 'test')
const vault = openLeadVault(secretKey)
const DAY = 86_400_000
let api: TestApi
let admin: Caller
let affiliate: Caller
let generic: { id: number; uuid: string }
let shops: { id: number; uuid: string }
beforeAll(async () => {
  api = await startApi()
  ;[admin, affiliate] = await Promise.all([api.as('admin'), api.as('affiliate')])
  const { uuid } = await makeAdvertiser(api.db)
  generic = await makeLeadOffer(api.db, admin, uuid, [], { type: 'generic' })
  shops = await makeLeadOffer(api.db, admin, uuid, [], { type: 'nutra_cod' })
})
afterAll(() => api.close())

const set = async (days: Partial<Retention>) => {
  const { changed: _changed, ...now } = (await admin.call(retentionSetting.read)).data
  return admin.call(retentionSetting.update, { body: { ...now, ...days } })
}
const preview = async (days: Partial<Retention>) =>
  (await admin.call(retentionApi.preview, { body: { ...retentionSetting.defaults, ...days } })).data
const send = async (offer: { uuid: string }, more: Record<string, unknown>) =>
  (await affiliate.call(leadApi.send, { body: leadOf(offer.uuid, more) as never })).data
const find = async (search: string) => (await admin.call(personApi.find, { body: { search } })).data.list
/** Days later, when everybody has to sign in anew. */
async function laterBy(days: number) {
  api.clock.advance(days * DAY)
  ;[admin, affiliate] = await Promise.all([api.as('admin'), api.as('affiliate')])
}
const night = (most?: number) => forgetExpired({ db: api.db, secretKey }, api.clock.now(), most)

test('people are forgotten after the days of what they came by; who is kept for a reason stays, and whoever is forgotten may come again', async () => {
  const came = api.clock.now()
  const mail = (name: string) => ({ email: `${name}@keep.example`, phone: undefined })
  const old = await send(generic, { ...mail('old'), first_name: 'Oldina', phone: '+393337770001' })
  await send(generic, { ...mail('both'), phone: '+393337770002' })
  await send(shops, { ...mail('both'), phone: '+393337770002' })
  for (const [at, name] of ['restricted', 'waits', 'unpaid', 'young', 'owed', 'billed'].entries())
    await send(generic, { ...mail(name), phone: `+39333777001${at}` })
  const [restricted] = await find('restricted@keep.example')
  await admin.call(personApi.restrict, { params: { uuid: restricted?.uuid ?? '' }, body: { restricted: true, reason: 'Asked by letter' } })
  const sessionOf = async (name: string) => {
    const { id } = await api.db
      .selectFrom('person')
      .select('id')
      .where('email_hash', '=', vault.hash('email', `${name}@keep.example`))
      .executeTakeFirstOrThrow()
    return api.db.selectFrom('user_session').select(['id', 'click_id']).where('person_id', '=', id).executeTakeFirstOrThrow()
  }
  await api.db
    .updateTable('user_session')
    .set({ status: 'ambiguous' })
    .where('id', '=', (await sessionOf('waits')).id)
    .execute()
  const goal = await api.db.selectFrom('goal').select('id').where('offer_id', '=', generic.id).executeTakeFirstOrThrow()
  const book = async (name: string, payout: string) => {
    const values = {
      click_id: (await sessionOf(name)).click_id,
      goal_id: goal.id,
      offer_id: generic.id,
      affiliate_id: affiliate.affiliateId ?? 0,
      advertiser_id: (await api.db.selectFrom('advertiser').select('id').executeTakeFirstOrThrow()).id,
      status: 'approved',
      payout,
      revenue: '8',
      currency: 'USD',
      click_at: new Date(came),
      rule: '{}',
      created_at: new Date(came),
      updated_at: new Date(came),
    }
    return api.db
      .insertInto('conversion')
      .values(values as never)
      .returning(['id', 'advertiser_id'])
      .executeTakeFirstOrThrow()
  }
  await book('unpaid', '5')
  // nobody is paid for them, but their advertiser owes; of one that is billed elsewhere it is not known
  const owed = await book('owed', '0')
  const billed = await book('billed', '0')
  await laterBy(40)
  // whose lead changed since is not old yet
  await api.db
    .updateTable('user_session')
    .set({ changed_at: new Date(api.clock.now() - DAY) })
    .where('id', '=', (await sessionOf('young')).id)
    .execute()
  await send(generic, { ...mail('new'), phone: '+393337770020' })

  // nobody is forgotten unless somebody says so, and then by what was said
  expect(await preview({})).toMatchObject({ people: 0, oldest: null })
  expect(await night()).toBe(0)
  expect((await set({ generic: 5 })).fields).toEqual({ generic: 'At least 30 days' })
  expect(await preview({ generic: 30 })).toMatchObject({ people: 3, kept: { unbilled: 0 } })
  const invoice = await api.db
    .insertInto('advertiser_invoice')
    .values({
      advertiser_id: owed.advertiser_id,
      currency: 'USD',
      period_to: '2026-11-01',
      time_zone: 'UTC',
      due_day: '2026-11-30',
      created_at: new Date(came),
      updated_at: new Date(came),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const bill = (billed: string, conversion: { id: string }) =>
    api.db.updateTable('conversion').set({ billed }).where('id', '=', conversion.id).execute()
  await bill('8', billed)
  const line = { invoice_id: invoice.id, kind: 'conversion' as const, conversion_id: billed.id, amount: '8', issued: true }
  await api.db.insertInto('advertiser_invoice_line').values(line).execute()
  const owe = (open: 8 | 0) =>
    api.db
      .updateTable('advertiser_invoice')
      .set({
        number: 'A-1',
        series: 'A',
        series_number: 1,
        billed_to: '{}',
        net: '8',
        total: '8',
        open: String(open),
        received: String(8 - open),
        status: open === 0 ? 'paid' : 'issued',
      })
      .where('id', '=', invoice.id)
      .execute()
  await owe(8)
  expect(await preview({ generic: 30 })).toEqual({
    people: 1,
    more: false,
    oldest: new Date(came).toISOString(),
    kept: { restricted: 1, open: 1, unpaid: 1, unbilled: 2 },
    last_night: 0,
  })
  expect(await preview({ generic: 30, nutra_cod: 30 })).toMatchObject({ people: 2 })
  expect(await preview({ generic: 365 })).toMatchObject({ people: 0 })

  await set({ generic: 30 })
  const [first, second] = await Promise.all([night(), night()])
  expect(first + second).toBe(1)
  expect(await find('old@keep.example')).toEqual([])
  for (const name of ['both', 'restricted', 'waits', 'unpaid', 'young', 'owed', 'billed', 'new'])
    expect([name, (await find(`${name}@keep.example`)).length]).toEqual([name, 1])
  const kept = await api.db
    .selectFrom('user_session')
    .select(['sealed', 'country', 'status'])
    .where('uuid', '=', old.session_uuid)
    .executeTakeFirstOrThrow()
  expect(kept).toEqual({ sealed: null, country: 'IT', status: 'unsold' })
  expect(await preview({ generic: 30 })).toMatchObject({ people: 0, last_night: 1 })
  const entry = await api.db
    .selectFrom('audit')
    .select(['actor_id', 'after'])
    .where('entity', '=', 'person')
    .where('action', '=', 'erase')
    .executeTakeFirstOrThrow()
  expect(entry).toEqual({ actor_id: null, after: { reason: 'retention', sessions: 1 } })
  // nobody asked for it: they are neither suppressed, nor has anybody to be told
  expect((await send(generic, { ...mail('old'), phone: '+393337770001' })).reason).not.toBe('suppressed')
  expect((await admin.call(personApi.toTell, {})).data.list).toEqual([])

  // a night forgets so many, the next goes on
  await set({ nutra_cod: 30 })
  api.clock.advance(40 * DAY)
  expect(await night(2)).toBe(2)
  expect(await night(2)).toBe(2)
  expect(await night(2)).toBe(0)
  await owe(0)
  expect(await night()).toBe(1)
  await bill('8', owed)
  expect(await night()).toBe(1)
})

test('admin and head alone set it', async () => {
  const asked = (['head', 'manager', 'team lead', 'affiliate'] as const).map(async (role) => {
    const who = await api.as(role)
    return (await who.call(retentionApi.preview, { body: retentionSetting.defaults })).status
  })
  expect(await Promise.all(asked)).toEqual([200, 403, 403, 403])
})
