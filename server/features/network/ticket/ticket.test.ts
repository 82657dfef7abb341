import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Role } from '#contract/access.ts'
import { inboxApi } from '#contract/network/inbox.ts'
import { notificationApi } from '#contract/network/notification.ts'
import { ticketTemplateApi } from '#contract/network/ticket-template.ts'
import { ticketApi } from '#contract/network/ticket.ts'
import { authApi } from '#contract/people/auth.ts'
import { partnerOfferApi } from '#contract/offers/partner-offer.ts'
import { makeAdvertiser } from '#test/support/make/factories.ts'
import { makeOffer } from '#test/support/make/money.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'

const MINUTE = 60_000
const DAY = 86_400_000

let api: TestApi
let admin: Caller
let head: Caller
let manager: Caller
let affiliate: Caller
beforeAll(async () => {
  api = await startApi()
  ;[admin, head, manager] = await Promise.all([api.as('admin'), api.as('head'), api.as('manager', { name: 'Taras' })])
  affiliate = await api.as('affiliate', { managerId: manager.managerId, name: 'Media' })
})
// what an affiliate may write in an hour is enough for each of them
beforeEach(() => api.clock.advance(61 * MINUTE))
afterAll(() => api.close())

type Draft = { subject?: string; body?: string; category?: 'general' | 'finance' | 'technical' | 'offer_request'; offer_uuid?: string }

