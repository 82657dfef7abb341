import { createHash } from 'node:crypto'
import { strFromU8, unzipSync } from 'fflate'
import Papa from 'papaparse'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { disputeApi } from '#contract/money/dispute.ts'
import { reconciliationApi, type Reconciliation } from '#contract/money/reconciliation.ts'
import { openClickFinder } from '#server/features/traffic/click/click.queries.ts'
import { receivePostback } from '#server/features/traffic/postback/incoming/receive.service.ts'
import { handOver, makeAffiliateId, makeClick, makeClickKeys, makeOffer, storeClicks } from '#test/support/make/money.ts'
import { textOfPdf } from '#test/support/pdf.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'
import { workOffReconciliation } from '../reconciliation.jobs.ts'

const MID = Date.parse('2026-10-15T12:00:00Z')
const PERIOD = { from: '2026-10-01', to: '2026-10-31' }
let api: TestApi
let admin: Caller
let batch: Reconciliation
let token: string
let clicks: ReturnType<typeof makeClick>[]

beforeAll(async () => {
  api = await startApi({ clickhouse: true, at: '2026-11-03T10:00:00Z' })
  admin = await api.as('admin')
  const keys = await makeClickKeys(api.db)
  const offer = await makeOffer(api.db)
  ;({ token } = offer)
  const affiliateId = await makeAffiliateId(api.db)
  clicks = Array.from({ length: 3 }, (_none, at) => makeClick(keys, { offerId: offer.id, affiliateId, at: MID - 3_600_000 + at * 1000 }))
  await storeClicks(api.clickhouse, clicks)
  const { uuid } = await api.db.selectFrom('advertiser').select('uuid').where('id', '=', offer.advertiserId).executeTakeFirstOrThrow()
  await api.db.updateTable('advertiser').set({ name: '=Żółw / Media' }).where('uuid', '=', uuid).execute()
  const call = async (at: number, query: Record<string, string>) => {
    const parts = { db: api.db, findClick: openClickFinder(api.clickhouse), clock: { now: () => at } }
    return receivePostback(parts, handOver({ ...query, token }, { received_at: new Date(at).toISOString() }))
  }
  const [one, two, three] = clicks.map(({ id }) => id)
  await call(MID, { click_id: one ?? '', txn_id: 'A1', status: 'approved' })
  await call(MID, { click_id: two ?? '', txn_id: 'A2', status: 'approved' })
  // of ids nobody gave: its own call, and that of another system which uses the same word
  const strange = (secret: string, word: string) =>
    receivePostback(
      { db: api.db, findClick: openClickFinder(api.clickhouse), clock: { now: () => MID + 2000 } },
      handOver({ click_id: 'order-7', token: secret, status: 'approved', note: word }, { received_at: new Date(MID + 2000).toISOString() }),
    )
  await strange(token, 'ours')
  await strange((await makeOffer(api.db)).token, 'theirs')
  // a word nobody knows: refused
  await call(MID + 1000, { click_id: three ?? '', txn_id: 'A3', status: 'zzkwx' })
  const report = [
    'Order ID;Click;Conversion date;Status;Payout',
    `A1;;2026-10-15 12:00:00;rejected;15,00`,
    `=A3;${three};2026-10-15 12:00:01;approved;15,00`,
    `A3;;2026-10-15 12:00:01;approved;15,00`,
    `A7;order-7;2026-10-15 12:00:02;approved;15,00`,
  ].join('\r\n')
  batch = await read(uuid, report)
  await admin.call(reconciliationApi.match, { params: batch, body: { revision: batch.revision, reading: batch.reading, period: PERIOD } })
  while (await workOffReconciliation({ db: api.db, clickhouse: api.clickhouse }, api.clock.now())) await Promise.resolve()
})
afterAll(() => api.close())

