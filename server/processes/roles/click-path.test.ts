import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readClickId, readClickIdKeys } from '#server/rules/click/click-id.ts'
import { startChild, type Child } from '#server/processes/supervisor/child.ts'
import { createClickhouseDatabase } from '#test/support/run/clickhouse.ts'
import { TRACKING_KEYS } from '#test/support/make/snapshot.ts'
import { startFakeApi, type FakeApi } from '#test/support/run/fake-api.ts'
import { removeFolder, trackerEnv, until } from '#test/support/run/tracker.ts'

let api: FakeApi
let database: Awaited<ReturnType<typeof createClickhouseDatabase>>
let child: Child
let env: Record<string, string>

beforeAll(async () => {
  api = await startFakeApi()
  database = await createClickhouseDatabase()
  const dataDir = await mkdtemp(join(tmpdir(), 'tracker-path-'))
  env = await trackerEnv(dataDir, api, { CLICKHOUSE_URL: `${database.url}/${database.database}`, TRUST_PROXY: '127.0.0.1' })
  child = startChild('tracker,ingester', env)
  await child.ready
})
afterAll(async () => {
  await child.stop(15_000)
  await api.stop()
  await database.drop()
  await removeFolder(env['DATA_DIR'] ?? '')
})

it('a click becomes a row of the statistics by the parts of its own id, whatever it carried', async () => {
  const hostile = 'tab\tline\nback\\slash \'quote" ☃ \u0000 end\\'
  const query = new URLSearchParams({ offer_id: '1', pid: '5', sub1: 'plain', sub2: hostile, click_id: '\\N' })
  const url = `http://127.0.0.1:${env['TRACKER_PORT']}/click?${query.toString()}`
  const answers = await Promise.all(
    ['192.0.2.77', '2001:db8::1:2'].map((ip) =>
      fetch(url, { redirect: 'manual', headers: { 'user-agent': 'Mozilla/5.0 \\x', 'x-forwarded-for': ip } }),
    ),
  )
  const ids = answers.map((answer) => {
    const id = new URL(answer.headers.get('location') ?? '').searchParams.get('c') ?? ''
    return readClickId(id, readClickIdKeys(TRACKING_KEYS))!
  })
  type Row = { ts: string; ip: string; sub1: string; sub2: string; aff_click_id: string; ua: string; flags: number; visitor: string }
  const rows: Row[] = []
  for (const id of ids) {
    await until(async () => {
      const result = await database.clickhouse.query({
        query:
          'SELECT ts, ip, sub1, sub2, aff_click_id, ua, flags, visitor FROM click WHERE affiliate = {a:UInt32} AND ts = fromUnixTimestamp64Milli({ms:Int64}) AND rnd = {r:UInt32}',
        query_params: { a: id.affiliateId, ms: id.at, r: id.random },
        format: 'JSONEachRow',
      })
      const found = await result.json<Row>()
      rows.push(...found)
      return found.length > 0
    }, 15_000)
  }
  expect(rows.map((row) => row.ip)).toEqual(['::ffff:192.0.2.77', '2001:db8::1:2'])
  for (const [index, row] of rows.entries()) {
    expect(row).toMatchObject({
      sub1: 'plain',
      sub2: 'tablineback\\slash \'quote" ☃  end\\',
      aff_click_id: '\\N',
      ua: 'Mozilla/5.0 \\x',
      flags: 0,
    })
    expect(Date.parse(`${row.ts.replace(' ', 'T')}Z`)).toBe(ids[index]?.at)
    expect(Number(row.visitor)).toBeGreaterThan(0)
  }
})