async function open(who = affiliate, draft: Draft = {}, affiliate_uuid: string | null = null) {
  const body = { key: randomUUID(), subject: 'A question', body: 'How?', category: 'general' as const, affiliate_uuid, ...draft }
  const { status, data, fields } = await who.call(ticketApi.create, { body })
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(fields)}`)
  return data
}
const answer = (who: Caller, uuid: string, body: string, more: { internal?: boolean; close?: boolean; seen?: string; key?: string } = {}) =>
  who.call(ticketApi.answer, { params: { uuid }, body: { key: randomUUID(), body, ...more } })
const get = async (who: Caller, uuid: string) => (await who.call(ticketApi.get, { params: { uuid } })).data
const messages = async (who: Caller, uuid: string) => (await who.call(ticketApi.messages, { params: { uuid } })).data.list
const found = async (who: Caller, search: string) =>
  (await who.call(ticketApi.list, { body: { search } })).data.list.map(({ subject }) => subject)

describe('who waits', () => {
  test('an answer of staff makes a ticket wait for its affiliate, one of the affiliate for us, and the inbox counts those', async () => {
    const { uuid } = await open(affiliate, { subject: 'Turns' })
    const waiting = async () => (await manager.call(inboxApi.counts)).data.tickets
    const before = await waiting()
    expect(await get(affiliate, uuid)).toMatchObject({ status: 'waiting_us', waiting_since: expect.any(String) })
    await answer(manager, uuid, 'So.')
    expect(await get(affiliate, uuid)).toMatchObject({ status: 'waiting_user', waiting_since: null })
    expect(await waiting()).toBe(before - 1)
    await answer(affiliate, uuid, 'And?')
    expect(await get(manager, uuid)).toMatchObject({ status: 'waiting_us' })
    const inbox = (await manager.call(inboxApi.list, { body: { kind: 'tickets' } })).data.list
    expect(inbox.find(({ id }) => id === uuid)).toMatchObject({ ticket: { name: 'Turns' }, affiliate: { name: 'Media' }, text: 'And?' })
    await answer(manager, uuid, 'Thus.', { close: true })
    expect(await get(affiliate, uuid)).toMatchObject({ status: 'closed', closed_at: expect.any(String) })
  })

  test('a closed one reopens by an answer within 14 days; later the answer makes one ticket that refers to it', async () => {
    const { uuid, id } = await open(affiliate, { subject: 'Long ago', category: 'finance' })
    await affiliate.call(ticketApi.close, { params: { uuid } })
    expect(await get(affiliate, uuid)).toMatchObject({ status: 'closed' })
    api.clock.advance(14 * DAY)
    expect((await answer(affiliate, uuid, 'Once more')).data.uuid).toBe(uuid)
    expect(await get(affiliate, uuid)).toMatchObject({ status: 'waiting_us', closed_at: null })
    await manager.call(ticketApi.setStatus, { body: { uuids: [uuid], status: 'closed' } })
    api.clock.advance(14 * DAY + MINUTE)
    // two at once, which make no two of it
    const both = await Promise.all([answer(affiliate, uuid, 'Again'), answer(manager, uuid, 'Anything else?')])
    expect(both.map(({ status }) => status)).toEqual([200, 200])
    const [later] = both.map(({ data }) => data.uuid)
    expect(later).not.toBe(uuid)
    expect(both[1]?.data.uuid).toBe(later)
    expect(await get(affiliate, later ?? '')).toMatchObject({ subject: 'Long ago', category: 'finance', earlier: { uuid, id } })
    expect(await get(affiliate, uuid)).toMatchObject({ status: 'closed', later: { uuid: later } })
  })

  test('what staff opened waits for the affiliate, who is told', async () => {
    const { uuid } = await open(manager, { subject: 'Your traffic' }, affiliate.uuid)
    expect(await get(manager, uuid)).toMatchObject({ status: 'waiting_user', by_staff: true, assignee: { name: 'Taras' } })
    const told = (await affiliate.call(notificationApi.list)).data.list
    expect(told[0]).toMatchObject({ kind: 'ticket_message', ticket: { name: 'Your traffic' }, count: 1, read: false })
    await answer(manager, uuid, 'More')
    expect((await affiliate.call(notificationApi.list)).data.list[0]).toMatchObject({ count: 2 })
    const last = (await messages(affiliate, uuid)).at(-1)?.uuid ?? ''
    expect((await get(affiliate, uuid)).unread).toBe(2)
    await affiliate.call(ticketApi.read, { params: { uuid }, body: { until: last } })
    expect((await get(affiliate, uuid)).unread).toBe(0)
    expect((await affiliate.call(notificationApi.list)).data.list[0]).toMatchObject({ read: true })
    expect((await messages(manager, uuid)).map(({ read }) => read)).toEqual([true, true])
  })
})

describe('what an affiliate is never told', () => {
  test('notes of staff stand in none of its answers, and nobody finds a ticket by one', async () => {
    const { uuid } = await open(affiliate, { subject: 'Notes' })
    const noted = await answer(manager, uuid, 'Secretfraud of this one', { internal: true })
    expect(noted.status).toBe(200)
    expect((await messages(admin, uuid)).map(({ kind }) => kind)).toEqual(['message', 'note'])
    const seen = await Promise.all([
      affiliate.call(ticketApi.messages, { params: { uuid } }),
      affiliate.call(ticketApi.get, { params: { uuid } }),
      affiliate.call(ticketApi.list),
      affiliate.call(notificationApi.list),
    ])
    expect(JSON.stringify(seen)).not.toContain('Secretfraud')
    expect(seen[0]?.data).toMatchObject({ list: [{ kind: 'message' }] })
    expect(await get(affiliate, uuid)).toMatchObject({ status: 'waiting_us', unread: 0 })
    expect(await found(manager, 'secretfr')).toEqual(['Notes'])
    expect(await found(affiliate, 'secretfr')).toEqual([])
    // of a note it does not even learn that there is one
    const note = noted.data.message_uuid
    expect((await affiliate.call(ticketApi.read, { params: { uuid }, body: { until: note } })).status).toBe(404)
  })

  test('it notes nothing, closes nothing by an answer, and learns neither who works on it nor of whom it is', async () => {
    const { uuid } = await open()
    expect((await answer(affiliate, uuid, 'x', { internal: true })).status).toBe(403)
    expect((await answer(affiliate, uuid, 'x', { close: true })).status).toBe(403)
    await admin.call(ticketApi.assign, { body: { uuids: [uuid], assignee_uuid: head.uuid } })
    expect(await get(manager, uuid)).toMatchObject({ assignee: { uuid: head.uuid } })
    expect(await get(affiliate, uuid)).toMatchObject({ assignee: null, affiliate: null })
    expect((await affiliate.call(ticketApi.list, { body: { assigned: 'nobody' } })).data.list.map((one) => one.uuid)).toContain(uuid)
  })
})

test('roles reach the tickets of their scope: all, those of own accounts, own ones; team leads none', async () => {
  const { uuid } = await open(affiliate, { subject: 'Whose' })
  const colleague = await api.as('manager')
  const other = await api.as('affiliate', { managerId: manager.managerId })
  const statuses: Partial<Record<Role | 'other' | 'colleague', number>> = {}
  for (const [name, who] of Object.entries({ admin, head, manager, affiliate, colleague, other, 'team lead': await api.as('team lead') }))
    statuses[name as Role] = (await who.call(ticketApi.get, { params: { uuid } })).status
  expect(statuses).toEqual({ admin: 200, head: 200, manager: 200, affiliate: 200, colleague: 404, other: 404, 'team lead': 403 })
})

test('staff who act as an affiliate read its tickets, mark nothing and say nothing', async () => {
  const { uuid } = await open(manager, { subject: 'Read by others' }, affiliate.uuid)
  const { token } = (await admin.call(authApi.getAffiliateToken, { body: { uuid: affiliate.uuid } })).data
  const send = (path: string, body: object) =>
    fetch(`${api.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const [message] = await messages(affiliate, uuid)
  expect((await send(`/api/ticket/v1/read/${uuid}`, { until: message?.uuid })).status).toBe(200)
  expect((await get(affiliate, uuid)).unread).toBe(1)
  expect((await send(`/api/ticket/v1/answer/${uuid}`, { key: randomUUID(), body: 'As if it were you' })).status).toBe(403)
  expect((await send(`/api/ticket/v1/close/${uuid}`, {})).status).toBe(403)
})

