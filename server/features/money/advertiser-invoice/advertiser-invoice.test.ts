import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { advertiserBillingApi } from '#contract/money/advertiser-billing.ts'
import { advertiserInvoiceApi, type AdvertiserInvoiceDetail } from '#contract/money/advertiser-invoice.ts'
import { ledgerApi } from '#contract/money/ledger.ts'
import { findDifferences } from '#server/features/money/ledger/check.service.ts'
import { makePayable } from '#test/support/make/invoices.ts'
import { makeAffiliateId } from '#test/support/make/money.ts'
import { makeRates } from '#test/support/make/rates.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'
import { become, issue, makeAdvertiserDraft, makeAdvertiserIssued, makeDebtor, receive } from '#test/support/make/receivables.ts'

let api: TestApi
let admin: Caller
let head: Caller

beforeAll(async () => {
  api = await startApi({ at: '2026-11-21T10:00:00Z' })
  await makeRates(api.db)
  ;[admin, head] = await Promise.all([api.as('admin'), api.as('head')])
})
afterAll(() => api.close())

const debtor = (amounts: string[], more: { currency?: string; holdDays?: number } = {}) =>
  makeDebtor(api.db, amounts, { at: api.clock.now() - 86_400_000, ...more })
const sound = async () => expect(await findDifferences(api.db)).toEqual([])
const read = async ({ uuid }: { uuid: string }) => (await admin.call(advertiserInvoiceApi.get, { params: { uuid } })).data
type Step = 'refresh' | 'remove' | 'takeVat'
const step = (by: Caller, name: Step, { uuid, revision }: Pick<AdvertiserInvoiceDetail, 'uuid' | 'revision'>) =>
  by.call(advertiserInvoiceApi[name], { params: { uuid }, body: { revision } })
const credit = (by: Caller, { uuid, revision }: AdvertiserInvoiceDetail, kind: 'whole' | 'changed') =>
  by.call(advertiserInvoiceApi.credit, { params: { uuid }, body: { revision, kind, reason: 'As agreed' } })
/** What stands on the accounts of an advertiser, without what is nothing. */
const owes = async ({ uuid }: { uuid: string }) => {
  const { list } = (await admin.call(ledgerApi.accounts, { body: { owner: 'advertiser', uuid } })).data
  return Object.fromEntries(
    list.filter(({ amount }) => Number(amount) !== 0).map(({ kind, amount }) => [kind.replace('advertiser_', ''), amount]),
  )
}
const become_ = (row: { id: string } | undefined, changes: Parameters<typeof become>[3]) =>
  become(api.db, api.clock.now(), { id: row?.id ?? '' }, changes)

