import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inboxApi } from '#contract/network/inbox.ts'
import { blacklistApi, type BlacklistKind } from '#contract/leads/blacklist.ts'
import { integrityApi, USUAL_INTEGRITY, type IntegritySettings } from '#contract/leads/integrity.ts'
import { leadApi } from '#contract/leads/lead.ts'
import { userSessionApi } from '#contract/leads/user-session.ts'
import { startMockAdvertiser, type MockAdvertiser } from '#server/demo/mock-advertiser.ts'
import { AppError } from '#server/platform/errors.ts'
import { readConfig } from '#server/platform/config.ts'
import { makeAdvertiser } from '#test/support/make/factories.ts'
import { leadOf, makeLeadOffer, makeMockProduct } from '#test/support/make/leads.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'
import { lookAround } from './integrity.queries.ts'
import { receiveLead } from '../session/receive.service.ts'
import { openLeadSender } from '../send/send.jobs.ts'
import { openClickFinder } from '#server/features/traffic/click/click.queries.ts'

const DAY = 86_400_000
let mock: MockAdvertiser
let api: TestApi
let admin: Caller
let manager: Caller
let affiliate: Caller
let product: { id: number; uuid: string }
let advertiserUuid = ''
beforeAll(async () => {
  mock = await startMockAdvertiser()
  api = await startApi({ env: { OUTBOUND_ALLOW: mock.host.slice('http://'.length) } })
  ;[admin, manager, affiliate] = await Promise.all([api.as('admin'), api.as('manager'), api.as('affiliate')])
  await api.db
    .updateTable('affiliate')
    .set({ manager_id: manager.managerId ?? 0 })
    .where('id', '=', affiliate.affiliateId ?? 0)
    .execute()
  const advertiser = await makeAdvertiser(api.db, { name: 'Zephyr Brokers' })
  advertiserUuid = advertiser.uuid
  product = await makeMockProduct(api.db, advertiser.id, mock, api.clock.now())
})
afterAll(async () => {
  await api.close()
  await mock.close()
})

const { secretKey } = readConfig({ DATABASE_URL: 'postgres://nobody' }, 'test')
const off = Object.fromEntries(Object.entries(USUAL_INTEGRITY).map(([name, one]) => [name, { ...one, action: 'off' }])) as IntegritySettings // the same names
/** An offer of which only these checks are on. */
async function offerWith(integrity: Partial<IntegritySettings>) {
  const offer = await makeLeadOffer(api.db, admin, advertiserUuid, [product])
  await api.db
    .updateTable('api_offer')
    .set({ integrity: JSON.stringify({ ...off, ...integrity }) })
    .where('offer_id', '=', offer.id)
    .execute()
  return offer
}
const send = (offer: string, more: object = {}) => affiliate.call(leadApi.send, { body: leadOf(offer, { ...more }) })
const detailOf = async (who: Caller, uuid: string) => (await who.call(userSessionApi.detail, { params: { uuid } })).data
const sessionsOf = (offerId: number) =>
  api.db.selectFrom('user_session').selectAll().where('offer_id', '=', offerId).orderBy('id').execute()
const block = (kind: BlacklistKind, value: string) => admin.call(blacklistApi.add, { body: { kind, value } })

