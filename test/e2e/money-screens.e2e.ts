import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { invoiceApi } from '#contract/money/invoice.ts'
import { ledgerApi } from '#contract/money/ledger.ts'
import { objectionApi } from '#contract/money/objection.ts'
import { receiptApi } from '#contract/money/receipt.ts'
import { reconciliationApi, type Reconciliation } from '#contract/money/reconciliation.ts'
import { workOffReconciliation } from '#server/features/money/reconciliation/reconciliation.jobs.ts'
import { createConversions, draftConversion } from '#server/features/traffic/conversion/draft.service.ts'
import { loadTerms } from '#server/features/traffic/conversion/terms.queries.ts'
import { expectAccessible } from '#test/support/browser/accessible.ts'
import { startPanel, type Panel } from '#test/support/browser/panel.ts'
import { cutOff, PHONE } from '#test/support/browser/phone.ts'
import { makeInvoice, makePayable } from '#test/support/make/invoices.ts'
import { makeClick, makeClickKeys, makeOffer } from '#test/support/make/money.ts'
import { makeAdvertiserIssued, makeDebtor, receive } from '#test/support/make/receivables.ts'
import type { Caller } from '#test/support/run/api.ts'

let panel: Panel
let admin: Caller & { role: 'admin' }
let advertiser: { uuid: string }
let affiliate: Caller
beforeAll(async () => {
  panel = await startPanel({ clickhouse: true, at: '2026-11-21T10:00:00Z' })
  const { api } = panel
  admin = { ...(await api.as('admin')), role: 'admin' }
  affiliate = await api.as('affiliate', { name: 'Iryna' })
  const offer = await makeOffer(api.db, { payout: '12345678.90', revenue: '123456789.01' })
  const title = 'Kites and sledges for the whole of the winter'
  await api.db.updateTable('offer').set({ title }).where('id', '=', offer.id).execute()
  advertiser = await api.db.selectFrom('advertiser').select('uuid').where('id', '=', offer.advertiserId).executeTakeFirstOrThrow()
  const [terms] = (await loadTerms(api.db, [offer.id])).values()
  const at = Date.parse('2026-11-11T12:00:00Z')
  const click = makeClick(await makeClickKeys(api.db), { offerId: offer.id, affiliateId: affiliate.affiliateId ?? 0, at: at - 3_600_000 })
  const report = { status: 'approved' as const, amount: null, converted: null, currency: null, transactionId: 'T1', reason: '' }
  const draft = draftConversion(terms!, terms!.goals[0]!, click, report, at, at)
  await api.db.transaction().execute((trx) => createConversions(trx, draft ? [draft] : [], at))
}, 180_000)
afterAll(() => panel.close())
afterEach(() => panel.closePages())

test('on a phone the trial balance and an advertiser’s billing are read without scrolling sideways, each amount with its name', async () => {
  const { page } = await panel.open('/billing?view=ledger', admin, { viewport: PHONE })
  await page.getByRole('table', { name: 'Trial balance, USD' }).waitFor()
  expect(await cutOff(page)).toEqual([])
  const owed = page.getByRole('row', { name: /Owed, not invoiced/ }).first()
  expect(await owed.locator('td:visible').evaluateAll((cells) => cells.map((one) => one.getAttribute('data-label')))).toEqual([
    null,
    'Debits',
    'Closing',
  ])
  await expectAccessible(page)
  await page.getByText('In USD', { exact: true }).click()
  expect(await cutOff(page)).toEqual([])
  // an account of the network opens as its entries, and leads back
  await page.goto('/billing?view=ledger&account=rounding.USD')
  await page.getByRole('heading', { name: / · USD · Network$/ }).waitFor()
  await page.getByText('No entries').first().waitFor()
  await expectAccessible(page)
  await page.route(`**${ledgerApi.networkEntries.path}`, async (route) => {
    const answer = await route.fetch()
    const about = { conversion: null, invoice: null, receipt: { id: 7, external_id: 'BANK-7' }, note: '' }
    const moved = { amount: '12.0000', balance: '30.0000', ...about, party: 'Finova', actor: null }
    const at = new Date(0).toISOString()
    const entry = { id: '1', kind: 'rounding', at, booked_at: at, event: 'receipt', ...moved }
    const { data, ...rest } = await answer.json()
    await route.fulfill({ response: answer, json: { ...rest, data: { ...data, list: [entry], summary: { ...data.summary, rows: 1 } } } })
  })
  await page.reload()
  const card = page.getByRole('listitem').filter({ hasText: 'Finova' })
  await card.waitFor()
  expect(await card.locator('dt').allInnerTexts()).toEqual(['Partner', 'When', 'Amount', 'Balance', 'About'])
  await card.getByRole('link', { name: 'Receipt 7' }).waitFor()
  await expectAccessible(page)
  await page.unrouteAll()
  await page.getByRole('link', { name: 'Trial balance', exact: true }).click()
  await page.getByRole('table', { name: 'Trial balance, USD' }).waitFor()
  await page.goto(`/roles/advertisers/edit/${advertiser.uuid}?tab=billing`)
  await page.getByText('Kites and sledges').first().waitFor()
  expect(await cutOff(page)).toEqual([])
  await expectAccessible(page)
})