describe('an invoice to an advertiser', () => {
  test('is previewed, made as a draft that books nothing, and issued with a number', async () => {
    const acme = await debtor(['10', '20', '3.3331'])
    const preview = (await admin.call(advertiserInvoiceApi.preview, { body: { period_to: '2026-11-21', advertiser_uuids: [acme.uuid] } }))
      .data
    expect(preview.list).toMatchObject([{ conversions: 3, corrections: 0, net: '50.0000', total: '50.0000', left_out: null }])
    const draft = await makeAdvertiserDraft(admin, acme)
    expect(draft).toMatchObject({
      status: 'draft',
      number: null,
      net: '50.0000',
      open: '0.0000',
      missing: [],
      due_day: '2026-12-21',
      changed: null,
    })
    expect(await owes(acme)).toEqual({ receivable: '49.9997', network_revenue: '49.9997' })
    const issued = await issue(admin, draft)
    expect(issued).toMatchObject({ status: 'issued', open: '50.0000', billed_to: { name: 'Acme GmbH' } })
    expect(issued.number).toMatch(/^INV-2026-\d+$/)
    expect(await owes(acme)).toEqual({ invoiced: '50.0000', network_revenue: '49.9997' })
    expect(issued.bookings.flatMap(({ entries }) => entries)).toContainEqual({ account: 'rounding', amount: '-0.0003', currency: 'USD' })
    expect(issued.history.map(({ event }) => event)).toEqual(['made', 'issued'])
    expect(issued.groups).toMatchObject([{ goal: 'Sale', rows: 3 }])
    await sound()
    // nothing is left for another
    const again = await admin.call(advertiserInvoiceApi.create, {
      body: { key: randomUUID(), period_to: '2026-11-21', rows: [{ advertiser_uuid: acme.uuid, currency: 'USD' }] },
    })
    expect(again.errors).toHaveProperty('1086')
    const rows = [{ advertiser_uuid: acme.uuid, currency: 'QQQ' }]
    const body = { key: randomUUID(), period_to: '2026-11-21', rows }
    expect((await admin.call(advertiserInvoiceApi.create, { body })).fields).toEqual({ rows: 'One of these currencies does not exist' })
  })

  test('is previewed with what was changed after its period, which comes on the next one', async () => {
    const acme = await debtor(['10', '20'])
    await makeAdvertiserIssued(admin, acme)
    await makePayable(api.db, await makeAffiliateId(api.db), ['30'], { at: api.clock.now() - 86_400_000, advertiserId: acme.id })
    const preview = async (period_to: string) =>
      (await admin.call(advertiserInvoiceApi.preview, { body: { period_to, advertiser_uuids: [acme.uuid] } })).data.list
    expect(await preview('2026-11-20')).toMatchObject([{ net: '45.0000', corrections: 0, later: null }])
    await become_(acme.conversions[0], { revenue: '12.0000' })
    expect(await preview('2026-11-20')).toMatchObject([{ net: '45.0000', corrections: 0, later: '-3.0000' }])
    expect(await preview('2026-11-21')).toMatchObject([{ net: '42.0000', corrections: 1, later: null }])
  })

  test('is previewed with the VAT its draft will have, in the decimals of its currency', async () => {
    const acme = await debtor(['22.22'])
    const terms = { advertiser_id: acme.id, vat_category: 'S' as const, vat_rate: '19', updated_at: new Date(api.clock.now()) }
    await api.db.insertInto('advertiser_billing').values(terms).execute()
    const asked = { period_to: '2026-11-21', advertiser_uuids: [acme.uuid] }
    const totals = { net: '33.3300', vat: '6.3300', total: '39.6600' }
    expect((await admin.call(advertiserInvoiceApi.preview, { body: asked })).data.list).toMatchObject([totals])
    expect(await makeAdvertiserDraft(admin, acme)).toMatchObject(totals)
  })

  test('is not made below the minimum of its run, and the preview says so', async () => {
    const [small, large] = [await debtor(['10']), await debtor(['40'])]
    const asked = { period_to: '2026-11-21', minimum: '20' }
    const body = { ...asked, advertiser_uuids: [small.uuid, large.uuid] }
    const { list } = (await admin.call(advertiserInvoiceApi.preview, { body })).data
    expect(list.map(({ net, left_out }) => [net, left_out])).toEqual([
      ['60.0000', null],
      ['15.0000', 'below_minimum'],
    ])
    const rows = [small, large].map(({ uuid }) => ({ advertiser_uuid: uuid, currency: 'USD' }))
    const made = (await admin.call(advertiserInvoiceApi.create, { body: { key: randomUUID(), ...asked, rows } })).data
    expect([made.invoices.length, made.left_out]).toEqual([1, 1])
    // without a word what its terms say counts, and nothing where somebody says so
    const terms = { advertiser_id: small.id, minimums: JSON.stringify({ USD: '20' }), updated_at: new Date(api.clock.now()) }
    await api.db.insertInto('advertiser_billing').values(terms).execute()
    const its = { period_to: '2026-11-21', advertiser_uuids: [small.uuid] }
    const leftOut = async (minimum?: string) =>
      (await admin.call(advertiserInvoiceApi.preview, { body: { ...its, ...(minimum !== undefined && { minimum }) } })).data.list[0]
        ?.left_out
    expect([await leftOut(), await leftOut('0')]).toEqual(['below_minimum', null])
    const agreed = { key: randomUUID(), period_to: '2026-11-21', rows: rows.slice(0, 1) }
    expect((await admin.call(advertiserInvoiceApi.create, { body: agreed })).errors).toHaveProperty('1086')
    // nothing of it was taken
    expect(await makeAdvertiserDraft(admin, small)).toMatchObject({ net: '15.0000' })
  })

  test('by hand waits out the extra hold of its advertiser, and ends today at the latest; who is not active owes it all the same', async () => {
    const acme = await debtor(['60'])
    const { network: _network, ...stored } = (await admin.call(advertiserBillingApi.terms, { params: { uuid: acme.uuid } })).data
    await admin.call(advertiserBillingApi.updateTerms, { params: { uuid: acme.uuid }, body: { ...stored, hold_days: 3 } })
    const what = (period_to: string) => ({ period_to, minimum: '0' })
    const preview = (period_to: string) =>
      admin.call(advertiserInvoiceApi.preview, { body: { ...what(period_to), advertiser_uuids: [acme.uuid] } })
    const create = (period_to: string) =>
      admin.call(advertiserInvoiceApi.create, {
        body: { key: randomUUID(), ...what(period_to), rows: [{ advertiser_uuid: acme.uuid, currency: 'USD' }] },
      })
    expect((await preview('2026-11-21')).data.list).toEqual([])
    expect((await create('2026-11-21')).errors).toHaveProperty('1086')
    await makePayable(api.db, await makeAffiliateId(api.db), ['40'], { at: api.clock.now() - 4 * 86_400_000, advertiserId: acme.id })
    await api.db.updateTable('advertiser').set({ status: 'inactive' }).where('id', '=', acme.id).execute()
    expect((await preview('2026-11-21')).data.list).toMatchObject([{ net: '60.0000', left_out: null }])
    const ahead = { period_to: expect.stringContaining('2026-11-21') }
    for (const refused of [await preview('2026-11-22'), await create('2026-11-22')])
      expect([refused.status, refused.fields]).toEqual([422, ahead])
    const rows = [{ advertiser_uuid: acme.uuid, currency: 'USD' }]
    const reversed = { key: randomUUID(), ...what('2026-11-20'), period_from: '2026-11-21', rows }
    expect((await admin.call(advertiserInvoiceApi.create, { body: reversed })).fields).toEqual({
      period_to: 'The last day lies before the first',
    })
    const { invoices } = (await create('2026-11-21')).data
    expect(invoices).toMatchObject([{ net: '60.0000' }])
    await sound()
  })

  test('corrects what was changed until the end of its period, and leaves what changed after it to the next', async () => {
    const acme = await debtor(['10', '20'])
    await makeAdvertiserIssued(admin, acme)
    const [early, late] = acme.conversions
    const end = Date.parse('2026-11-22T00:00:00Z')
    await become(api.db, end - 1, { id: early?.id ?? '' }, { revenue: '25.0000' })
    await become(api.db, end, { id: late?.id ?? '' }, { revenue: '90.0000' })
    const asked = (period_to: string) => ({ period_to, advertiser_uuids: [acme.uuid] })
    const preview = async (day: string) => (await admin.call(advertiserInvoiceApi.preview, { body: asked(day) })).data.list
    expect(await preview('2026-11-21')).toMatchObject([{ corrections: 1, net: '10.0000' }])
    api.clock.advance(86_400_000)
    expect(await preview('2026-11-22')).toMatchObject([{ corrections: 2, net: '70.0000' }])
    api.clock.advance(-86_400_000)
    const draft = await makeAdvertiserDraft(admin, acme)
    expect(draft).toMatchObject({ net: '10.0000' })
    expect((await step(admin, 'refresh', draft)).data).toMatchObject({ net: '10.0000' })
    await sound()
  })

  test('is for admin and head alone, and nobody else hears of it', async () => {
    const issued = await makeAdvertiserIssued(head, await debtor(['10']))
    for (const role of ['manager', 'team lead', 'affiliate'] as const) {
      const by = await api.as(role)
      expect((await by.call(advertiserInvoiceApi.list)).status).toBe(403)
      expect((await by.call(advertiserInvoiceApi.get, { params: { uuid: issued.uuid } })).status).toBe(403)
    }
  })

  test('takes conversions of its period and offers, those on hold where the terms say so', async () => {
    const acme = await debtor(['10'], { holdDays: 5 })
    const asked = { period_to: '2026-11-21', advertiser_uuids: [acme.uuid] }
    expect((await admin.call(advertiserInvoiceApi.preview, { body: asked })).data.list).toEqual([])
    const terms = { advertiser_id: acme.id, include_hold: true, updated_at: new Date(api.clock.now()) }
    await api.db.insertInto('advertiser_billing').values(terms).execute()
    expect((await admin.call(advertiserInvoiceApi.preview, { body: asked })).data.list).toMatchObject([{ net: '15.0000' }])
    expect((await admin.call(advertiserInvoiceApi.preview, { body: { ...asked, period_to: '2026-11-19' } })).data.list).toEqual([])
    const other = await debtor(['1'])
    const { offer_id } = other.conversions[0] ?? { offer_id: 0 }
    const { uuid } = await api.db.selectFrom('offer').select('uuid').where('id', '=', offer_id).executeTakeFirstOrThrow()
    expect((await admin.call(advertiserInvoiceApi.preview, { body: { ...asked, offer_uuids: [uuid] } })).data.list).toEqual([])
    const issued = await makeAdvertiserIssued(admin, acme)
    expect(issued).toMatchObject({ status: 'issued', net: '15.0000' })
    // released: it earns the same, so nothing is to be corrected
    await become_(acme.conversions[0], { status: 'approved', hold_until: null })
    expect((await read(issued)).changed).toBeNull()
    await sound()
  })

  test('is refused at issue when it no longer comes to what was seen, and shows what changed', async () => {
    const acme = await debtor(['10', '20'])
    const draft = await makeAdvertiserDraft(admin, acme)
    await become_(acme.conversions[0], { status: 'declined' })
    const refused = await admin.call(advertiserInvoiceApi.issue, {
      params: { uuid: draft.uuid },
      body: { revision: draft.revision, net: draft.net },
    })
    expect(refused.errors).toHaveProperty('1085')
    const seen = await read(draft)
    expect(seen).toMatchObject({ status: 'draft', net: '45.0000', now: { net: '30.0000' }, changed: '-15.0000' })
    const { list } = (await admin.call(advertiserInvoiceApi.lines, { body: { uuid: draft.uuid, changed: true } })).data
    expect(list).toMatchObject([{ amount: '15.0000', conversion: { status: 'declined', earned: '0.0000' }, change: { by: '' } }])
    expect(await issue(admin, seen)).toMatchObject({ status: 'issued', net: '30.0000', lines: [{ kind: 'conversion', rows: 1 }] })
    await sound()
  })

  test('needs a company that is complete', async () => {
    const acme = await debtor(['10'])
    await api.db
      .updateTable('advertiser')
      .set({ company: JSON.stringify({ name: '', address: '', country: null, vat_id: '' }) })
      .where('id', '=', acme.id)
      .execute()
    const draft = await makeAdvertiserDraft(admin, acme)
    expect(draft.missing).toEqual(['name', 'address', 'country'])
    const refused = await admin.call(advertiserInvoiceApi.issue, {
      params: { uuid: draft.uuid },
      body: { revision: draft.revision, net: draft.net },
    })
    expect(refused.errors).toHaveProperty('1092')
    expect(Object.keys(refused.fields ?? {})).toEqual(['name', 'address', 'country'])
    expect(refused.errors?.['1092']).toMatch(/: Legal name, Address, Country are missing for an invoice\.$/)
  })

  test('needs our own company too, by name, with a VAT id where it charges VAT', async () => {
    const acme = await debtor(['10'])
    const vat = { advertiser_id: acme.id, vat_category: 'S' as const, vat_rate: '20', updated_at: new Date(api.clock.now()) }
    await api.db.insertInto('advertiser_billing').values(vat).execute()
    const draft = await makeAdvertiserDraft(admin, acme)
    const setting = await api.db.selectFrom('setting').selectAll().where('key', '=', 'company').executeTakeFirstOrThrow()
    const value = JSON.stringify({ name: 'Ohma Ltd', address: '', country: 'IE', vat_id: '' })
    await api.db.updateTable('setting').set({ value }).where('key', '=', 'company').execute()
    expect((await read(draft)).missing_own).toEqual(['address', 'vat_id'])
    const asked = { params: { uuid: draft.uuid }, body: { revision: draft.revision, net: draft.net } }
    const refused = await admin.call(advertiserInvoiceApi.issue, asked)
    expect(refused.errors).toEqual({ '1092': 'Ohma Ltd: Address, VAT ID are missing for an invoice.' })
    expect(Object.keys(refused.fields ?? {})).toEqual(['company.address', 'company.vat_id'])
    await api.db
      .updateTable('setting')
      .set({ value: JSON.stringify(setting.value) })
      .where('key', '=', 'company')
      .execute()
    expect((await admin.call(advertiserInvoiceApi.issue, asked)).data.status).toBe('issued')
  })

  test('has discounts, minimums and fees beside conversions, and VAT of the whole', async () => {
    const acme = await debtor(['10'])
    const draft = await makeAdvertiserDraft(admin, acme)
    const adjust = (kind: 'discount' | 'minimum' | 'fee', amount: string, revision: number) =>
      admin.call(advertiserInvoiceApi.adjust, { params: { uuid: draft.uuid }, body: { kind, amount, note: 'As agreed', revision } })
    for (const [kind, amount] of [
      ['discount', '1'],
      ['minimum', '-1'],
      ['fee', '0'],
      ['fee', '1.001'],
      ['discount', '-50'],
    ] as const)
      expect((await adjust(kind, amount, draft.revision)).fields, `${kind} ${amount}`).toHaveProperty('amount')
    const less = (await adjust('discount', '-2.5', draft.revision)).data
    const more = (await adjust('fee', '5', less.revision)).data
    expect(more.net).toBe('17.5000')
    expect(await owes(acme)).toEqual({ receivable: '17.5000', network_revenue: '17.5000' })
    await sound()
    const { list } = (await admin.call(advertiserInvoiceApi.lines, { body: { uuid: draft.uuid } })).data
    const fee = list.find(({ adjustment }) => adjustment?.kind === 'fee')?.id ?? 0
    const without = (
      await admin.call(advertiserInvoiceApi.removeLines, { params: { uuid: draft.uuid }, body: { lines: [fee], revision: more.revision } })
    ).data
    expect(without.net).toBe('12.5000')
    const { period_from, due_day, note, internal_note } = without
    const taxed = { period_from, due_day, note, internal_note, vat_category: 'S' as const, vat_rate: '20', revision: without.revision }
    const withVat = (await admin.call(advertiserInvoiceApi.update, { params: { uuid: draft.uuid }, body: taxed })).data
    expect(withVat).toMatchObject({ net: '12.5000', vat: '2.5000', total: '15.0000' })
    // nobody's terms say so: what is issued has the VAT that was decided
    const asDecided = { params: { uuid: draft.uuid }, body: { revision: withVat.revision, net: withVat.net } }
    expect((await admin.call(advertiserInvoiceApi.issue, asDecided)).errors).toHaveProperty('1142')
    const decided = { advertiser_id: acme.id, vat_category: 'S' as const, vat_rate: '20', updated_at: new Date(api.clock.now()) }
    await api.db.insertInto('advertiser_billing').values(decided).execute()
    const taken = (await step(admin, 'takeVat', withVat)).data
    expect(taken).toMatchObject({ vat_category: 'S', vat: '2.5000' })
    const issued = await issue(admin, taken)
    expect(await owes(acme)).toEqual({ invoiced: '15.0000', network_revenue: '12.5000' })
    await sound()
    // it is final; the note of staff is not
    const late = { ...taxed, note: 'Other', revision: issued.revision }
    expect((await admin.call(advertiserInvoiceApi.update, { params: { uuid: draft.uuid }, body: late })).errors).toHaveProperty('1084')
    const noted = { ...taxed, internal_note: 'Called', revision: issued.revision }
    expect((await admin.call(advertiserInvoiceApi.update, { params: { uuid: draft.uuid }, body: noted })).data.internal_note).toBe('Called')
    expect((await step(admin, 'remove', { ...issued, revision: issued.revision + 1 })).errors).toHaveProperty('1084')
  })

  test('takes the same step once, however often it is asked for: a discount, lines taken off', async () => {
    const acme = await debtor(['10'])
    const draft = await makeAdvertiserDraft(admin, acme)
    const body = { kind: 'discount' as const, amount: '-1', note: 'As agreed', revision: draft.revision }
    const adjust = (more: object = {}) =>
      admin.call(advertiserInvoiceApi.adjust, { params: { uuid: draft.uuid }, body: { ...body, ...more } })
    const all = await Promise.all([adjust(), adjust(), adjust()])
    expect(all.map(({ status, data }) => [status, data.revision])).toEqual(Array(3).fill([200, draft.revision + 1]))
    expect(new Set(all.map(({ data }) => data.net)).size).toBe(1)
    expect((await adjust({ amount: '-2' })).status).toBe(409)
    const { list } = (await admin.call(advertiserInvoiceApi.lines, { body: { uuid: draft.uuid } })).data
    const lines = list.filter(({ kind }) => kind === 'adjustment').map(({ id }) => id)
    const remove = (ids: number[]) =>
      admin.call(advertiserInvoiceApi.removeLines, { params: { uuid: draft.uuid }, body: { lines: ids, revision: draft.revision + 1 } })
    expect([(await remove(lines)).status, (await remove(lines)).data.net, (await remove([1])).status]).toEqual([200, draft.net, 409])
  })

  test('that is deleted frees what stood on it, a discount too', async () => {
    const acme = await debtor(['10'])
    const draft = await makeAdvertiserDraft(admin, acme)
    const body = { kind: 'discount' as const, amount: '-5', note: 'Sorry', revision: draft.revision }
    const less = (await admin.call(advertiserInvoiceApi.adjust, { params: { uuid: draft.uuid }, body })).data
    expect((await step(admin, 'remove', less)).status).toBe(200)
    expect(await makeAdvertiserDraft(admin, acme)).toMatchObject({
      net: '10.0000',
      lines: [{ kind: 'adjustment' }, { kind: 'conversion' }],
    })
    await sound()
  })
})