describe('a lead a check refuses', () => {
  test('is answered 422 with a code and the field, kept for staff, offered to nobody, and refused again under its id', async () => {
    const offer = await offerWith({ telephone: { action: 'reject', mobile_only: false }, mail: { action: 'flag', roles: true } })
    const lead = { phone: '+393331111118', email: 'info@mail.example', external_id: 'bad-1' }
    const calls = mock.leads.length
    const first = await send(offer.uuid, lead)
    expect([first.status, first.fields]).toEqual([422, { phone: 'This does not look like the telephone of the person' }])
    expect(JSON.stringify(first)).toContain('invalid_phone')
    expect((await send(offer.uuid, lead)).status).toBe(422)
    const [session, ...others] = await sessionsOf(offer.id)
    expect(others).toEqual([])
    expect(session).toMatchObject({ status: 'rejected', reason: 'invalid_phone', integrity_verdict: 'rejected', next_try_at: null })
    expect(mock.leads.length).toBe(calls)

    const seen = await detailOf(manager, session?.uuid ?? '')
    expect(seen.integrity).toMatchObject({ verdict: 'rejected', score: 80, decidable: false, review: null })
    expect(seen.integrity?.parts.map(({ found, action }) => [found, action])).toEqual([
      ['phone_repeats', 'reject'],
      ['email_role', 'flag'],
    ])
    const own = await detailOf(affiliate, session?.uuid ?? '')
    expect([own.codes, own.integrity, own.session.integrity]).toEqual([['invalid_phone'], undefined, undefined])
    expect(JSON.stringify(own)).not.toContain('email_role')
    const rejected = { offer_uuid: [offer.uuid], integrity: ['rejected' as const] }
    expect((await manager.call(userSessionApi.list, { body: rejected })).data.list.map(({ uuid }) => uuid)).toEqual([session?.uuid])
    expect((await manager.call(userSessionApi.list, { body: { ...rejected, integrity: ['clean'] } })).data.list).toEqual([])
    expect((await affiliate.call(userSessionApi.list, { body: rejected })).status).toBe(403)

    const batch = await affiliate.call(leadApi.sendBatch, { body: { leads: [leadOf(offer.uuid, lead), leadOf(offer.uuid)] } })
    expect(batch.data.list.map(({ code, reason }) => [code, reason])).toEqual([
      [422, 'invalid_phone'],
      [202, ''],
    ])
    expect((await affiliate.call(leadApi.check, { body: leadOf(offer.uuid, { phone: '+393331111118' }) })).status).toBe(422)
    // one that is only a test is kept with what was found, and not refused
    const test = await send(offer.uuid, { phone: '+393332222229', test: true })
    expect([test.status, test.data.status]).toEqual([201, 'test'])
  })

  test('twice at once is one lead and one duplicate, by either contact, and counts again when the days are over', async () => {
    const offer = await offerWith({ duplicate: { action: 'reject', days: 7, within: 'offer', most: 1 } })
    const [one, other] = [leadOf(offer.uuid), leadOf(offer.uuid)]
    const codes = async (bodies: object[]) =>
      (await Promise.all(bodies.map((body) => affiliate.call(leadApi.send, { body: body as typeof one }))))
        .map(({ status }) => status)
        .toSorted()
    expect(await codes(Array.from({ length: 6 }, () => one))).toEqual([201, 422, 422, 422, 422, 422])
    expect(await codes([{ ...other, phone: one.phone }])).toEqual([422])
    // the e-mail of the second is that of a lead that was refused: nobody has it
    expect(await codes([other, { ...leadOf(offer.uuid), email: other.email }])).toEqual([201, 422])
    api.clock.advance(7 * DAY)
    expect(await codes([one])).toEqual([201])
    const [part] = (await sessionsOf(offer.id)).find(({ status }) => status === 'rejected')?.integrity ?? []
    expect(part).toMatchObject({ found: 'duplicate', detail: { count: '1', whose: 'same', within: 'offer' } })
  })

  test('is known of the whole network, or of the advertisers of the offer, where that is asked', async () => {
    const [here, there] = [await offerWith({}), await offerWith({ duplicate: { action: 'reject', days: 7, within: 'network', most: 1 } })]
    const lead = leadOf(here.uuid)
    expect((await affiliate.call(leadApi.send, { body: lead })).status).toBe(201)
    expect((await send(there.uuid, { ...lead, offer_uuid: there.uuid })).status).toBe(422)
    const theirs = await offerWith({ duplicate: { action: 'reject', days: 7, within: 'advertisers', most: 1 } })
    expect((await send(theirs.uuid, { ...lead, offer_uuid: theirs.uuid })).fields).toEqual({ phone: 'This person was sent in already' })
    const others = await makeMockProduct(api.db, (await makeAdvertiser(api.db)).id, mock, api.clock.now())
    await api.db.updateTable('offer_member').set({ product_id: others.id }).where('id', 'in', theirs.members).execute()
    expect((await send(theirs.uuid, { ...lead, offer_uuid: theirs.uuid })).status).toBe(201)
  })

  test('comes too fast from one address, counted exactly however many come at once', async () => {
    const offer = await offerWith({
      velocity: { action: 'reject', minutes: 30, per_ip: 3, per_device: null, per_affiliate: null },
    })
    const sent = await Promise.all(Array.from({ length: 8 }, () => send(offer.uuid, { ip: '203.0.113.201' })))
    expect(sent.filter(({ status }) => status === 201).length).toBe(3)
    expect((await send(offer.uuid, { ip: '203.0.113.202' })).status).toBe(201)
    api.clock.advance(31 * 60_000)
    expect((await send(offer.uuid, { ip: '203.0.113.201' })).status).toBe(201)
  })

  test('stands on the blacklist by what it is, a domain above, or a network around', async () => {
    const offer = await offerWith({ blacklist: { action: 'reject' } })
    await Promise.all([
      block('email', 'Bad.Man+shop@gmail.com'),
      block('phone', '+39 333 999 8877'),
      block('domain', '@refused.example'),
      block('ip', '198.51.100.0/25'),
      block('first_name', 'Teste'),
    ])
    const refused: [object, string][] = [
      [{ email: 'badman@googlemail.com' }, 'email'],
      [{ phone: '3339998877' }, 'phone'],
      [{ email: 'x@mail.refused.example' }, 'email'],
      [{ ip: '198.51.100.99' }, 'ip'],
      [{ first_name: ' TESTE ' }, 'first_name'],
    ]
    for (const [more, field] of refused)
      expect([more, (await send(offer.uuid, more)).fields]).toEqual([more, { [field]: 'Leads with this are not taken' }])
    for (const more of [{ ip: '198.51.100.129' }, { email: 'x@notrefused.example' }, { last_name: 'Teste' }])
      expect((await send(offer.uuid, more)).status).toBe(201)
    const kept = await api.db.selectFrom('blacklist_entry').select(['shown', 'note']).execute()
    expect(JSON.stringify(kept)).not.toMatch(/bad|9998877|teste/i)
  })

  test('is looked up by its address: a machine for hire, another country, and nothing where nobody knows', async () => {
    const offer = await offerWith({ ip: { action: 'reject' }, geo: { action: 'hold' } })
    const facts = { country: 'IT', asn: 1, network: 'Net', hosting: false, reserved: false }
    const from = { affiliateId: affiliate.affiliateId ?? 0, origin: 'api' as const }
    const receive = async (found: Partial<typeof facts> | null) => {
      const findAddress = () => (found === null ? null : { ...facts, ...found })
      const input = leadOf(offer.uuid) as Parameters<typeof receiveLead>[3]
      return receiveLead({ db: api.db, secretKey, findAddress }, api.clock.now(), from, input).then(
        ({ session }) => [session.status, session.reason],
        (error: unknown) => (error instanceof AppError ? [error.values?.code] : error),
      )
    }
    expect(await receive({})).toEqual(['received', ''])
    expect(await receive({ hosting: true })).toEqual(['ip_refused'])
    expect(await receive({ country: 'VN' })).toEqual(['held', 'geo_mismatch'])
    expect(await receive(null)).toEqual(['received', ''])
  })
})

