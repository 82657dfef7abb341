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

const CHROME = {
  'user-agent':
    'Mozilla/5.0 (Linux; Android 14; SM-S918B) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile Safari/537.36 \\x',
  'sec-ch-ua': '"Chromium";v="130", "Google Chrome";v="130"',
  'sec-ch-ua-mobile': '?1',
  'sec-ch-ua-platform': '"Android"',
  referer: 'https://Blog.Example/post?secret=1',
}

const TOLD = {
  os_version: '14',
  browser_version: '130.0',
  brand: 'Samsung',
  model: 'SM-S918B',
  referrer: 'blog.example',
  referrer_path: '/post',
  ad_param: 'gclid',
  ad_id: 'Cj0K-a_b',
  hints: '"Chromium";v="130", "Google Chrome";v="130"|?1|"Android"',
  unread: 'utm_term=x%5Cy',
}
const GOOGLE = { region: 'California', city: 'Mountain View', network: 'Google LLC (AS15169)', connection: 'unknown' }
const NOWHERE = { region: '', city: '', network: '', connection: 'unknown' }
const NEW = [...Object.keys(TOLD), ...Object.keys(GOOGLE)] as (keyof typeof TOLD | keyof typeof GOOGLE)[] // keys of literal objects

it('a click becomes a row of the statistics by the parts of its own id, whatever it carried', async () => {
  const hostile = 'tab\tline\nback\\slash \'quote" ☃ \u0000 end\\'
  const query = new URLSearchParams({
    offer_id: '1',
    pid: '5',
    sub1: 'plain',
    sub2: hostile,
    click_id: '\\N',
    gclid: 'Cj0K-a_b',
    utm_term: 'x\\y',
  })
  const url = `http://127.0.0.1:${env['TRACKER_PORT']}/click?${query.toString()}`
  const answers = await Promise.all(
    ['8.8.8.8', '2001:db8::1:2'].map((ip) => fetch(url, { redirect: 'manual', headers: { ...CHROME, 'x-forwarded-for': ip } })),
  )
  const ids = answers.map((answer) => {
    const id = new URL(answer.headers.get('location') ?? '').searchParams.get('c') ?? ''
    return readClickId(id, readClickIdKeys(TRACKING_KEYS))!
  })
  type Row = {
    ts: string
    ip: string
    sub1: string
    sub2: string
    aff_click_id: string
    ua: string
    flags: number
    visitor: string
  } & Record<(typeof NEW)[number], string>
  const rows: Row[] = []
  for (const id of ids) {
    await until(async () => {
      const result = await database.clickhouse.query({
        query: `SELECT ts, ip, sub1, sub2, aff_click_id, ua, flags, visitor, ${NEW.join(', ')} FROM click WHERE affiliate = {a:UInt32} AND ts = fromUnixTimestamp64Milli({ms:Int64}) AND rnd = {r:UInt32}`,
        query_params: { a: id.affiliateId, ms: id.at, r: id.random },
        format: 'JSONEachRow',
      })
      const found = await result.json<Row>()
      rows.push(...found)
      return found.length > 0
    }, 15_000)
  }
  expect(rows.map((row) => row.ip)).toEqual(['::ffff:8.8.8.8', '2001:db8::1:2'])
  for (const [index, row] of rows.entries()) {
    expect(row).toMatchObject({
      sub1: 'plain',
      sub2: 'tablineback\\slash \'quote" ☃  end\\',
      aff_click_id: '\\N',
      ua: CHROME['user-agent'],
      flags: 0,
      ...TOLD,
      ...(index === 0 ? GOOGLE : NOWHERE),
    })
    expect(Date.parse(`${row.ts.replace(' ', 'T')}Z`)).toBe(ids[index]?.at)
    expect(Number(row.visitor)).toBeGreaterThan(0)
  }
})