test('a discount made after the end of a period is for the next', async () => {
  const acme = await makeDebtor(api.db, ['10'], { at: Date.parse('2026-10-15T12:00:00Z') })
  const draft = await makeAdvertiserDraft(admin, acme)
  const body = { kind: 'discount' as const, amount: '-5', note: 'Sorry', revision: draft.revision }
  await step(admin, 'remove', (await admin.call(advertiserInvoiceApi.adjust, { params: { uuid: draft.uuid }, body })).data)
  const worth = async (period_to: string) =>
    (await admin.call(advertiserInvoiceApi.preview, { body: { period_to, advertiser_uuids: [acme.uuid] } })).data.list.map(({ net }) => net)
  expect([await worth('2026-10-31'), await worth('2026-11-21')]).toEqual([['15.0000'], ['10.0000']])
  expect(await makeAdvertiserDraft(admin, acme, { period_to: '2026-10-31' })).toMatchObject({ net: '15.0000' })
  await sound()
})

test('what of an issued invoice was changed on both sides of the end of a period is on its draft as it stood then', async () => {
  const acme = await makeDebtor(api.db, ['10'], { at: Date.parse('2026-09-15T12:00:00Z') })
  const { id } = await api.db.selectFrom('conversion').select('id').where('advertiser_id', '=', acme.id).executeTakeFirstOrThrow()
  const { revenue } = await api.db.selectFrom('conversion').select('revenue').where('id', '=', id).executeTakeFirstOrThrow()
  await makeAdvertiserIssued(admin, acme, { period_to: '2026-09-30' })
  await become(api.db, Date.parse('2026-10-20T12:00:00Z'), { id }, { revenue: String(Number(revenue) + 7) })
  await become(api.db, Date.parse('2026-11-02T12:00:00Z'), { id }, { revenue: String(Number(revenue) + 30) })
  const worth = async (period_to: string) =>
    (await admin.call(advertiserInvoiceApi.preview, { body: { period_to, advertiser_uuids: [acme.uuid] } })).data.list.map(({ net }) => net)
  expect([await worth('2026-10-31'), await worth('2026-11-21')]).toEqual([['7.0000'], ['30.0000']])
  const draft = await makeAdvertiserDraft(admin, acme, { period_to: '2026-10-31' })
  expect(draft).toMatchObject({ net: '7.0000', changed: null })
  // neither computed anew nor issued it is anything else: what came later is for the next
  const refreshed = (await step(admin, 'refresh', draft)).data
  expect(refreshed).toMatchObject({ net: '7.0000', changed: null })
  const { uuid, revision, net } = refreshed
  expect((await admin.call(advertiserInvoiceApi.issue, { params: { uuid }, body: { revision, net } })).data).toMatchObject({
    net: '7.0000',
  })
  expect(await worth('2026-11-21')).toEqual(['23.0000'])
  // what is billed as it was after an end is not taken back by a run to that one
  const { status } = await makeAdvertiserIssued(admin, acme, { period_to: '2026-11-20' })
  expect([status, await worth('2026-10-31'), await worth('2026-11-21')]).toEqual(['issued', [], []])
  await become(api.db, api.clock.now(), { id }, { revenue })
  expect([await worth('2026-10-31'), await worth('2026-11-21')]).toEqual([[], ['-30.0000']])
  await sound()
})