test('a dialog that goes away gives the focus back to the button it came from', async () => {
  const { page } = await panel.open('/billing?view=payouts', admin)
  const focused = () => page.evaluate<string>('document.activeElement.textContent')
  const openAndEscape = async (name: string) => {
    await page.getByRole('button', { name, exact: true }).click()
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await expect.poll(focused).toBe(name)
  }
  await openAndEscape('Read a result')
  await page.goto(`/roles/advertisers/edit/${advertiser.uuid}?tab=billing`)
  await openAndEscape('Terms and limit')
})

test('a receipt is begun where it has to be filled in, and an account without entries opens empty under its own name', async () => {
  const { page } = await panel.open('/billing?view=advertisers&part=receipts', admin)
  const book = page.getByRole('button', { name: 'Book a receipt', exact: true })
  await book.click()
  await expect.poll(() => page.evaluate('document.activeElement.ariaRequired')).toBe('true')
  expect(await page.evaluate('document.activeElement.labels[0].textContent')).toMatch(/^Advertiser/)
  await page.goto(`/roles/advertisers/edit/${advertiser.uuid}?tab=billing`)
  await book.click()
  await expect.poll(() => page.evaluate('document.activeElement.labels?.[0]?.textContent')).toMatch(/^Amount/)

  await page.goto(`/roles/advertisers/edit/${advertiser.uuid}?tab=money&account=advertiser_prepaid.EUR`)
  await page.getByRole('heading', { name: 'Entries: Prepaid, EUR' }).waitFor()
  await page.getByText('Nothing was booked on this account.').waitFor()
  await expectAccessible(page)
})

test('an invoice its affiliate objects to is answered before it can be approved', async () => {
  const { api } = panel
  const rows = await makePayable(api.db, affiliate.affiliateId ?? 0, ['10'], { at: api.clock.now() - 86_400_000 })
  const { uuid, revision } = await makeInvoice(admin, rows)
  await admin.call(invoiceApi.send, { params: { uuid }, body: { revision } })
  await affiliate.call(objectionApi.make, { params: { uuid }, body: { reason: 'A lead of 12 Nov is missing' } })
  const { page } = await panel.open(`/billing/invoice-detail/${uuid}`, admin)
  const approve = page.getByRole('button', { name: 'Approve', exact: true })
  await expect.poll(() => approve.getAttribute('aria-disabled')).toBe('true')
  await page.getByText('Answer the objection first').waitFor({ state: 'attached' })
  await expectAccessible(page)
  await page.keyboard.press('a')
  expect(await page.getByRole('dialog').count()).toBe(0)
  await page.getByRole('button', { name: 'Answer', exact: true }).click()
  await page.getByRole('textbox', { name: 'Your answer' }).fill('It was a duplicate')
  await page.getByRole('dialog').getByRole('button', { name: 'Answer', exact: true }).click()
  await expect.poll(() => approve.getAttribute('aria-disabled')).toBe(null)
})

