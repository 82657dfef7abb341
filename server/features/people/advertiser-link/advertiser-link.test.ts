import { afterAll, beforeAll, expect, test } from 'vitest'
import { advertiserLinkApi } from '#contract/people/advertiser-link.ts'
import { openClickFinder } from '#server/features/traffic/click/click.queries.ts'
import { sendOutbox } from '#server/features/traffic/fact/outbox.service.ts'
import { receivePostback } from '#server/features/traffic/postback/incoming/receive.service.ts'
import { makeAdvertiser } from '#test/support/make/factories.ts'
import { makeAdvertiserIssued, makeDebtor } from '#test/support/make/receivables.ts'
import { textOfPdf } from '#test/support/pdf.ts'
import { handOver, makeClick, makeClickKeys, makeOffer, storeClicks } from '#test/support/make/money.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'

const DAY = 86_400_000
let api: TestApi
let admin: Caller
beforeAll(async () => {
  api = await startApi({ clickhouse: true })
  admin = await api.as('admin')
})
afterAll(() => api.close())

/** An advertiser with an offer of a name, on which an affiliate of a name brought one approved conversion. */
async function makeResult(name: string, affiliateName: string, transaction: string, more: string[] = []) {
  const { db, clock, clickhouse } = api
  const affiliate = await api.as('affiliate', { name: affiliateName })
  const advertiser = await makeAdvertiser(db, { name: `Payer ${name}` })
  const offer = await makeOffer(db, { advertiserId: advertiser.id })
  await db
    .updateTable('offer')
    .set({ title: `Offer ${name}` })
    .where('id', '=', offer.id)
    .execute()
  const received_at = new Date(clock.now()).toISOString()
  const keys = await makeClickKeys(db)
  const receive = async (status: string, transaction_id: string) => {
    const click = makeClick(keys, { offerId: offer.id, affiliateId: affiliate.affiliateId ?? 0, at: clock.now() - 60_000 })
    await storeClicks(clickhouse, [click], { advertiser: advertiser.id })
    const query = { click_id: click.id, token: offer.token, status, transaction_id }
    await receivePostback({ db, findClick: openClickFinder(clickhouse), clock }, handOver(query, { received_at }))
    return click
  }
  const click = await receive('approved', transaction)
  for (const status of more) await receive(status, `${transaction}-${status}`)
  await sendOutbox(db, clickhouse)
  return { advertiser, affiliate, click, offer }
}
const make = (who: Caller, advertiser_uuid: string, days = 30) =>
  who.call(advertiserLinkApi.create, { body: { advertiser_uuid, name: 'Their finance', days } })
const open = async (link: string, search = '') => {
  const response = await fetch(`${api.url}${new URL(link).pathname}${search}`)
  return { status: response.status, headers: response.headers, text: await response.text() }
}

test('by a link an advertiser sees results of the own offers and nothing of affiliates, strangers or margin', async () => {
  const own = await makeResult('<b>Own</b>', 'Secret Affiliate', '=1+1')
  const other = await makeResult('Foreign', 'Another Affiliate', 'tx-foreign')
  const { data } = await make(admin, own.advertiser.uuid)
  const { payout, revenue } = await api.db
    .selectFrom('conversion')
    .select(['payout', 'revenue'])
    .where('offer_id', '=', own.offer.id)
    .executeTakeFirstOrThrow()
  expect(payout).not.toBe(revenue)
  const pages = [await open(data.link), await open(data.link, '?csv=days'), await open(data.link, '?csv=conversions')]
  for (const { status, headers, text } of pages) {
    expect(status).toBe(200)
    expect([headers.get('x-robots-tag'), headers.get('set-cookie'), headers.get('cache-control')]).toEqual([
      'noindex, nofollow',
      null,
      'no-store',
    ])
    expect(text).toContain(Number(revenue).toFixed(2))
    expect(text).not.toContain(Number(revenue).toFixed(4))
    for (const secret of ['Affiliate', 'Foreign', 'tx-foreign', Number(payout).toFixed(2), own.affiliate.email, '<b>Own'])
      expect(text.replace('Offer <b>Own</b>', '')).not.toContain(secret)
  }
  expect(pages[0]?.text).toContain('Offer &#60;b&#62;Own&#60;/b&#62;')
  expect(pages[1]?.text.split('\r\n')[1]).toMatch(/^\d{4}-\d\d-\d\d,Offer <b>Own<\/b>,1,0,0,1,0,/)
  expect(pages[2]?.text).toContain(`"'=1+1"`)
  // nothing happened before
  const earlier = await open(data.link, '?from=2026-01-01&to=2026-01-02')
  expect(earlier.text).toContain('Nothing happened in these days.')
  expect((await open(data.link, '?from=x&to=%00')).status).toBe(200)
  expect(other.advertiser.uuid).not.toBe(own.advertiser.uuid)
})