describe('a lead a check holds', () => {
  test('waits in the inbox of its affiliate’s manager, goes on when it is let, and is decided once', async () => {
    const offer = await offerWith({ mail: { action: 'hold', roles: false } })
    const sent = await Promise.all([1, 2, 3].map((n) => send(offer.uuid, { email: `a${n}@mailinator.com` })))
    expect(sent.map(({ status, data }) => [status, data.status, data.reason])).toEqual(sent.map(() => [202, 'held', 'invalid_email']))
    const [good = '', bad = '', gone = ''] = sent.map(({ data }) => data.session_uuid)
    const stranger = await api.as('manager')
    const waiting = async (who: Caller) => {
      const { list } = (await who.call(inboxApi.list, { body: { kind: 'leads', count: 100 } })).data
      return list.filter(({ offer: of }) => of?.uuid === offer.uuid).map(({ id }) => id)
    }
    expect((await waiting(manager)).toSorted()).toEqual([good, bad, gone].toSorted())
    expect(await waiting(stranger)).toEqual([])
    // with the one of another country
    expect((await manager.call(inboxApi.counts, {})).data.leads).toBe(4)
    expect((await detailOf(manager, good)).integrity).toMatchObject({ verdict: 'held', decidable: true })

    const review = (who: Caller, uuid: string, approve: boolean) =>
      who.call(integrityApi.review, { body: { uuids: [uuid], approve, note: 'asked by telephone' } })
    expect((await review(stranger, good, true)).data).toEqual({ changed: 0 })
    expect((await review(affiliate, good, true)).status).toBe(403)
    const both = await Promise.all([review(manager, good, true), review(admin, good, false)])
    expect(both.map(({ data }) => data.changed).toSorted()).toEqual([0, 1])
    // whoever was first decided it
    const approved = both[0]?.data.changed === 1
    await review(manager, bad, false)
    await api.db
      .updateTable('person')
      .set({ suppressed_at: new Date(api.clock.now()) })
      .where('id', 'in', api.db.selectFrom('user_session').select('person_id').where('uuid', '=', gone))
      .execute()
    await review(manager, gone, true)

    const policy = { allow: [mock.host.slice('http://'.length)] }
    const sender = openLeadSender({
      db: api.db,
      secretKey,
      policy,
      clock: api.clock,
      underWay: new Map(),
      findClick: openClickFinder(api.clickhouse),
    })
    await sender.tick()
    await sender.idle()
    const rows = await sessionsOf(offer.id)
    expect(rows.map(({ uuid, status, reason }) => [uuid, status, reason]).toSorted()).toEqual(
      [
        approved ? [good, 'accepted', ''] : [good, 'rejected', 'reviewed'],
        [bad, 'rejected', 'reviewed'],
        [gone, 'rejected', 'suppressed'],
      ].toSorted(),
    )
    expect(await waiting(manager)).toEqual([])
    const { integrity } = await detailOf(manager, bad)
    expect(integrity).toMatchObject({ decidable: false, review: { approved: false, note: 'asked by telephone' } })
    const logged = await api.db.selectFrom('audit').select('action').where('entity', '=', 'user_session').execute()
    expect(logged.length).toBe(3)
  })
})