describe('the same call, and two at once', () => {
  test('a message sent twice, one after the other and at once, stands there once', async () => {
    const { uuid } = await open()
    const key = randomUUID()
    const sent = await Promise.all([1, 2, 3].map(() => answer(affiliate, uuid, 'Only once', { key })))
    sent.push(await answer(affiliate, uuid, 'Only once', { key }))
    expect(new Set(sent.map(({ data }) => data.message_uuid)).size).toBe(1)
    expect((await messages(affiliate, uuid)).filter(({ body }) => body === 'Only once')).toHaveLength(1)
  })

  test('a ticket opened twice at once is one', async () => {
    const body = { key: randomUUID(), subject: 'Double', body: 'click', category: 'general' as const }
    const made = await Promise.all([1, 2].map(() => affiliate.call(ticketApi.create, { body })))
    expect(made[0]?.data.uuid).toBe(made[1]?.data.uuid)
  })

  test('of two staff who answer at once the second is told, loses nothing, and may say it all the same', async () => {
    const { uuid } = await open()
    const seen = (await messages(admin, uuid)).at(-1)?.uuid ?? ''
    const sent = await Promise.all([answer(admin, uuid, 'From one', { seen }), answer(manager, uuid, 'From another', { seen })])
    expect(sent.map(({ status }) => status).toSorted()).toEqual([200, 409])
    const late = sent[0]?.status === 409 ? admin : manager
    const now = (await messages(late, uuid)).at(-1)?.uuid ?? ''
    expect((await answer(late, uuid, 'Also', { seen: now })).status).toBe(200)
    // what the affiliate says in between holds nobody up
    await answer(affiliate, uuid, 'One more thing')
    expect((await answer(late, uuid, 'Yes', { seen: now })).status).toBe(200)
  })

  test('of two who close one at once only one has closed it', async () => {
    const { uuid } = await open()
    const closed = await Promise.all(
      [admin, manager].map((who) => who.call(ticketApi.setStatus, { body: { uuids: [uuid], status: 'closed', expected: 'waiting_us' } })),
    )
    expect(closed.map(({ data }) => data.changed).toSorted()).toEqual([0, 1])
    expect((await messages(affiliate, uuid)).filter(({ kind }) => kind === 'closed')).toHaveLength(1)
  })
})