test('what an advertiser pays is told apart from what was reported, and page and both files come to the same', async () => {
  const own = await makeResult('Sums', 'Some Affiliate', 'tx-sum', ['pending', 'declined'])
  const { data } = await make(admin, own.advertiser.uuid)
  const row = await api.db.selectFrom('conversion').select('revenue').where('offer_id', '=', own.offer.id).executeTakeFirstOrThrow()
  const [each, thrice] = [Number(row.revenue).toFixed(2), (3 * Number(row.revenue)).toFixed(2)]
  const cells = async (what: string) =>
    (await open(data.link, `?csv=${what}`)).text
      .trim()
      .split('\r\n')
      .map((line) => line.split(','))
  const [, , ...days] = await cells('days')
  expect(days).toEqual([['Total', '', '3', '1', '0', '1', '1', each, each, 'USD']])
  const [head, ...lines] = await cells('conversions')
  expect(head).toEqual(['Time', 'Offer', 'Goal', 'Click ID', 'Transaction', 'Status', 'Amount', 'You pay', 'Currency'])
  const told = lines.map(([first, , , , , status, amount, pay]) => [first?.startsWith('Total') ? first : '', status, amount, pay])
  expect(lines.filter(([, , , click]) => click === own.click.id)).toHaveLength(1)
  expect(told.slice(0, 3).toSorted()).toEqual([
    ['', 'Approved', each, each],
    ['', 'Declined', each, '0.00'],
    ['', 'Pending', each, '0.00'],
  ])
  expect(told.slice(3)).toEqual([
    ['Total: 1', 'Approved', each, each],
    ['Total: 1', 'Pending', each, '0.00'],
    ['Total: 1', 'Declined', each, '0.00'],
  ])
  const page = (await open(data.link)).text.replaceAll(/<\/?t[dhr][^>]*>/g, ' ').replaceAll(/ +/g, ' ')
  expect(page).toContain(`USD Total 3 ${thrice} ${each}`)
})

test('an expired, a revoked, a deleted and an invented link are answered alike; the list tells what became of each', async () => {
  const advertiser = await makeAdvertiser(api.db)
  const [short, long] = [(await make(admin, advertiser.uuid, 1)).data, (await make(admin, advertiser.uuid, 366)).data]
  expect(JSON.stringify(await api.db.selectFrom('advertiser_link').selectAll().execute())).not.toContain(short.link.split('/').at(-1))
  expect([(await open(short.link)).status, (await open(long.link)).status]).toEqual([200, 200])
  api.clock.advance(DAY + 1000)
  await admin.call(advertiserLinkApi.revoke, { params: { uuid: long.uuid } })
  const dead = [await open(short.link), await open(long.link), await open('https://x.example/partner/nothing')]
  expect(dead.map(({ status }) => status)).toEqual([404, 404, 404])
  expect(new Set(dead.map(({ text }) => text)).size).toBe(1)
  expect(dead[0]?.text).toContain('This link is no longer valid')
  const { data } = await admin.call(advertiserLinkApi.list, { body: { advertiser_uuid: advertiser.uuid } })
  expect(data.list.map(({ state, last_opened_at }) => [state, last_opened_at !== null])).toEqual([
    ['revoked', true],
    ['expired', true],
  ])
  const log = await api.db
    .selectFrom('audit')
    .select(['action', 'after'])
    .where('entity_id', '=', String(advertiser.id))
    .orderBy('id')
    .execute()
  expect(log.map(({ action }) => action)).toEqual(['create_link', 'create_link', 'revoke_link'])
  expect(JSON.stringify(log)).not.toContain(short.link.split('/').at(-1))
})

test('a manager makes links for own advertisers alone, and whoever calls too often waits', async () => {
  const manager = await api.as('manager')
  const own = await makeAdvertiser(api.db, { managerId: manager.managerId })
  const strange = await makeAdvertiser(api.db)
  expect([(await make(manager, own.uuid)).status, (await make(manager, strange.uuid)).status]).toEqual([200, 404])
  const statuses = []
  for (let call = 0; call < 130; call++) statuses.push((await open('https://x.example/partner/guess')).status)
  expect([statuses[0], statuses.at(-1)]).toEqual([404, 429])
})

test('the own invoices stand there with their PDF, and nobody else’s come by the link', async () => {
  // past the limit of the test before
  api.clock.advance(3_600_000)
  const at = api.clock.now() - DAY
  const [own, other] = [await makeDebtor(api.db, ['100'], { at }), await makeDebtor(api.db, ['7'], { at })]
  const period_to = new Date(api.clock.now()).toISOString().slice(0, 10)
  const issued = await makeAdvertiserIssued(admin, own, { period_to })
  const foreign = await makeAdvertiserIssued(admin, other, { period_to })
  const { link } = (await make(admin, own.uuid)).data
  const { text } = await open(link)
  expect(text).toContain(issued.number)
  expect(text).toContain('150.00 USD')
  expect(text).not.toContain(foreign.number)
  const load = async (search: string) => {
    const response = await fetch(`${api.url}${new URL(link).pathname}?${search}`)
    return { status: response.status, type: response.headers.get('content-type'), bytes: new Uint8Array(await response.arrayBuffer()) }
  }
  const found = await load(`invoice=${issued.uuid}`)
  expect(found).toMatchObject({ status: 200, type: 'application/pdf' })
  expect((await textOfPdf(found.bytes)).join(' ')).toContain('$150.00')
  for (const search of [`invoice=${foreign.uuid}`, `note=${foreign.uuid}`]) expect((await load(search)).status).toBe(404)
  // what is no invoice is passed over
  expect((await load('invoice=1')).type).toContain('text/html')
})
