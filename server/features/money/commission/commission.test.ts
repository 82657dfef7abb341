import { afterAll, beforeAll, expect, test } from 'vitest'
import { fillPath } from '#contract/endpoint.ts'
import { commissionApi } from '#contract/money/commission.ts'
import { assignmentApi } from '#contract/people/assignment.ts'
import { textOfPdf } from '#test/support/pdf.ts'
import { makeAdvertiser } from '#test/support/make/factories.ts'
import { makePayable } from '#test/support/make/invoices.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'
import { freezeCommissions } from './freeze.jobs.ts'

let api: TestApi
let admin: Caller
let head: Caller
beforeAll(async () => {
  api = await startApi({ at: '2026-10-10T10:00:00Z' })
  ;[admin, head] = await Promise.all([api.as('admin'), api.as('head')])
})
afterAll(() => api.close())

const uuidOf = async (who: Caller) =>
  (await api.db.selectFrom('account').select('uuid').where('id', '=', who.accountId).executeTakeFirstOrThrow()).uuid
const ownedBy = async (manager: Caller | null, name = 'Iryna') => {
  const affiliate = await api.as('affiliate', { name })
  await api.db
    .updateTable('affiliate')
    .set({ manager_id: manager?.managerId ?? null })
    .where('id', '=', affiliate.affiliateId!)
    .execute()
  return affiliate
}
/** Revenue is one and a half times the payout. */
const earns = async (who: Caller, amount: string, more: { advertiserId?: number; currency?: string } = {}) =>
  makePayable(api.db, who.affiliateId!, [amount], { at: api.clock.now(), ...more })
const give = async (who: Caller, to: Caller | null) =>
  admin.call(assignmentApi.assign, {
    body: { kind: 'affiliate', uuids: [await uuidOf(who)], manager_uuid: to === null ? null : await uuidOf(to) },
  })
const month = async (name: string, by = admin) => (await by.call(commissionApi.list, { body: { month: name } })).data
const rowOf = async (manager: Caller, name: string) => {
  const uuid = await uuidOf(manager)
  return (await month(name)).list.find((one) => one.manager.uuid === uuid)
}
const until = (moment: string) => api.clock.advance(Date.parse(moment) - api.clock.now())
const saved = async (path: string, body?: object) => {
  const headers = { authorization: `Bearer ${admin.token}`, 'content-type': 'application/json' }
  const answer = await fetch(`${api.url}${path}`, { headers, ...(body && { method: 'POST', body: JSON.stringify(body) }) })
  expect(answer.status).toBe(200)
  return answer.arrayBuffer()
}
const switchOn = async () => {
  const { changed: _changed, ...before } = (await admin.call(commissionApi.terms)).data
  await admin.call(commissionApi.updateTerms, { body: { ...before, on: true, percent: '5' } })
}

test('a manager gets a share of the profit of the accounts that are theirs at the end of the month, once for both sides', async () => {
  const [one, other] = [await api.as('manager', { name: 'Olha' }), await api.as('manager', { name: 'Petro' })]
  const mine = await ownedBy(one)
  const theirs = await ownedBy(other)
  const advertiser = await makeAdvertiser(api.db)
  await api.db.updateTable('advertiser').set({ manager_id: one.managerId! }).where('id', '=', advertiser.id).execute()
  await earns(mine, '100', { advertiserId: advertiser.id })
  await earns(theirs, '40', { advertiserId: advertiser.id })
  await earns(mine, '10.01', { currency: 'EUR' })
  await earns(mine, '1000', { currency: 'JPY' })
  expect(await rowOf(one, '2026-10')).toMatchObject({
    basis: 'profit',
    percent: '5',
    own: false,
    uuid: null,
    sums: [
      { currency: 'EUR', accounts: 1, base: '5.0050', amount: '0.2500' },
      { currency: 'JPY', accounts: 1, base: '500.0000', amount: '25.0000' },
      // the affiliate's own 50, and of the advertiser what others' affiliates brought
      { currency: 'USD', accounts: 2, base: '70.0000', amount: '3.5000' },
    ],
  })
  expect((await rowOf(other, '2026-10'))?.sums).toMatchObject([{ currency: 'USD', base: '20.0000', amount: '1.0000' }])
  const shown = (await admin.call(commissionApi.get, { body: { month: '2026-10', manager_uuid: await uuidOf(one) } })).data
  expect(shown.lines.map(({ kind, currency, revenue, payout, costs, base }) => [kind, currency, revenue, payout, costs, base])).toEqual([
    ['affiliate', 'EUR', '15.0150', '10.0100', '0.0000', '5.0050'],
    ['affiliate', 'JPY', '1500.0000', '1000.0000', '0.0000', '500.0000'],
    ['advertiser', 'USD', '60.0000', '40.0000', '0.0000', '20.0000'],
    ['affiliate', 'USD', '150.0000', '100.0000', '0.0000', '50.0000'],
  ])
})