describe('offer requests', () => {
  async function asked(who = affiliate) {
    const advertiser = await makeAdvertiser(api.db, { managerId: manager.managerId })
    const offer = await makeOffer(api.db, { advertiserId: advertiser.id })
    await api.db.updateTable('offer').set({ privacy: 'premoderation' }).where('id', '=', offer.id).execute()
    const ticket = await open(who, { category: 'offer_request', offer_uuid: offer.uuid })
    return { offer, ticket }
  }
  const decide = (who: Caller, uuid: string, status: 'approved' | 'rejected' = 'approved', key = randomUUID()) =>
    who.call(ticketApi.decideOffer, { params: { uuid }, body: { key, status, reason: 'Welcome' } })
  const accessTo = async (uuid: string) => (await affiliate.call(partnerOfferApi.get, { params: { uuid } })).data.access

  test('approving one lets the affiliate in, once, and tells both', async () => {
    const { offer, ticket } = await asked()
    expect(await accessTo(offer.uuid)).toBe('none')
    expect(await get(manager, ticket.uuid)).toMatchObject({ offer: { uuid: offer.uuid }, may_decide: true })
    expect(await get(affiliate, ticket.uuid)).toMatchObject({ may_decide: false })
    const key = randomUUID()
    const decided = await Promise.all([decide(admin, ticket.uuid, 'approved', key), decide(admin, ticket.uuid, 'approved', key)])
    expect(decided.map(({ status }) => status)).toEqual([200, 200])
    expect(await accessTo(offer.uuid)).toBe('approved')
    expect(await get(manager, ticket.uuid)).toMatchObject({ offer_answer: 'approved', may_decide: false, status: 'waiting_user' })
    expect((await messages(affiliate, ticket.uuid)).at(-1)).toMatchObject({ kind: 'approved', body: 'Welcome' })
    const toldTo = async (who: Caller) =>
      (await who.call(notificationApi.list)).data.list.map(({ kind, offer: of, ticket: t }) => [kind, of?.uuid ?? t?.uuid])
    expect(await toldTo(affiliate)).toContainEqual(['access_decided', offer.uuid])
    expect(await toldTo(manager)).toContainEqual(['ticket_message', ticket.uuid])
    expect((await decide(manager, ticket.uuid, 'rejected')).status).toBe(409)
    expect(await accessTo(offer.uuid)).toBe('approved')
  })

  test('only who may change the offer decides', async () => {
    const colleague = await api.as('manager')
    const theirs = await api.as('affiliate', { managerId: colleague.managerId })
    const { ticket } = await asked(theirs)
    expect(await get(colleague, ticket.uuid)).toMatchObject({ may_decide: false })
    expect((await decide(colleague, ticket.uuid)).status).toBe(403)
    expect((await decide(theirs, ticket.uuid)).status).toBe(403)
    // whose offer it is does not read the ticket
    expect((await decide(manager, ticket.uuid)).status).toBe(404)
    expect((await get(theirs, ticket.uuid)).offer_answer).toBeNull()
  })

  test('an offer one may not see, or runs already, cannot be asked for', async () => {
    const advertiser = await makeAdvertiser(api.db, {})
    const offer = await makeOffer(api.db, { advertiserId: advertiser.id })
    const ask = async (changes: object = {}) =>
      (
        await affiliate.call(ticketApi.create, {
          body: { key: randomUUID(), subject: 'x', body: 'x', category: 'offer_request', offer_uuid: offer.uuid, ...changes },
        })
      ).fields
    expect(await ask()).toEqual({ offer_uuid: 'You have access to this offer already' })
    await api.db.updateTable('offer').set({ privacy: 'private' }).where('id', '=', offer.id).execute()
    expect(await ask()).toEqual({ offer_uuid: 'Choose an offer you can see' })
    expect(await ask({ offer_uuid: null })).toEqual({ offer_uuid: 'Required' })
    expect(await ask({ category: 'general' })).toEqual({ offer_uuid: 'Only an offer request names an offer' })
  })
})

