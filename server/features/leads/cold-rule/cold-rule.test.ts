import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { coldRuleApi, type ColdRuleInput } from '#contract/leads/cold-rule.ts'
import { leadListApi } from '#contract/leads/lead-list.ts'
import { recoldApi } from '#contract/leads/recold.ts'
import { notificationApi } from '#contract/network/notification.ts'
import { openLeadVault } from '#server/features/leads/session/vault.ts'
import { readConfig } from '#server/platform/config.ts'
import { coldRuleForm, recoldForm } from '#test/support/make/cold.ts'
import { makeAdvertiser } from '#test/support/make/factories.ts'
import { makeLeadOffer } from '#test/support/make/leads.ts'
import { makeProduct } from '#test/support/make/products.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'
import { runColdRules } from './cold-rule.jobs.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const vault = openLeadVault(readConfig({ DATABASE_URL: 'postgres://nobody' }, 'test').secretKey)
let api: TestApi
let admin: Caller
let lead: Caller
let mine: Caller
let theirs: Caller
let offer: { id: number; uuid: string }
let advertiser: { id: number; uuid: string }
beforeAll(async () => {
  api = await startApi()
  ;[admin, lead] = await Promise.all([api.as('admin'), api.as('team lead')])
  mine = await api.as('affiliate', { managerId: lead.managerId })
  theirs = await api.as('affiliate', { managerId: (await api.as('manager')).managerId })
  advertiser = await makeAdvertiser(api.db, { name: 'Second Brokers' })
  const product = await makeProduct(api.db, advertiser.id, api.clock.now())
  await sql`update product set tested_version_id = version_id, tested_at = ${new Date(api.clock.now())} where id = ${product.id}`.execute(
    api.db,
  )
  offer = await makeLeadOffer(api.db, admin, advertiser.uuid, [{ ...product, terms: {} }] as never)
})
afterAll(() => api.close())
beforeEach(async () => {
  await api.db.updateTable('cold_rule').set({ status: 'archived', event: null }).execute()
  // nobody of the tests before is looked at
  await api.db.updateTable('user_session').set({ traffic_type: 'cold' }).execute()
})

