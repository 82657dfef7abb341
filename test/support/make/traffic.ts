import type { Clickhouse } from '#server/platform/clickhouse/client.ts'
import { VISITOR } from './click-rows.ts'

/** What a click and the conversion of it hold alike. */
const SHARED = {
  affiliate: 1,
  offer: 1,
  advertiser: 1,
  landing: 0,
  prelanding: 0,
  ...VISITOR,
  source: '',
  sub1: '',
  sub2: '',
}
const CLICK = {
  ...SHARED,
  ts: 0,
  rnd: 1,
  aff_click_id: '',
  ip: '::ffff:192.0.2.77',
  ua: 'Mozilla/5.0',
  visitor: 1,
  reason: '',
  flags: 0,
}
/** A click as the table holds it, with what reports look at. Times in ms. */
export type TestClick = typeof CLICK

/** A delta of a conversion as the table holds it. Amounts are decimal text. */
export type TestFact = typeof SHARED & {
  conversion: number
  sign: 1 | -1
  ts: number
  click_ts: number
  goal: number
  currency: string
  status: 'pending' | 'hold' | 'approved' | 'declined' | 'trash'
  test: 0 | 1
  payout: string
  revenue: string
  ttc: number
}
const FACT: TestFact = {
  ...SHARED,
  conversion: 1,
  sign: 1,
  ts: 0,
  click_ts: 0,
  goal: 1,
  currency: 'USD',
  status: 'approved',
  test: 0,
  payout: '1',
  revenue: '2',
  ttc: 60,
}

/** A plain click with what the test changes in it. */
export function testClick(values: Partial<TestClick>): TestClick {
  return { ...CLICK, ...values }
}

/** A plain approved conversion with what the test changes in it. */
export function testFact(values: Partial<TestFact>): TestFact {
  return { ...FACT, ...values }
}

/** Stores rows as the ingester and the outbox would: the roll-ups follow. */
export async function storeTraffic(
  clickhouse: Clickhouse,
  traffic: { clicks?: readonly (TestClick & { ad_id?: string })[]; facts?: readonly TestFact[] },
): Promise<void> {
  const text = (ms: number) => new Date(ms).toISOString().replace('T', ' ').replace('Z', '')
  const insert = (table: string, values: object[]) =>
    values.length === 0 ? Promise.resolve() : clickhouse.insert({ table, values, format: 'JSONEachRow' })
  await insert(
    'click',
    (traffic.clicks ?? []).map((row) => ({ ...row, ts: text(row.ts) })),
  )
  await insert(
    'conversion_fact',
    (traffic.facts ?? []).map((row) => ({ ...row, ts: text(row.ts), click_ts: text(row.click_ts) })),
  )
}