test('terms of their own are of the payout or another percentage, and are logged', async () => {
  const manager = await api.as('manager')
  await earns(await ownedBy(manager), '200')
  const manager_uuid = await uuidOf(manager)
  const own = { basis: 'payout' as const, percent: '2.5' }
  expect((await head.call(commissionApi.setTerms, { body: { manager_uuid, own: true, ...own } })).status).toBe(200)
  expect(await rowOf(manager, '2026-10')).toMatchObject({ ...own, own: true, sums: [{ base: '200.0000', amount: '5.0000' }] })
  const logged = await api.db.selectFrom('audit').select('after').where('action', '=', 'commission_terms').execute()
  expect(logged).toEqual([{ after: own }])
  await admin.call(commissionApi.setTerms, { body: { manager_uuid, own: false, ...own } })
  expect(await rowOf(manager, '2026-10')).toMatchObject({ basis: 'profit', percent: '5', own: false })
  const refused = await admin.call(commissionApi.setTerms, { body: { manager_uuid, own: true, basis: 'payout', percent: '101' } })
  expect(refused.fields).toEqual({ percent: 'A percentage from 0 to 100' })
})

test('managers and affiliates read none of it', async () => {
  for (const who of [await api.as('manager'), await api.as('team lead'), await api.as('affiliate')]) {
    expect((await who.call(commissionApi.list, { body: { month: '2026-10' } })).status).toBe(403)
    expect((await who.call(commissionApi.csv, { body: { month: '2026-10' } })).status).toBe(403)
    expect(
      (await who.call(commissionApi.setTerms, { body: { manager_uuid: await uuidOf(admin), own: false, basis: 'profit', percent: '1' } }))
        .status,
    ).toBe(403)
  }
})

test('on the second it is frozen once, as accounts stood at the end of the month, whatever becomes of them later', async () => {
  const [first, second] = [await api.as('manager', { name: 'Анна Ґудзь' }), await api.as('manager', { name: 'Bohdan' })]
  const [given, kept] = [await ownedBy(first, '=cmd|x'), await ownedBy(first, 'Kept')]
  await earns(given, '300')
  await earns(kept, '100')
  await give(given, second)
  await switchOn()
  // the month before, at once
  expect(await freezeCommissions(api.db, api.clock.now())).toBe(1)
  expect((await month('2026-09')).frozen_at).not.toBeNull()
  until('2026-11-01T12:00:00Z')
  expect(await freezeCommissions(api.db, api.clock.now())).toBe(0)
  // given on after the month was over: it stays whose it was
  await give(given, null)
  await give(kept, second)
  until('2026-11-02T06:00:00Z')
  const made = await Promise.all([1, 2, 3].map(() => freezeCommissions(api.db, api.clock.now())))
  expect(made.reduce((sum, one) => sum + one, 0)).toBe(1)
  const frozen = await month('2026-10')
  expect(frozen.frozen_at).toBe('2026-11-02T06:00:00.000Z')
  expect(await rowOf(first, '2026-10')).toMatchObject({ changes: 1, sums: [{ base: '50.0000', amount: '2.5000' }] })
  const row = await rowOf(second, '2026-10')
  expect(row).toMatchObject({ changes: 1, sums: [{ base: '150.0000', amount: '7.5000' }] })
  const shown = (await admin.call(commissionApi.get, { body: { month: '2026-10', manager_uuid: await uuidOf(second) } })).data
  expect(shown.changed).toMatchObject([{ kind: 'affiliate', account: { name: '=cmd|x' }, from: 'Анна Ґудзь', to: 'Bohdan' }])

  // neither terms nor money of later change it
  await admin.call(commissionApi.setTerms, { body: { manager_uuid: await uuidOf(second), own: true, basis: 'payout', percent: '50' } })
  await earns(kept, '999')
  expect(await rowOf(second, '2026-10')).toEqual(row)
  expect(await freezeCommissions(api.db, api.clock.now())).toBe(0)
  await expect(api.db.updateTable('commission_statement').set({ content: '{}' }).execute()).rejects.toThrow('append-only')

  const { uuid } = (await rowOf(first, '2026-10'))!
  const pdf = await saved(fillPath(commissionApi.pdf.path, { uuid: uuid ?? '' }))
  const text = (await textOfPdf(new Uint8Array(pdf))).join(' ')
  for (const said of ['Commission statement', 'Анна Ґудзь', 'October 2026', '5 % of profit', '2.50', 'Bohdan']) expect(text).toContain(said)
  const csv = Buffer.from(await saved(commissionApi.csv.path, { month: '2026-10' })).toString()
  expect(csv).toContain("'=cmd|x")
  expect(csv).toContain('total,,,,,,150.0000,profit,5,7.5000')

  // a worker that was away makes every month
  until('2027-01-02T12:00:00Z')
  expect(await freezeCommissions(api.db, api.clock.now())).toBe(2)
})

test('below zero nothing is due', async () => {
  // two months later everybody signs in again
  admin = await api.as('admin')
  const manager = await api.as('manager')
  await earns(await ownedBy(manager), '-50')
  expect((await rowOf(manager, '2027-01'))?.sums).toEqual([{ currency: 'USD', accounts: 1, base: '-25.0000', amount: '0.0000' }])
})