let people = 0
type Made = {
  affiliate?: Caller
  status?: 'unsold' | 'accepted' | 'queued' | 'closed'
  country?: string
  hours?: number
  test?: boolean
  suppressed?: boolean
}
async function makeLead({
  affiliate = mine,
  status = 'unsold',
  country = 'IT',
  hours = 1,
  test: isTest = false,
  suppressed = false,
}: Made = {}) {
  const number = (people += 1)
  const at = new Date(api.clock.now() - hours * HOUR)
  const email = `anna.${number}@mail.example`
  const person = await api.db
    .insertInto('person')
    .values({
      email_hash: vault.hash('email', email),
      country,
      test: isTest,
      suppressed_at: suppressed ? at : null,
      first_seen_at: at,
      last_seen_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const session = await api.db
    .insertInto('user_session')
    .values({
      person_id: person.id,
      affiliate_id: affiliate.affiliateId ?? 0,
      offer_id: offer.id,
      click_id: `click ${number}`,
      origin: 'api',
      test: isTest,
      status,
      country,
      sealed: vault.sealTold({ first_name: 'Anna', last_name: 'Rossi', email, phone: '+393331234567' }),
      draw: 0.5,
      received_at: at,
      changed_at: at,
    })
    .returning(['id', 'uuid'])
    .executeTakeFirstOrThrow()
  return { ...session, personId: person.id, clickId: `click ${number}` }
}
const makeLeads = (count: number, made: Made = {}) => Promise.all(Array.from({ length: count }, () => makeLead(made)))
const moveTo = (id: string, to: { status?: 'unsold' | 'accepted'; call_status?: string }) =>
  api.db
    .updateTable('user_session')
    .set({ ...to, changed_at: new Date(api.clock.now()) })
    .where('id', '=', id)
    .execute()
let lists = 0
const makeList = async (who: Caller) =>
  (await who.call(leadListApi.create, { body: { title: `Target ${(lists += 1)}`, description: '' } })).data.uuid
const into = (list_uuid: string) => ({ kind: 'list' as const, list_uuid })
async function makeRule(who: Caller, changes: Partial<ColdRuleInput>) {
  const { data, fields } = await who.call(coldRuleApi.create, { body: coldRuleForm(changes) })
  expect(fields).toEqual({})
  return data.uuid
}
/** A rule that was run dry and started. */
async function startRule(who: Caller, changes: Partial<ColdRuleInput>) {
  const uuid = await makeRule(who, changes)
  await who.call(coldRuleApi.dryRun, { params: { uuid } })
  const { data } = await who.call(coldRuleApi.activate, { params: { uuid } })
  expect(data.status).toBe('active')
  return uuid
}
const get = async (who: Caller, uuid: string) => (await who.call(coldRuleApi.get, { params: { uuid } })).data
const itemsOf = async (who: Caller, uuid: string) =>
  (await who.call(leadListApi.items, { params: { uuid }, body: { count: 100 } })).data.list
const runsOf = async (who: Caller, uuid: string) => (await who.call(coldRuleApi.runs, { params: { uuid }, body: {} as never })).data.list
/** Runs whatever rule has its turn, until none has. */
async function work() {
  while ((await runColdRules(api.db, api.clock.now())) === 'more');
}

test('what would be done is counted and shown masked; nothing is started until its version was run dry', async () => {
  await makeLeads(3)
  await makeLead({ suppressed: true })
  await makeLead({ test: true })
  await makeLead({ country: 'DE' })
  const list = await makeList(admin)
  const audience = {
    match: 'all' as const,
    groups: [{ match: 'all' as const, conditions: [{ field: 'country' as const, op: 'in' as const, values: ['IT'] }] }],
  }
  const form = coldRuleForm({ audience, action: into(list), per_run: 2 })
  const { title: _title, ...settings } = form
  const { data: counted } = await admin.call(coldRuleApi.count, { body: settings })
  expect(counted).toMatchObject({ matched: 5, queued: 2, skipped: { suppressed: 1, test: 1, per_run: 1 }, more: false })
  expect(counted.sample).toHaveLength(2)
  expect(counted.sample[0]).toMatchObject({ name: 'A*** R***', email: 'a***@m***.example', affiliate: { id: mine.affiliateId } })
  expect(JSON.stringify(counted)).not.toMatch(/Rossi|anna\.\d|1234567/)

  const uuid = await makeRule(admin, form)
  const refused = await admin.call(coldRuleApi.activate, { params: { uuid } })
  expect(refused).toMatchObject({ status: 409, errors: { 1195: expect.stringContaining('Version 1') } })
  expect((await admin.call(coldRuleApi.run, { params: { uuid } })).status).toBe(409)
  expect((await admin.call(coldRuleApi.dryRun, { params: { uuid } })).data).toMatchObject({ matched: 5, queued: 2 })
  // it was only counted
  expect(await itemsOf(admin, list)).toEqual([])
  expect((await admin.call(coldRuleApi.activate, { params: { uuid } })).data).toMatchObject({
    status: 'active',
    live_number: 1,
    tried: true,
  })

  // other settings are another version, which is tried anew; until then the one before goes on
  const { version } = await get(admin, uuid)
  const changed = await admin.call(coldRuleApi.update, { params: { uuid }, body: { ...form, per_run: 50, version } })
  expect(changed.data).toMatchObject({ status: 'active', number: 2, live_number: 1, tried: false })
  expect((await admin.call(coldRuleApi.activate, { params: { uuid } })).status).toBe(409)
  await admin.call(coldRuleApi.run, { params: { uuid } })
  await work()
  expect(await itemsOf(admin, list)).toHaveLength(2)
  await admin.call(coldRuleApi.dryRun, { params: { uuid } })
  expect((await admin.call(coldRuleApi.activate, { params: { uuid } })).data).toMatchObject({ number: 2, live_number: 2 })
  await admin.call(coldRuleApi.run, { params: { uuid } })
  await work()
  expect((await itemsOf(admin, list)).map(({ via }) => via)).toEqual(['rule', 'rule', 'rule'])
  expect(await get(admin, uuid)).toMatchObject({ week: { queued: 3, sent: 0, accepted: 0 }, last_run: { kind: 'manual', queued: 1 } })
  const { data: versions } = await admin.call(coldRuleApi.versions, { params: { uuid } })
  expect(versions.list.map(({ number, settings: { per_run } }) => [number, per_run])).toEqual([
    [2, 50],
    [1, 2],
  ])
  expect(versions.names.list).toMatchObject([{ uuid: list }])
  expect((await runsOf(admin, uuid)).map(({ kind, number, queued }) => [kind, number, queued])).toEqual([
    ['manual', 2, 1],
    ['dry', 2, 1],
    ['manual', 1, 2],
    ['dry', 1, 2],
  ])
  // a stale form is refused, and a rename alone makes no version
  expect((await admin.call(coldRuleApi.update, { params: { uuid }, body: { ...form, version } })).status).toBe(409)
  const now = await get(admin, uuid)
  const renamed = await admin.call(coldRuleApi.update, {
    params: { uuid },
    body: { ...form, per_run: 50, title: 'Third chance', version: now.version },
  })
  expect(renamed.data).toMatchObject({ title: 'Third chance', number: 2, live_number: 2 })
})

test('whose first sale is not over is left for a later run', async () => {
  const { id } = await makeLead({ country: 'SE' })
  await api.db.updateTable('user_session').set({ status: 'queued' }).where('id', '=', id).execute()
  const conditions = [{ field: 'country' as const, op: 'in' as const, values: ['SE'] }]
  const audience = { match: 'all' as const, groups: [{ match: 'all' as const, conditions }] }
  const uuid = await startRule(admin, { audience, action: into(await makeList(admin)) })
  const run = async () => {
    await admin.call(coldRuleApi.run, { params: { uuid } })
    await work()
    return (await get(admin, uuid)).last_run
  }
  expect(await run()).toMatchObject({ matched: 1, queued: 0, skipped: { open: 1 } })
  await moveTo(id, { status: 'unsold' })
  expect(await run()).toMatchObject({ matched: 1, queued: 1, skipped: {} })
})

test('what happens to leads is heard of once, each person is taken once, and what is full waits for tomorrow', async () => {
  const list = await makeList(admin)
  const uuid = await startRule(admin, { trigger: { kind: 'event', event: 'unsold' }, action: into(list), per_run: 2, per_day: 3 })
  const made = await makeLeads(5, { status: 'queued' })
  const sold = await makeLead({ status: 'queued' })
  for (const { id } of [...made, sold]) await moveTo(id, { status: 'unsold' })
  // sold after all, before the rule looked
  await moveTo(sold.id, { status: 'accepted' })
  expect((await get(admin, uuid)).waiting).toBe(6)
  await work()
  expect(await itemsOf(admin, list)).toEqual([])
  api.clock.advance(61_000)
  await work()
  expect(await itemsOf(admin, list)).toHaveLength(2)
  expect(await get(admin, uuid)).toMatchObject({ waiting: 3, last_run: { kind: 'event', matched: 5, queued: 2, skipped: { per_run: 3 } } })
  // heard of again, and again
  await moveTo(made[0]?.id ?? '', { status: 'accepted' })
  await moveTo(made[0]?.id ?? '', { status: 'unsold' })
  api.clock.advance(61_000)
  await work()
  expect(await itemsOf(admin, list)).toHaveLength(3)
  expect((await get(admin, uuid)).last_run).toMatchObject({ queued: 1, skipped: { per_day: 2 } })
  const { next_run_at } = await get(admin, uuid)
  expect(next_run_at).toBe('2026-11-22T00:00:00.000Z')
  api.clock.advance(HOUR)
  await work()
  expect(await itemsOf(admin, list)).toHaveLength(3)
  api.clock.set(next_run_at ?? '')
  await work()
  expect(await itemsOf(admin, list)).toHaveLength(5)
  expect((await get(admin, uuid)).waiting).toBe(0)
  expect((await runsOf(admin, uuid)).filter(({ kind }) => kind === 'event').map(({ queued }) => queued)).toEqual([2, 1, 2])

  // while somebody has it stand still it hears of nothing
  await admin.call(coldRuleApi.pause, { params: { uuid } })
  const late = await makeLead({ status: 'queued' })
  await moveTo(late.id, { status: 'unsold' })
  await admin.call(coldRuleApi.activate, { params: { uuid } })
  expect((await get(admin, uuid)).waiting).toBe(0)
})

test('a rule of an event takes those of before its start only when it is asked to, and then whom its dry run counted', async () => {
  const list = await makeList(admin)
  await makeLeads(3)
  const uuid = await startRule(admin, { trigger: { kind: 'event', event: 'unsold' }, action: into(list) })
  expect((await runsOf(admin, uuid)).map(({ kind, queued }) => [kind, queued])).toEqual([['dry', 3]])
  const heard = await makeLead({ status: 'queued' })
  await moveTo(heard.id, { status: 'unsold' })
  api.clock.advance(61_000)
  await work()
  expect(await itemsOf(admin, list)).toHaveLength(1)
  const next = await makeLead({ status: 'queued' })
  await moveTo(next.id, { status: 'unsold' })
  await admin.call(coldRuleApi.run, { params: { uuid } })
  await work()
  expect(await itemsOf(admin, list)).toHaveLength(5)
  // whom it was asked to take it does not take again for having heard of them
  api.clock.advance(61_000)
  await work()
  expect(await get(admin, uuid)).toMatchObject({ waiting: 0, last_run: { kind: 'manual', matched: 4, queued: 4 } })
})

test('call statuses, sales taken back, leads everybody refused and silence begin a rule', async () => {
  const [called, returned, refused, silent] = await Promise.all([makeList(admin), makeList(admin), makeList(admin), makeList(admin)])
  await startRule(admin, { trigger: { kind: 'call_status', call_statuses: ['callback', 'no_answer'] }, action: into(called) })
  await startRule(admin, { trigger: { kind: 'event', event: 'returned' }, action: into(returned) })
  await startRule(admin, { trigger: { kind: 'event', event: 'rejected_by_all' }, action: into(refused) })
  const quiet = await startRule(admin, { trigger: { kind: 'silent', days: 10 }, action: into(silent) })
  const [call, back, cancelled, rejected, own, old] = await makeLeads(6, { status: 'accepted' })
  await moveTo(call?.id ?? '', { call_status: 'callback' })
  await moveTo(cancelled?.id ?? '', { call_status: 'cancelled' })
  const reject = (id: string | undefined, reason: string) =>
    api.db
      .updateTable('user_session')
      .set({ status: 'rejected', reason })
      .where('id', '=', id ?? '')
      .execute()
  await reject(rejected?.id, 'rejected')
  // refused by the network's own checks
  await reject(own?.id, 'fraud')
  const goal = await api.db.selectFrom('goal').select('id').where('offer_id', '=', offer.id).executeTakeFirstOrThrow()
  const at = new Date(api.clock.now())
  const { id: conversion } = await api.db
    .insertInto('conversion')
    .values({
      click_id: back?.clickId,
      offer_id: offer.id,
      goal_id: goal.id,
      affiliate_id: mine.affiliateId,
      advertiser_id: advertiser.id,
      status: 'approved',
      currency: 'USD',
      payout: '10',
      revenue: '20',
      click_at: at,
      created_at: at,
      updated_at: at,
      rule: '{}',
    } as never) // the columns that have no default
    .returning('id')
    .executeTakeFirstOrThrow()
  await api.db.updateTable('conversion').set({ status: 'declined' }).where('id', '=', conversion).execute()
  api.clock.advance(61_000)
  await work()
  const taken = async (list: string) => (await itemsOf(admin, list)).map(({ session }) => session?.uuid).toSorted()
  expect(await taken(called)).toEqual([call?.uuid])
  expect(await taken(returned)).toEqual([back?.uuid, cancelled?.uuid].toSorted())
  expect(await taken(refused)).toEqual([rejected?.uuid])
  expect(await taken(silent)).toEqual([])
  await api.db
    .updateTable('user_session')
    .set({ changed_at: new Date(api.clock.now() - 11 * DAY) })
    .where('id', '=', old?.id ?? '')
    .execute()
  api.clock.advance(HOUR)
  await work()
  expect(await taken(silent)).toEqual([old?.uuid])
  expect(Date.parse((await get(admin, quiet)).next_run_at ?? '')).toBe(api.clock.now() + HOUR)
})

test('a run that dies in the middle has not been: the next one takes everybody, and nobody twice', async () => {
  const list = await makeList(admin)
  const uuid = await startRule(admin, { trigger: { kind: 'event', event: 'unsold' }, action: into(list) })
  const made = await makeLeads(4, { status: 'queued' })
  for (const { id } of made) await moveTo(id, { status: 'unsold' })
  api.clock.advance(61_000)
  // whoever logs the run is killed: people are in the list by then
  await sql`create function die() returns trigger language plpgsql as $$ begin
    if new.error = '' and new.kind <> 'dry' then perform pg_terminate_backend(pg_backend_pid()); end if; return new; end $$`.execute(api.db)
  await sql`create trigger die before insert on cold_rule_run for each row execute function die()`.execute(api.db)
  await work()
  expect(await itemsOf(admin, list)).toEqual([])
  expect(await get(admin, uuid)).toMatchObject({ status: 'active', waiting: 4, last_run: { error: 'unexpected', queued: 0 } })
  await sql`drop trigger die on cold_rule_run`.execute(api.db)
  api.clock.advance(61_000)
  // four workers at once
  await Promise.all(Array.from({ length: 4 }, work))
  await work()
  expect(await itemsOf(admin, list)).toHaveLength(4)
  expect(await get(admin, uuid)).toMatchObject({ waiting: 0, last_run: { error: '', queued: 4 } })
  expect((await runsOf(admin, uuid)).map(({ queued }) => queued)).toEqual([4, 0, 0])
})

test('two workers run one rule at a time, and a rule that lets none behind it takes first', async () => {
  const made = await makeLeads(6)
  const [first, second] = [await makeList(admin), await makeList(admin)]
  const behind = await startRule(admin, { trigger: { kind: 'hours', hours: 2 }, action: into(second), priority: 20 })
  const before = await startRule(admin, {
    trigger: { kind: 'hours', hours: 2 },
    action: into(first),
    priority: 10,
    stops: true,
    per_run: 4,
  })
  await Promise.all(Array.from({ length: 5 }, work))
  await work()
  expect(await itemsOf(admin, first)).toHaveLength(4)
  expect(await itemsOf(admin, second)).toHaveLength(2)
  expect((await get(admin, behind)).last_run).toMatchObject({ matched: made.length, queued: 2, skipped: { stopped: 4 } })
  expect((await get(admin, before)).last_run).toMatchObject({ matched: made.length, queued: 4, skipped: { per_run: 2 } })
  // missed turns are not made up for
  api.clock.advance(7 * HOUR)
  await work()
  expect((await runsOf(admin, before)).filter(({ kind }) => kind === 'schedule')).toHaveLength(2)
  // whom it took it does not take again, and who is in the list already is no news
  expect(await itemsOf(admin, first)).toHaveLength(6)
  const again = await startRule(admin, { trigger: { kind: 'hours', hours: 2 }, action: into(first), priority: 1 })
  await work()
  expect((await get(admin, again)).last_run).toMatchObject({ queued: 0, skipped: { in_list: 6 } })
})

test('a rule makes a draft like another distribution, which whoever comes later joins until it is started', async () => {
  const list = await makeList(admin)
  const template = (
    await admin.call(recoldApi.create, { body: recoldForm(list, offer.uuid, { title: 'Evenings', pacing: { per_day: 7 } }) })
  ).data
  expect((await admin.call(coldRuleApi.templates, { body: { search: 'Evenings' } })).data.list).toMatchObject([{ uuid: template.uuid }])
  await makeLeads(2)
  const action = { kind: 'distribution' as const, template_uuid: template.uuid }
  const uuid = await startRule(admin, { title: 'Drafts', trigger: { kind: 'hours', hours: 1 }, action })
  await work()
  const { recold, list: made } = (await get(admin, uuid)).last_run ?? {}
  expect(recold?.name).toMatch(/^Drafts · 2026-11-\d\d$/)
  const draft = async (of?: string) => (await admin.call(recoldApi.get, { params: { uuid: of ?? '' } })).data
  expect(await draft(recold?.uuid)).toMatchObject({ status: 'draft', waiting: 2, pacing: { per_day: 7 }, list: { uuid: made?.uuid } })
  // what becomes of the template is nothing to the rule
  await admin.call(recoldApi.remove, { params: { uuid: template.uuid } })
  await makeLead()
  api.clock.advance(HOUR)
  await work()
  expect((await get(admin, uuid)).last_run).toMatchObject({ queued: 1, recold: { uuid: recold?.uuid } })
  expect(await draft(recold?.uuid)).toMatchObject({ waiting: 3 })
  await admin.call(recoldApi.remove, { params: { uuid: recold?.uuid ?? '' } })
  await makeLead()
  api.clock.advance(HOUR)
  await work()
  const next = (await get(admin, uuid)).last_run
  expect(next?.recold?.uuid).not.toBe(recold?.uuid)
  expect(await draft(next?.recold?.uuid)).toMatchObject({ status: 'draft', waiting: 1 })
})

test('a rule that sends starts a distribution and goes on adding to it; one that fails three times stands still and says so', async () => {
  const list = await makeList(admin)
  const template = (await admin.call(recoldApi.create, { body: recoldForm(list, offer.uuid) })).data
  await makeLead()
  const action = { kind: 'send' as const, template_uuid: template.uuid }
  const uuid = await startRule(admin, { title: 'Sender', trigger: { kind: 'hours', hours: 1 }, action })
  await work()
  const first = (await get(admin, uuid)).last_run?.recold
  const recold = async () => (await admin.call(recoldApi.get, { params: { uuid: first?.uuid ?? '' } })).data
  expect(await recold()).toMatchObject({ status: 'active', waiting: 1 })
  await makeLead()
  api.clock.advance(HOUR)
  await work()
  expect(await recold()).toMatchObject({ status: 'active', waiting: 2 })
  // it is over, and its offer takes no leads any more
  await admin.call(recoldApi.done, { params: { uuid: first?.uuid ?? '' } })
  await api.db.updateTable('offer').set({ status: 'paused' }).where('id', '=', offer.id).execute()
  const waits = await makeLead()
  for (let failed = 1; failed <= 3; failed++) {
    api.clock.advance(HOUR)
    await work()
    expect(await get(admin, uuid)).toMatchObject({ status: failed < 3 ? 'active' : 'paused', last_run: { error: 'offer_closed' } })
  }
  expect(await get(admin, uuid)).toMatchObject({ pause_reason: 'failing', next_run_at: null })
  const { data: told } = await admin.call(notificationApi.list, { body: {} as never })
  expect(told.list).toContainEqual(expect.objectContaining({ kind: 'cold_rule_failing', status: uuid, reason: 'Sender', count: 3 }))
  api.clock.advance(5 * HOUR)
  await work()
  expect((await runsOf(admin, uuid)).filter(({ error }) => error !== '')).toHaveLength(3)
  await api.db.updateTable('offer').set({ status: 'active' }).where('id', '=', offer.id).execute()
  await admin.call(coldRuleApi.activate, { params: { uuid } })
  await work()
  const second = (await get(admin, uuid)).last_run
  expect(second).toMatchObject({ queued: 1, error: '' })
  expect(second?.recold?.uuid).not.toBe(first?.uuid)
  expect((await itemsOf(admin, second?.list?.uuid ?? '')).map(({ session }) => session?.uuid)).toEqual([waits.uuid])
  await api.db.updateTable('recold').set({ status: 'done' }).where('status', '=', 'active').execute()
})

test('a list a rule names is in use until the rule is archived', async () => {
  const [target, asked] = [await makeList(admin), await makeList(admin)]
  const audience = {
    match: 'all' as const,
    groups: [{ match: 'all' as const, conditions: [{ field: 'list' as const, op: 'not_in' as const, values: [asked] }] }],
  }
  const uuid = await makeRule(admin, { title: 'Keeper', action: into(target), audience })
  for (const list of [target, asked]) {
    expect((await admin.call(leadListApi.get, { params: { uuid: list } })).data.status).toBe('in_use')
    for (const call of [
      () => admin.call(leadListApi.remove, { params: { uuid: list } }),
      () => admin.call(leadListApi.archive, { params: { uuid: list }, body: { archived: true } }),
    ])
      expect(await call()).toMatchObject({ status: 409, errors: { 1188: expect.stringContaining('is used by Keeper') } })
  }
  expect((await admin.call(coldRuleApi.archive, { params: { uuid } })).data.status).toBe('archived')
  expect((await admin.call(leadListApi.archive, { params: { uuid: target }, body: { archived: true } })).data.status).toBe('archived')
  // an archived rule stays one, and no rule is made of an archived list
  expect((await admin.call(coldRuleApi.activate, { params: { uuid } })).status).toBe(409)
  expect((await admin.call(coldRuleApi.create, { body: coldRuleForm({ action: into(target) }) })).fields).toEqual({
    'action.list_uuid': 'Choose a list',
  })
})

test('what no lead can be asked for is refused by name, and so is more than a rule may ask', async () => {
  const list = await makeList(admin)
  const asked = async (conditions: object[]) =>
    (
      await admin.call(coldRuleApi.create, {
        body: { ...coldRuleForm({ action: into(list) }), audience: { match: 'all', groups: [{ match: 'all', conditions }] } } as never,
      })
    ).fields
  expect(await asked([{ field: 'email_domain', op: 'in', values: ['mail.example'] }])).toMatchObject({
    'audience.groups.0.conditions.0.field': 'No lead can be asked for this field',
  })
  expect(await asked([{ field: 'affiliate', op: 'in', values: [crypto.randomUUID()] }])).toEqual({
    'audience.groups.0.conditions.0.values': 'Choose some of the list',
  })
  const country = { field: 'country', op: 'in', values: ['IT'] }
  expect(await asked(Array.from({ length: 31 }, () => country))).not.toEqual({})
  expect(await asked([{ ...country, values: ['Italy'] }])).not.toEqual({})
})

test('a team lead’s rule takes people of the own team alone, by whatever it asks, and nobody else reaches it', async () => {
  const [own, strange] = [await makeLead(), await makeLead({ affiliate: theirs })]
  const list = await makeList(lead)
  const { title: _title, ...settings } = coldRuleForm({ action: into(list) })
  const { data: counted } = await lead.call(coldRuleApi.count, { body: settings })
  expect(counted).toMatchObject({ matched: 1, queued: 1, sample: [{ uuid: own.uuid }] })
  const uuidOf = async ({ accountId }: Caller) =>
    (await api.db.selectFrom('account').select('uuid').where('id', '=', accountId).executeTakeFirstOrThrow()).uuid
  const about = (field: string, values: string[]) =>
    ({ match: 'all', groups: [{ match: 'all', conditions: [{ field, op: 'in', values }] }] }) as never
  for (const audience of [about('affiliate', [await uuidOf(theirs)]), about('rejected_by_advertiser', [advertiser.uuid])])
    expect((await lead.call(coldRuleApi.count, { body: { ...settings, audience } })).status).toBe(422)
  const foreign = await makeList(admin)
  expect((await lead.call(coldRuleApi.create, { body: coldRuleForm({ action: into(foreign) }) })).fields).toEqual({
    'action.list_uuid': 'Choose a list',
  })
  const uuid = await startRule(lead, { trigger: { kind: 'hours', hours: 1 }, action: into(list) })
  await work()
  expect((await itemsOf(admin, list)).map(({ session }) => session?.uuid)).toEqual([own.uuid])
  // an admin changes nothing about whose people it takes
  const { version } = await get(admin, uuid)
  const changed = await admin.call(coldRuleApi.update, {
    params: { uuid },
    body: { ...coldRuleForm({ action: into(list), audience: about('affiliate', [await uuidOf(theirs)]) }), version },
  })
  expect(changed.status).toBe(422)
  expect((await admin.call(coldRuleApi.dryRun, { params: { uuid } })).data.matched).toBe(0)

  const others = await makeRule(admin, { action: into(foreign) })
  expect((await lead.call(coldRuleApi.get, { params: { uuid: others } })).status).toBe(404)
  expect((await lead.call(coldRuleApi.list, { body: {} as never })).data.list.map((one) => one.uuid)).toEqual([uuid])
  for (const role of ['manager', 'affiliate'] as const) {
    const who = await api.as(role)
    expect((await who.call(coldRuleApi.list, { body: {} as never })).status).toBe(403)
    expect((await who.call(coldRuleApi.count, { body: settings })).status).toBe(403)
  }
  // who leads no team any more takes nobody
  await makeLead()
  await api.db.updateTable('account').set({ role: 'manager' }).where('id', '=', lead.accountId).execute()
  api.clock.advance(HOUR)
  await work()
  expect((await get(admin, uuid)).last_run).toMatchObject({ error: 'owner_gone', queued: 0 })
  await api.db.updateTable('account').set({ role: 'team lead' }).where('id', '=', lead.accountId).execute()
  expect(strange.uuid).not.toBe(own.uuid)
})