describe('finding and managing', () => {
  test('a ticket is found by its number, its subject and the beginnings of words that were said in it', async () => {
    const { id } = await open(affiliate, { subject: 'Zebra payout', body: 'Коли виплатять за конверсії? 100% :* & | !' })
    for (const search of [String(id), `#${id}`, 'zebra', 'виплат конвер', 'КОЛИ', "100% :* & | !'"])
      expect(await found(manager, search), search).toContain('Zebra payout')
    expect(await found(manager, 'виплат зебра')).toEqual([])
    expect((await manager.call(ticketApi.list, { body: { search: "a'b\\:*<->" } })).status).toBe(200)
  })

  test('many are closed and given to somebody at once; those whom they may not read are passed over', async () => {
    const colleague = await api.as('manager')
    const theirs = await api.as('affiliate', { managerId: colleague.managerId })
    const uuids = [(await open()).uuid, (await open(theirs)).uuid]
    const give = (who: Caller, to: string | null) => who.call(ticketApi.assign, { body: { uuids, assignee_uuid: to } })
    expect((await give(admin, colleague.uuid)).data.changed).toBe(1)
    expect((await give(admin, head.uuid)).data.changed).toBe(2)
    expect((await give(manager, manager.uuid)).data.changed).toBe(1)
    expect((await give(admin, affiliate.uuid)).fields).toHaveProperty('assignee_uuid')
    expect((await give(admin, (await api.as('team lead')).uuid)).fields).toHaveProperty('assignee_uuid')
    expect((await manager.call(ticketApi.setStatus, { body: { uuids, status: 'closed' } })).data.changed).toBe(1)
    const mine = await manager.call(ticketApi.list, { body: { assigned: 'me' } })
    expect(mine.data.list.map(({ uuid }) => uuid)).toContain(uuids[0])
    expect(mine.data.list.every(({ assignee }) => assignee?.uuid === manager.uuid)).toBe(true)
    const names = (await manager.call(ticketApi.assignees)).data.list.map(({ uuid }) => uuid)
    expect(names).toContain(manager.uuid)
    expect(names).not.toContain(colleague.uuid)
  })

  test('the time to the first answer is told of each, and its median of the last days', async () => {
    const own = await api.as('manager')
    const partner = await api.as('affiliate', { managerId: own.managerId })
    for (const minutes of [10, 30, 20]) {
      const { uuid } = await open(partner)
      api.clock.advance(minutes * MINUTE)
      await answer(own, uuid, 'First')
      await answer(own, uuid, 'Second')
      expect((await get(own, uuid)).first_answer).toBe(minutes * 60)
    }
    await open(partner)
    await open(own, {}, partner.uuid)
    expect((await own.call(ticketApi.figures)).data).toEqual({ median: 20 * 60, answered: 3, unanswered: 1 })
    expect((await (await api.as('manager')).call(ticketApi.figures)).data).toEqual({ median: null, answered: 0, unanswered: 0 })
  })

  test('templates are kept by whoever answers tickets; unknown macros and titles there are already are refused', async () => {
    const make = (title: string, body: string) => manager.call(ticketTemplateApi.create, { body: { title, body } })
    const made = (await make('Payout terms', 'Hello {affiliate}, about #{number}')).data
    expect((await make('payout TERMS', 'x')).fields).toHaveProperty('title')
    expect((await make('Other', 'Hello {password}')).fields).toEqual({ body: 'Unknown macro: {password}' })
    const change = (version: number) =>
      admin.call(ticketTemplateApi.update, { params: { uuid: made.uuid }, body: { title: 'Terms', body: 'Hi', version } })
    expect((await change(made.version)).data).toMatchObject({ title: 'Terms', version: made.version + 1 })
    expect((await change(made.version)).status).toBe(409)
    expect((await affiliate.call(ticketTemplateApi.list)).status).toBe(403)
    await head.call(ticketTemplateApi.remove, { params: { uuid: made.uuid } })
    expect((await admin.call(ticketTemplateApi.list)).data.list).toEqual([])
  })

  test('an affiliate that opens too many has to wait', async () => {
    const partner = await api.as('affiliate')
    for (let at = 0; at < 10; at++) await open(partner)
    const refused = await partner.call(ticketApi.create, { body: { key: randomUUID(), subject: 'x', body: 'x', category: 'general' } })
    expect({ status: refused.status, after: refused.headers.get('retry-after') }).toEqual({ status: 429, after: '3600' })
    api.clock.advance(61 * MINUTE)
    await open(partner)
  })
})