async function read(of: string, body: string, side = 'advertiser'): Promise<Reconciliation> {
  const response = await fetch(`${api.url}${reconciliationApi.read.path}?name=october.csv&${side}_uuid=${of}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${admin.token}`, 'content-type': 'application/octet-stream' },
    body,
  })
  return ((await response.json()) as { data: Reconciliation }).data // as the contract says
}
async function load(by: Caller, uuid: string, cause: string[] = []) {
  const response = await fetch(`${api.url}${disputeApi.pack.path.replace(':uuid', uuid)}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${by.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ cause }),
  })
  return {
    status: response.status,
    name: response.headers.get('content-disposition') ?? '',
    bytes: new Uint8Array(await response.arrayBuffer()),
  }
}
const tableOf = (bytes: Uint8Array | undefined) =>
  Papa.parse<Record<string, string>>(strFromU8(bytes ?? new Uint8Array()), { header: true, skipEmptyLines: true }).data

describe('a dispute pack', () => {
  test('holds both sides of each difference, the calls and our answers, clicks, a summary, and the hash of each', async () => {
    const { status, name, bytes } = await load(admin, batch.uuid)
    expect(status).toBe(200)
    expect(decodeURIComponent(name)).toContain('Media 2026-10-01_2026-10-31 differences.zip')
    const files = unzipSync(bytes)
    expect(Object.keys(files).toSorted()).toEqual(['SHA256SUMS.txt', 'calls.csv', 'clicks.csv', 'differences.csv', 'summary.pdf'])
    const sums = strFromU8(files['SHA256SUMS.txt'] ?? new Uint8Array())
      .trim()
      .split('\n')
    expect(sums).toHaveLength(4)
    for (const line of sums) {
      const [hash, file = ''] = line.split('  ')
      expect(
        createHash('sha256')
          .update(files[file] ?? '')
          .digest('hex'),
      ).toBe(hash)
    }
    const rows = tableOf(files['differences.csv'])
    expect(
      rows.map((row) => [
        row['Line of the report'],
        row['Code'],
        row['Detail'],
        row['Report: transaction'],
        row['We: transaction'],
        row['We: amount'],
      ]),
    ).toEqual([
      ['2', 'status', '', 'A1', 'A1', '15.0000'],
      ['3', 'never_reported', '', "'=A3", '', ''],
      ['4', 'refused', 'status_unknown', 'A3', '', ''],
      ['5', 'unmatched', 'click_id_unknown', 'A7', '', ''],
      ['', 'not_in_report', '', '', 'A2', '15.0000'],
    ])
    expect(tableOf(files['clicks.csv'])).toEqual(
      clicks.map(({ id, at }) => ({
        'Click ID': id,
        'Time of the click (UTC)': new Date(at).toISOString().slice(0, 19).replace('T', ' '),
      })),
    )
    const calls = tableOf(files['calls.csv'])
    expect(calls.map((call) => [call['Transaction'], call['We answered'], call['What became of it'], call['Reason']])).toEqual([
      ['A1', '200', 'created', ''],
      ['A2', '200', 'created', ''],
      ['A3', '422', 'refused', 'status_unknown'],
      ['', '404', 'refused', 'click_id_unknown'],
    ])
    expect(calls.map((call) => call['Path and query']).join()).toContain('note=ours')
    expect(calls[2]?.['Path and query']).toContain('status=zzkwx')
    expect(calls[2]?.['Answer']).toContain('Unknown status')
    const text = (await textOfPdf(files['summary.pdf'] ?? new Uint8Array())).join('\n')
    for (const part of [
      'Differences with your report',
      'Żółw',
      '1 Oct 2026 – 31 Oct 2026',
      'october.csv',
      'Call refused',
      '15.00 USD',
      sums.find((line) => line.endsWith('calls.csv'))?.slice(0, 20) ?? '',
    ])
      expect(text).toContain(part)
  })

  test('holds no secret, affiliate or payout', async () => {
    const files = unzipSync((await load(admin, batch.uuid)).bytes)
    const pdf = (await textOfPdf(files['summary.pdf'] ?? new Uint8Array())).join('\n')
    const all = [...Object.entries(files).flatMap(([name, bytes]) => (name.endsWith('.pdf') ? [] : [strFromU8(bytes)])), pdf].join('\n')
    expect(all).toContain('token=')
    expect(all).not.toContain(token)
    expect(all).not.toMatch(/affiliate|payout|10\.00|note=theirs/i)
  })

  test('is narrowed by causes, and who took it is logged', async () => {
    const files = unzipSync((await load(admin, batch.uuid, ['not_in_report'])).bytes)
    expect(tableOf(files['differences.csv']).map((row) => row['We: transaction'])).toEqual(['A2'])
    expect(tableOf(files['calls.csv']).map((row) => row['Transaction'])).toEqual(['A2'])
    expect((await textOfPdf(files['summary.pdf'] ?? new Uint8Array())).join('\n')).toContain('Only these causes')
    const [entry] = await api.db.selectFrom('audit').select(['action', 'entity']).orderBy('id', 'desc').limit(1).execute()
    expect(entry).toEqual({ action: 'download', entity: 'reconciliation' })
  })

  test('is for those who write invoices, of a report that was matched, and of an advertiser’s alone', async () => {
    expect((await load(await api.as('manager'), batch.uuid)).status).toBe(403)
    expect((await load(await api.as('affiliate'), batch.uuid)).status).toBe(403)
    expect((await load(admin, crypto.randomUUID())).status).toBe(404)
    expect((await load(admin, batch.uuid, ['nonsense'])).status).toBe(400)
    const affiliate = await api.as('affiliate')
    const { uuid } = await read(affiliate.uuid, 'Click;Status\nx;approved\n', 'affiliate')
    expect((await load(admin, uuid)).status).toBe(409)
  })
})