test('what of a receipt an invoice gets is read as people type it, and what is no amount is not taken for nothing', async () => {
  const { api } = panel
  const debtor = await makeDebtor(api.db, ['1000'], { at: api.clock.now() - 86_400_000 })
  const bill = await makeAdvertiserIssued(admin, debtor)
  const paid = await receive(admin, debtor, '1500', { external_id: 'BANK-1500' })
  const { page } = await panel.open(`/billing?view=advertisers&part=receipts&search=${encodeURIComponent(`#${paid.id}`)}`, admin)
  await page
    .getByRole('row', { name: /BANK-1500/ })
    .getByRole('button')
    .last()
    .click()
  await page.getByRole('menuitem', { name: 'Spread anew' }).click()
  const dialog = page.getByRole('dialog')
  const part = dialog.getByRole('textbox', { name: new RegExp(bill.number ?? 'none') })
  await part.fill('12x')
  await dialog.getByText('Not an amount', { exact: true }).waitFor()
  await expect.poll(() => dialog.getByRole('button', { name: 'Spread anew' }).getAttribute('aria-disabled')).toBe('true')
  await dialog.getByText('Correct what is not an amount first.').waitFor({ state: 'attached' })
  await part.fill('1,234.50')
  await part.blur()
  expect(await part.inputValue()).toBe('1234.50')
  await dialog.getByRole('button', { name: 'Spread anew' }).click()
  await dialog.waitFor({ state: 'detached' })
  const [after] = (await admin.call(receiptApi.list, { body: { search: `#${paid.id}` } })).data.list
  expect(after).toMatchObject({ in_advance: '265.5000', parts: [{ number: bill.number, amount: '1234.5000' }] })
})

test('a goal of a report that nobody knows is named once for all its lines, changed and taken back', async () => {
  const { api } = panel
  const lines = ['T1', 'T2', 'T3'].map((id) => `${id};2026-11-11 12:00:00;approved;15.00;ftd`)
  const body = ['Order ID;Date;Status;Payout;Event', ...lines].join('\n')
  const answer = await fetch(`${api.url}${reconciliationApi.read.path}?name=november.csv&advertiser_uuid=${advertiser.uuid}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${admin.token}`, 'content-type': 'application/octet-stream' },
    body,
  })
  const { data: batch } = (await answer.json()) as { data: Reconciliation } // as the contract says
  const reading = { ...batch.reading, mapping: { transaction_id: 0, time: 1, status: 2, amount: 3, goal: 4 } }
  const period = { from: '2026-11-01', to: '2026-11-20' }
  await admin.call(reconciliationApi.match, { params: batch, body: { revision: batch.revision, reading, period } })
  const work = async () => {
    while (await workOffReconciliation({ db: api.db, clickhouse: api.clickhouse }, api.clock.now())) await Promise.resolve()
  }
  await work()

  const { page } = await panel.open(`/billing?view=reconcile&batch=${batch.uuid}`, admin, { viewport: PHONE })
  await page.getByText('3 lines name goals nobody knows.').waitFor()
  expect(await cutOff(page)).toEqual([])
  const goal = page.getByRole('combobox', { name: 'Which goal “ftd” is' })
  const again = page.getByRole('button', { name: 'Match again' })
  await goal.click()
  await page.getByRole('option').first().click()
  await again.click()
  await again.waitFor({ state: 'detached' })
  await work()
  await page.getByText('These were named by hand.').waitFor()
  expect((await admin.call(reconciliationApi.get, { params: batch })).data.reading.goals).toMatchObject([{ word: 'ftd' }])

  // what was said is taken back as it was said
  await page.getByRole('button', { name: 'Clear' }).or(page.locator('[class*=InputClearButton]')).first().click()
  await again.click()
  await again.waitFor({ state: 'detached' })
  await work()
  await page.getByText('3 lines name goals nobody knows.').waitFor()
  expect((await admin.call(reconciliationApi.get, { params: batch })).data.reading.goals).toEqual([])
})
