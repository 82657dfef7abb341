import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { metricsText } from '#server/platform/metrics/text.ts'
import { trackerMetrics } from '#server/tracker/metrics.ts'
import { startApi } from '#test/support/run/api.ts'

const NOW = '2026-11-21T10:00:00Z'
const TOKEN = 'the token of the metrics of tests'
const dataDir = mkdtempSync(join(tmpdir(), 'ohma-test-metrics-'))
mkdirSync(join(dataDir, 'run'))
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

/** Reads the text format strictly: each metric is told of before its values, once, and no value stands twice. */
function parse(text: string): Map<string, number> {
  const values = new Map<string, number>()
  const told = new Set<string>()
  let [name, type] = ['', '']
  for (const line of text.trimEnd().split('\n')) {
    const help = /^# HELP ([a-z_]+) (\S.*)$/.exec(line)
    const kind = /^# TYPE ([a-z_]+) (counter|gauge)$/.exec(line)
    const value = /^([a-z_]+)(\{(?:[a-z_]+="(?:[^"\\\n]|\\["\\n])*",?)+\})? (-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)$/.exec(line)
    if (help?.[1]) {
      if (told.has(help[1])) throw new Error(`${help[1]} is told of twice`)
      told.add((name = help[1]))
      type = ''
    } else if (kind?.[1] === name && kind[2]) type = kind[2]
    else if (value?.[1] === name && type !== '') {
      const key = `${value[1]}${value[2] ?? ''}`
      if (values.has(key)) throw new Error(`${key} stands twice`)
      values.set(key, Number(value[3]))
      if (type === 'counter' && !name.endsWith('_total')) throw new Error(`${name} counts and is not called so`)
    } else throw new Error(`no line of the format: ${line}`)
  }
  return values
}

test('the api tells its metrics to who brings the token, in a format that can be read', async () => {
  const api = await startApi({ clickhouse: true, at: NOW, env: { DATA_DIR: dataDir, METRICS_TOKEN: TOKEN } })
  try {
    const ask = (authorization?: string) => fetch(`${api.url}/metrics`, authorization === undefined ? {} : { headers: { authorization } })
    expect((await ask()).status).toBe(401)
    expect((await ask('Bearer another')).status).toBe(401)
    const answer = await ask(`Bearer ${TOKEN}`)
    expect(answer.headers.get('content-type')).toContain('version=0.0.4')
    const values = parse(await answer.text())
    expect(values.get('ohma_statistics_up')).toBe(1)
    expect(values.get('ohma_outbox_rows')).toBe(0)
    expect(values.get('ohma_http_requests_total{code="4xx"}')).toBe(2)
    expect(values.get('ohma_system_state{line="backup",subject=""}')).toBe(1)
  } finally {
    await api.close()
  }
})

test('whichever tracker is asked tells of all of this machine', async () => {
  const write = (name: string, status: object) => writeFileSync(join(dataDir, 'run', name), JSON.stringify(status))
  const alive = { written_at: NOW, clicks: 12, lost: 0, spool_failing: false, snapshot_silent_ms: 3, memory_bytes: 5 }
  write('tracker-t1.json', alive)
  write('tracker-t2.json', { ...alive, written_at: '2026-11-21T09:59:00Z', lost: 4, spool_failing: true, snapshot_silent_ms: null })
  write('ingester.json', { at: Date.parse(NOW), lag_ms: 1_500, rows_sent: 7 })
  const values = parse(metricsText(await trackerMetrics(dataDir, Date.parse(NOW))))
  expect(values.get('ohma_tracker_up{tracker="t1"}')).toBe(1)
  expect(values.get('ohma_tracker_up{tracker="t2"}')).toBe(0)
  expect(values.get('ohma_tracker_lost_clicks_total{tracker="t2"}')).toBe(4)
  expect(values.get('ohma_tracker_spool_failing{tracker="t2"}')).toBe(1)
  expect(values.get('ohma_tracker_snapshot_age_seconds{tracker="t1"}')).toBe(0.003)
  expect(values.has('ohma_tracker_snapshot_age_seconds{tracker="t2"}')).toBe(false)
  expect(values.get('ohma_ingester_lag_seconds')).toBe(1.5)
})

test('a label may hold anything', () => {
  const odd = 'a "quoted" \\ line\nand another'
  expect(metricsText([{ name: 'odd', type: 'gauge', help: 'Odd.', values: [{ labels: { of: odd }, value: 1 }] }])).toBe(
    '# HELP odd Odd.\n# TYPE odd gauge\nodd{of="a \\"quoted\\" \\\\ line\\nand another"} 1\n',
  )
})
