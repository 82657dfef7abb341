import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ticketApi } from '#contract/network/ticket.ts'
import { openMailQueue } from '#server/features/network/mail/queue.service.ts'
import { openSealer } from '#server/platform/seal.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'
import { mailTicketMessages } from './ticket-mail.jobs.ts'

const KEY = 'one key of an instance, long enough for it'
const SECOND = 1_000

let api: TestApi
let manager: Caller
let affiliate: Caller
beforeAll(async () => {
  api = await startApi()
  manager = await api.as('manager')
  affiliate = await api.as('affiliate', { managerId: manager.managerId })
})
afterAll(() => api.close())

const work = () => mailTicketMessages({ db: api.db, mail: openMailQueue(KEY), publicUrl: 'https://panel.example' }, api.clock.now())
/** What has been queued since, by its recipient. */
async function queued() {
  const rows = await api.db.deleteFrom('mail').returning(['recipient', 'event', 'sealed']).execute()
  return rows.map(({ recipient, event, sealed }) => ({
    recipient,
    event,
    values: JSON.parse(openSealer(KEY, 'mail').open(sealed ?? Buffer.alloc(0))) as Record<string, string>,
  }))
}
const answer = (who: Caller, uuid: string, body: string, internal = false) =>
  who.call(ticketApi.answer, { params: { uuid }, body: { key: randomUUID(), body, internal } })

test('five quick messages are one mail to who answers, a minute after the last, once; notes and what was read live are none', async () => {
  const body = { key: randomUUID(), subject: 'Payout', body: 'One', category: 'finance' as const }
  const { uuid, id } = (await affiliate.call(ticketApi.create, { body })).data
  for (const text of ['Two', 'Three', 'Four', 'Five']) {
    api.clock.advance(10 * SECOND)
    await answer(affiliate, uuid, text)
  }
  expect(await work()).toBe(0)
  api.clock.advance(60 * SECOND)
  // two workers at once
  expect((await Promise.all([work(), work()])).toSorted()).toEqual([0, 1])
  expect(await queued()).toEqual([
    {
      recipient: manager.email,
      event: 'ticket_message',
      values: expect.objectContaining({
        number: String(id),
        subject: 'Payout',
        text: 'One\n\nTwo\n\nThree\n\nFour\n\nFive',
        link: `https://panel.example/tickets?ticket=${id}`,
      }),
    },
  ])
  expect(await work()).toBe(0)

  await answer(manager, uuid, 'Only among us', true)
  const { data } = await answer(manager, uuid, 'Tomorrow')
  await affiliate.call(ticketApi.read, { params: { uuid }, body: { until: data.message_uuid } })
  api.clock.advance(61 * SECOND)
  expect(await work()).toBe(1)
  expect(await queued()).toEqual([])

  await answer(manager, uuid, 'Done')
  api.clock.advance(61 * SECOND)
  await work()
  expect((await queued()).map(({ recipient, values }) => [recipient, values['text']])).toEqual([[affiliate.email, 'Done']])
})