/** VAT of 20 % on whatever an advertiser is asked to pay. */
const taxed = (of: { id: number }) =>
  api.db
    .insertInto('advertiser_billing')
    .values({ advertiser_id: of.id, vat_category: 'S', vat_rate: '20', updated_at: new Date(api.clock.now()) })
    .onConflict((conflict) => conflict.column('advertiser_id').doUpdateSet({ vat_category: 'S', vat_rate: '20' }))
    .execute()

describe('what changes after issue', () => {
  test('is a line of the next invoice', async () => {
    const acme = await debtor(['10', '20'])
    const issued = await makeAdvertiserIssued(admin, acme)
    await become_(acme.conversions[0], { revenue: '12.0000' })
    await become_(acme.conversions[1], { revenue: '40.0000' })
    expect(await owes(acme)).toMatchObject({ receivable: '7.0000', invoiced: '45.0000' })
    expect((await read(issued)).changed).toBe('7.0000')
    expect((await admin.call(advertiserInvoiceApi.list, { body: { changed: true, advertiser_uuid: [acme.uuid] } })).data.list).toHaveLength(
      1,
    )
    const next = await makeAdvertiserIssued(admin, acme)
    expect(next).toMatchObject({ net: '7.0000', lines: [{ kind: 'correction', rows: 2 }] })
    expect((await read(issued)).changed).toBeNull()
    await sound()
    // and again, back to nothing and up once more: never twice the same line
    await become_(acme.conversions[0], { status: 'declined' })
    await become_(acme.conversions[1], { revenue: '60.0000' })
    expect((await makeAdvertiserIssued(admin, acme)).net).toBe('8.0000')
    await become_(acme.conversions[0], { status: 'approved', revenue: '12.0000' })
    expect(await makeAdvertiserIssued(admin, acme)).toMatchObject({ net: '12.0000', lines: [{ kind: 'correction' }] })
    await sound()
  })

  test('of an invoice with VAT stand in a credit note with its rate, up or down, and on no next invoice', async () => {
    const acme = await debtor(['10', '20'])
    await taxed(acme)
    const issued = await makeAdvertiserIssued(admin, acme)
    expect(issued).toMatchObject({ net: '45.0000', vat: '9.0000', changes: { by: 'note', rows: 0 } })
    await become_(acme.conversions[0], { revenue: '12.0000' })
    const body = { period_to: '2026-11-21', advertiser_uuids: [acme.uuid] }
    expect((await admin.call(advertiserInvoiceApi.preview, { body })).data.list).toEqual([])
    // what the note would come to is said before, as it is made then
    const note = { net: '3.0000', vat: '0.6000', total: '3.6000' }
    expect((await read(issued)).changes).toEqual({ by: 'note', rows: 1, amount: '-3.0000', note })
    const noted = (await credit(admin, issued, 'changed')).data
    expect(noted).toMatchObject({ open: '50.4000', credited: '3.6000', credit_notes: [{ net: '3.0000', vat: '0.6000' }] })
    await become_(acme.conversions[1], { revenue: '40.0000' })
    expect((await read(issued)).changes).toMatchObject({ rows: 1, amount: '10.0000' })
    const grown = (await credit(admin, noted, 'changed')).data
    expect(grown).toMatchObject({ open: '62.4000', credited: '-8.4000', credit_notes: [{ total: '3.6000' }, { total: '-12.0000' }] })
    expect(await owes(acme)).toMatchObject({ invoiced: '62.4000' })
    await sound()

    // what was taken off whole and counts again is looked for like any other change
    const changed = async () =>
      (await admin.call(advertiserInvoiceApi.list, { body: { advertiser_uuid: [acme.uuid], changed: true } })).data.list.map(
        (one) => one.changed,
      )
    await become_(acme.conversions[0], { status: 'declined' })
    expect(await changed()).toEqual(['-12.0000'])
    const gone = (await credit(admin, grown, 'changed')).data
    expect(await changed()).toEqual([])
    await become_(acme.conversions[0], { status: 'approved' })
    expect(await changed()).toEqual(['12.0000'])
    expect((await credit(admin, gone, 'changed')).data).toMatchObject({ open: '62.4000' })
    expect(await changed()).toEqual([])
    await sound()
  })

  test('is taken to the cent by however many notes, and what adds is paid by what is prepaid', async () => {
    const acme = await debtor(['10', '10', '10'])
    await taxed(acme)
    let now = await makeAdvertiserIssued(admin, acme)
    expect(now).toMatchObject({ net: '45.0000', vat: '9.0000' })
    await receive(admin, acme, '54')
    now = await read(now)
    for (const at of [0, 1, 2]) {
      await become_(acme.conversions[at], { revenue: '14.985' })
      const said = (await read(now)).changes?.note
      const before = now.credit_notes.length
      now = (await credit(admin, now, 'changed')).data
      expect(now.credit_notes[before]).toMatchObject({ ...said })
    }
    // 44.955, with its VAT, and not three times two cents
    expect(now.credit_notes.map(({ net, vat }) => [net, vat]).toSorted()).toEqual([
      ['0.0100', '0.0000'],
      ['0.0100', '0.0000'],
      ['0.0200', '0.0100'],
    ])
    expect(now).toMatchObject({ status: 'paid', credited: '0.0500', received: '53.9500' })
    await become_(acme.conversions[0], { revenue: '20' })
    now = (await credit(admin, now, 'changed')).data
    expect(now).toMatchObject({ status: 'partly_paid', offset_prepaid: '0.0500', open: '5.9600', credited: '-5.9600' })
    expect(await owes(acme)).toEqual({ invoiced: '5.9600', network_revenue: '49.9700' })
    await sound()
    // the nightly check follows them: what one took too much, the next lack
    const { number } = now.credit_notes[0] ?? { number: '' }
    const off = async (cents: string) => {
      await sql`update advertiser_credit_note set net = net + ${cents}::numeric, vat = vat - ${cents}::numeric where number = ${number}`.execute(
        api.db,
      )
      return (await findDifferences(api.db)).map(({ kind }) => kind)
    }
    expect(await off('0.01')).toContainEqual(expect.stringMatching(/^credit note CN-/))
    expect(await off('-0.01')).toEqual([])
  })

  test('of more than is left of an invoice with VAT is taken as far as it goes, the rest by the next one, and what comes back by a note again', async () => {
    const acme = await debtor(['20', '10'])
    await taxed(acme)
    const draft = await makeAdvertiserDraft(admin, acme)
    const body = { kind: 'discount' as const, amount: '-5', note: 'Of May', revision: draft.revision }
    const less = (await admin.call(advertiserInvoiceApi.adjust, { params: { uuid: draft.uuid }, body })).data
    const issued = await issue(admin, less)
    expect(issued).toMatchObject({ net: '40.0000', vat: '8.0000' })
    // nothing of it is due any more: a note takes 40 of the 45
    for (const row of acme.conversions) await become_(row, { status: 'declined' })
    const noted = (await credit(admin, issued, 'changed')).data
    expect(noted).toMatchObject({
      status: 'credited',
      open: '0.0000',
      credited: '48.0000',
      changes: { by: 'line', rows: 1, amount: '-5.0000' },
    })
    expect((await credit(admin, noted, 'changed')).errors).toHaveProperty('1110')
    const preview = async () =>
      (await admin.call(advertiserInvoiceApi.preview, { body: { period_to: '2026-11-21', advertiser_uuids: [acme.uuid] } })).data.list
    expect(await preview()).toMatchObject([{ corrections: 1, net: '-5.0000' }])
    await sound()
    // at another rate too: nothing else could ever take it
    await api.db.updateTable('advertiser_billing').set({ vat_rate: '10' }).where('advertiser_id', '=', acme.id).execute()
    const offer = { advertiserId: acme.id, at: api.clock.now() - 86_400_000 }
    await makePayable(api.db, await makeAffiliateId(api.db), ['20'], offer)
    const next = await makeAdvertiserDraft(admin, acme)
    expect(next).toMatchObject({ net: '25.0000', vat: '2.5000' })
    expect((await step(admin, 'takeVat', next)).data).toMatchObject({ net: '25.0000', vat: '2.5000' })
    expect(await issue(admin, await read(next))).toMatchObject({ status: 'issued', total: '27.5000' })
    await sound()
    // it counts after all: a note adds it, though all was credited
    await become_(acme.conversions[0], { status: 'approved' })
    const grown = (await credit(admin, noted, 'changed')).data
    expect(grown).toMatchObject({ status: 'issued', open: '36.0000', credited: '12.0000', changed: null })
    await sound()
  })

  test('of one that was given up is no loss any more', async () => {
    const acme = await debtor(['10', '20'])
    await taxed(acme)
    const issued = await makeAdvertiserIssued(admin, acme)
    const asked = { params: { uuid: issued.uuid }, body: { revision: issued.revision, reason: 'Bankrupt' } }
    const lost = (await admin.call(advertiserInvoiceApi.writeOff, asked)).data
    // sent twice it is one
    expect((await admin.call(advertiserInvoiceApi.writeOff, asked)).data).toEqual(lost)
    await become_(acme.conversions[0], { status: 'declined' })
    expect((await credit(admin, lost, 'whole')).errors).toHaveProperty('1021')
    const noted = (await credit(admin, lost, 'changed')).data
    expect(noted).toMatchObject({ status: 'written_off', written_off: '36.0000', credited: '18.0000', open: '0.0000' })
    await sound()
  })

  test('below zero is left out of the run, and can be taken back by a credit note over what changed', async () => {
    const acme = await debtor(['10', '20'])
    const issued = await makeAdvertiserIssued(admin, acme)
    await become_(acme.conversions[0], { status: 'declined' })
    const preview = (await admin.call(advertiserInvoiceApi.preview, { body: { period_to: '2026-11-21', advertiser_uuids: [acme.uuid] } }))
      .data
    expect(preview.list).toMatchObject([{ net: '-15.0000', left_out: 'negative' }])
    const noted = (await credit(admin, issued, 'changed')).data
    expect(noted).toMatchObject({
      status: 'issued',
      open: '30.0000',
      credited: '15.0000',
      credit_notes: [{ kind: 'changed', total: '15.0000' }],
    })
    expect(noted.credit_notes[0]?.number).toMatch(/^CN-2026-\d+$/)
    expect(await owes(acme)).toEqual({ invoiced: '30.0000', network_revenue: '30.0000' })
    expect((await credit(admin, noted, 'changed')).errors).toHaveProperty('1110')
    await sound()
  })

  test('a whole credit note frees its conversions for another, and what was paid is prepaid then', async () => {
    const acme = await debtor(['10', '20'])
    const issued = await makeAdvertiserIssued(admin, acme)
    await become_(acme.conversions[0], { revenue: '12.0000' })
    const part = (await credit(admin, issued, 'changed')).data
    await receive(admin, acme, '30')
    expect(await owes(acme)).toMatchObject({ invoiced: '12.0000' })
    const whole = (await credit(admin, await read(part), 'whole')).data
    expect(whole).toMatchObject({ status: 'credited', open: '0.0000', received: '0.0000', credited: '45.0000' })
    expect(await owes(acme)).toEqual({ receivable: '42.0000', prepaid: '30.0000', network_revenue: '42.0000' })
    await sound()
    const next = await makeAdvertiserIssued(admin, acme)
    expect(next).toMatchObject({ status: 'partly_paid', net: '42.0000', offset_prepaid: '30.0000', open: '12.0000' })
    expect(await owes(acme)).toEqual({ invoiced: '12.0000', network_revenue: '42.0000' })
    await sound()
    // over the open part and a little of what prepaid money paid
    await become_(acme.conversions[1], { status: 'declined' })
    const over = (await credit(admin, next, 'changed')).data
    expect(over).toMatchObject({ status: 'paid', open: '0.0000', offset_prepaid: '12.0000', credited: '30.0000' })
    expect(await owes(acme)).toEqual({ prepaid: '18.0000', network_revenue: '12.0000' })
    await sound()
  })

  test('leaves a draft with the invoice it was about, and is for another as if it had never been on one', async () => {
    const acme = await debtor(['10', '4'])
    const issued = await makeAdvertiserIssued(admin, acme)
    for (const row of acme.conversions) await become_(row, { status: 'declined' })
    await makePayable(api.db, await makeAffiliateId(api.db), ['20'], { advertiserId: acme.id, at: api.clock.now() - 86_400_000 })
    const draft = await makeAdvertiserDraft(admin, acme)
    expect(draft).toMatchObject({ net: '9.0000' })
    expect((await credit(admin, issued, 'whole')).data).toMatchObject({ status: 'credited' })
    const refresh = async () => (await step(admin, 'refresh', await read(draft))).data
    // one counts again while its correction is still there, the other one after it left
    await become_(acme.conversions[1], { status: 'approved' })
    expect(await refresh()).toMatchObject({ net: '36.0000' })
    await sound()
    await become_(acme.conversions[0], { status: 'approved' })
    const next = await issue(admin, await refresh())
    expect(next).toMatchObject({ status: 'issued', open: '51.0000' })
    expect(await owes(acme)).toEqual({ invoiced: '51.0000', network_revenue: '51.0000' })
    await sound()
    // both stand on it as on a first: what becomes of them is a correction, or for a note where the rate is another one
    for (const row of acme.conversions) await become_(row, { revenue: '5.0000' })
    const asked = { period_to: '2026-11-21', advertiser_uuids: [acme.uuid] }
    const preview = async () => (await admin.call(advertiserInvoiceApi.preview, { body: asked })).data.list
    expect(await preview()).toMatchObject([{ conversions: 0, corrections: 2, net: '-11.0000' }])
    await taxed(acme)
    expect(await preview()).toEqual([])
    expect((await read(next)).changes).toMatchObject({ by: 'note', rows: 2 })
  })

  test('what is given up is a loss', async () => {
    const acme = await debtor(['10'])
    const issued = await makeAdvertiserIssued(admin, acme)
    const writeOff = (by: Caller) =>
      by.call(advertiserInvoiceApi.writeOff, { params: { uuid: issued.uuid }, body: { revision: issued.revision, reason: 'Bankrupt' } })
    const { data } = await writeOff(head)
    expect(data).toMatchObject({ status: 'written_off', open: '0.0000', written_off: '15.0000', reason: 'Bankrupt' })
    expect(await owes(acme)).toEqual({ write_off: '15.0000', network_revenue: '15.0000' })
    await sound()
    // it comes in after all
    await receive(admin, acme, '15', { parts: [{ invoice_uuid: issued.uuid, amount: '15' }] })
    expect(await read(issued)).toMatchObject({ status: 'paid', received: '15.0000', written_off: '0.0000' })
    expect(await owes(acme)).toEqual({ network_revenue: '15.0000' })
    await sound()
  })
})