test('what is there around a lead is found by indexes: people are not read through for it, however many there are', async () => {
  const { uuid } = await offerWith({})
  for (let n = 0; n < 5; n++) await send(uuid)
  const [phone, email] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
  const since = new Date(0)
  const read = await api.db.transaction().execute(async (trx) => {
    await sql`insert into person (phone_hash, email_hash, first_seen_at, last_seen_at)
      select sha256(n::text::bytea), sha256(('e' || n)::bytea), now(), now() from generate_series(1, 500) n`.execute(trx)
    await sql`set local enable_seqscan = off`.execute(trx) // so few would be read through whatever index there is
    const around = {
      hashes: { phone, email, ip: null, device: null },
      offerId: 0,
      affiliateId: 0,
      before: { within: 'network', since, most: 9 },
      recent: { since, ip: 0, device: 0, affiliate: 0 },
      listed: [],
      ip: null,
    } as const
    const fetched = async () => {
      const { rows } = await sql<{ rows: number }>`
        select (seq_tup_read + idx_tup_fetch)::int as rows from pg_stat_xact_user_tables where relname = 'person'`.execute(trx)
      return rows[0]?.rows ?? 0
    }
    const before = await fetched()
    await lookAround(trx, [around], since)
    return (await fetched()) - before
  })
  expect(read).toBe(0)
})