describe('at the same moment', () => {
  test('two drafts of one period share nothing, and the same call twice makes one', async () => {
    const acme = await debtor(['10', '20'])
    const ask = (key: string) =>
      admin.call(advertiserInvoiceApi.create, {
        body: { key, period_to: '2026-11-21', rows: [{ advertiser_uuid: acme.uuid, currency: 'USD' }] },
      })
    const answers = await Promise.all([randomUUID(), randomUUID(), randomUUID()].map(ask))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ errors }) => '1086' in (errors ?? {}))).toHaveLength(2)
    const key = randomUUID()
    const other = await debtor(['5'])
    const again = () =>
      admin.call(advertiserInvoiceApi.create, {
        body: { key, period_to: '2026-11-21', rows: [{ advertiser_uuid: other.uuid, currency: 'USD' }] },
      })
    const twice = await Promise.all([again(), again()])
    expect(new Set(twice.map(({ data }) => data.invoices[0]?.uuid)).size).toBe(1)
    // a key names one call: other rows by it are no other drafts
    const third = await debtor(['7'])
    const rows = [other, third].map(({ uuid }) => ({ advertiser_uuid: uuid, currency: 'USD' }))
    const more = (of: typeof rows) => admin.call(advertiserInvoiceApi.create, { body: { key, period_to: '2026-11-21', rows: of } })
    expect([(await more(rows)).status, (await more(rows.slice(1))).status, (await again()).status]).toEqual([409, 409, 200])
    expect((await head.call(advertiserInvoiceApi.create, { body: { key, period_to: '2026-11-21', rows: rows.slice(0, 1) } })).status).toBe(
      409,
    )
    expect((await admin.call(advertiserInvoiceApi.list, { body: { advertiser_uuid: [third.uuid] } })).data.list).toEqual([])
    await sound()
  })

  test('issued twice it has one number, and a hundred at once leave no gap', async () => {
    const draft = await makeAdvertiserDraft(admin, await debtor(['10']))
    const twice = await Promise.all(
      [admin, admin, head].map((by) =>
        by.call(advertiserInvoiceApi.issue, { params: { uuid: draft.uuid }, body: { revision: draft.revision, net: draft.net } }),
      ),
    )
    expect(twice.filter(({ status }) => status === 200).length).toBeGreaterThan(0)
    expect((await read(draft)).history.map(({ event }) => event)).toEqual(['made', 'issued'])
    const drafts = await Promise.all(Array.from({ length: 12 }, async () => makeAdvertiserDraft(admin, await debtor(['10']))))
    // every third is refused: its number goes back
    const answers = await Promise.all(
      drafts.map(({ uuid, revision, net }, index) =>
        admin.call(advertiserInvoiceApi.issue, { params: { uuid }, body: { revision, net: index % 3 === 0 ? '1' : net } }),
      ),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(8)
    const rows = await api.db
      .selectFrom('advertiser_invoice')
      .select('series_number')
      .where('series', '=', 'INV-2026')
      .orderBy('series_number')
      .execute()
    expect(rows.map(({ series_number }) => series_number)).toEqual(rows.map((_, index) => index + 1))
    await sound()
  })

  test('a conversion that changes while it is issued is on the invoice as it was or as it is, and the books agree', async () => {
    const acme = await debtor(Array.from({ length: 20 }, () => '10'))
    const draft = await makeAdvertiserDraft(admin, acme)
    await Promise.all([
      admin.call(advertiserInvoiceApi.issue, { params: { uuid: draft.uuid }, body: { revision: draft.revision, net: draft.net } }),
      ...acme.conversions.slice(0, 8).map((row) => become_(row, { revenue: '1.0000' })),
    ])
    await sound()
  })
})
