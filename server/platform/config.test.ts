import { expect, test } from 'vitest'
import { ConfigError, readConfig, type Mode } from './config.ts'

const KEY = '0123456789abcdef0123456789abcdef'

function mistakesOf(env: Record<string, string>, mode: Mode = 'test'): string[] {
  try {
    readConfig(env, mode)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.mistakes
    throw error
  }
}

test('nothing has to be set, and what is blank counts as not set', () => {
  const config = readConfig({ PORT: ' ', PUBLIC_URL: '', SECRET_KEY: '', TRUST_PROXY: ' ', COOKIE_TOKEN: '' }, 'start')
  expect(config).toMatchObject({
    mode: 'start', host: '127.0.0.1', port: 3000, trackerPort: 3001, publicUrl: 'http://127.0.0.1:3000', trackingUrl: 'http://127.0.0.1:3001', demo: true,
    secretKey: null, databaseUrl: null, clickhouseUrl: null, processes: [], trackers: 1, trackerName: 't1', trackerDurability: 'group', trustProxy: [],
    requireSignature: false, errorReportingDsn: null, outboundAllow: [], internalUrl: null, demoAdvertisers: null, eventsPort: 0,
  }) // prettier-ignore
  expect(config.dataDir).toMatch(/^\/.*var$/)
  expect(config.internalSecret).toMatch(/^[0-9a-f]{48}$/)
  expect(config.eventsMemoryMb).toBeGreaterThanOrEqual(768)
  expect(Object.keys(config.cookies)).toHaveLength(8)
  expect(readConfig({}, 'test').demo).toBe(false)
  expect(readConfig({ SECRET_KEY: KEY }, 'serve')).toMatchObject({
    host: '0.0.0.0',
    publicUrl: 'http://localhost:3000',
    demo: false,
    requireSignature: true,
    secretKey: KEY,
  })
})

test('an instance that stands alone is reached through its doors only', () => {
  expect(readConfig({ TLS: 'acme' }, 'serve')).toMatchObject({
    host: '127.0.0.1',
    publicUrl: 'http://localhost',
    tls: {
      mode: 'acme',
      host: '0.0.0.0',
      httpsPort: 443,
      httpPort: 80,
      plainClicks: true,
      acmeUrl: expect.stringContaining('letsencrypt'),
    },
  })
  expect(readConfig({}, 'serve')).toMatchObject({ host: '0.0.0.0', tls: { mode: 'off' } })
})

test('what is set is taken, trimmed', () => {
  const env = {
    HOST: '::', PORT: ' 8080 ', TRACKER_PORT: '8081', PUBLIC_URL: 'https://panel.example//', DATABASE_URL: 'postgres://u:p@db:5432/ohma', DEMO: 'No',
    CLICKHOUSE_URL: 'http://events:8123/', PROCESSES: 'api, worker,,', TRACKERS: '4', TRACKER_NAME: 'eu1', TRACKER_DURABILITY: 'interval',
    TRUST_PROXY: '10.0.0.0/8, 192.0.2.1 2001:db8::/32', REQUIRE_SIGNATURE: 'YES', OUTBOUND_ALLOW: 'localhost, peer:80', EVENTS_PORT: '0', EVENTS_MEMORY_MB: '512',
    INTERNAL_SECRET: 's', COOKIE_TOKEN: 'mine',
  } // prettier-ignore
  expect(readConfig(env, 'start')).toMatchObject({
    port: 8080, publicUrl: 'https://panel.example', trackingUrl: 'http://localhost:8081', databaseUrl: 'postgres://u:p@db:5432/ohma', demo: false,
    clickhouseUrl: 'http://events:8123', processes: ['api', 'worker'], trackers: 4, trackerName: 'eu1', trackerDurability: 'interval',
    trustProxy: ['10.0.0.0/8', '192.0.2.1', '2001:db8::/32'], requireSignature: true, outboundAllow: ['localhost', 'peer:80'], eventsMemoryMb: 512,
    internalSecret: 's', cookies: { token: 'mine', role: 'ohma_role' },
  }) // prettier-ignore
})

test('every mistake is told at once, in plain words', () => {
  const env = {
    PORT: '70000', TRACKER_PORT: '3k', PUBLIC_URL: 'panel.example', DATABASE_URL: 'mysql://db', DEMO: 'maybe', SECRET_KEY: 'short', TRACKERS: '65', TRACKER_NAME: 'T1',
    TRACKER_DURABILITY: 'none', TRUST_PROXY: '10.0.0.0/33 proxy', INTERNAL_URL: 'https://api', EVENTS_PORT: '-1', EVENTS_MEMORY_MB: '511', COOKIE_ROLE: 'a b',
    COOKIE_UUID: 'same', COOKIE_TYPE: 'same',
  } // prettier-ignore
  expect(mistakesOf(env).toSorted()).toEqual(
    [
      'PORT must be a port from 1 to 65535, not "70000"',
      'TRACKER_PORT must be a port from 1 to 65535, not "3k"',
      'PUBLIC_URL must be an address that starts with http:// or https://, not "panel.example"',
      'DATABASE_URL must be an address that starts with postgres:// or postgresql://, not "mysql://db"',
      'DEMO must be 1 or 0, not "maybe"',
      'SECRET_KEY is weak: use at least 32 random characters, for example from `openssl rand -hex 32`',
      'TRACKERS must be a whole number from 1 to 64',
      'TRACKER_NAME must be up to 16 lower-case letters and digits',
      'TRACKER_DURABILITY must be one of group, interval, not "none"',
      'TRUST_PROXY must list addresses or networks such as 10.0.0.0/8, not "10.0.0.0/33"',
      'TRUST_PROXY must list addresses or networks such as 10.0.0.0/8, not "proxy"',
      'INTERNAL_URL must be an address that starts with http://, not "https://api"',
      'EVENTS_PORT must be a port, or 0 for a free one',
      'EVENTS_MEMORY_MB must be a whole number of at least 512',
      'COOKIE_ROLE may hold letters, digits, _ and - only',
      'the COOKIE_ names must all differ',
    ].toSorted(),
  )
  expect(mistakesOf({ TLS: 'yes', HTTPS_PORT: '0', ACME_EMAIL: 'me', ACME_URL: 'acme.example' })).toHaveLength(4)
  const one = { PUBLIC_URL: 'https://ohma.example', TRACKING_URL: 'https://ohma.example' }
  expect(mistakesOf({ TLS: 'files', HTTP_PORT: '443', ...one }, 'serve').toSorted()).toEqual([
    'PORT, TRACKER_PORT, HTTPS_PORT and HTTP_PORT must all differ',
    'TLS_FILES is missing: TLS=files takes certificates from that folder',
    'TRACKING_URL must have another name than PUBLIC_URL: the name tells panel and clicks apart',
  ])
  expect(mistakesOf({ PORT: '3001' })).toEqual(['PORT and TRACKER_PORT must differ'])
  const own = { DATABASE_URL: 'postgres://u:p@db:5432/ohma' }
  const missing = expect.stringContaining('SECRET_KEY is missing: set at least 32 random characters')
  expect(mistakesOf({ DEMO: '1', ...own }, 'serve')).toEqual(['DEMO cannot be used with `npm run serve`', missing])
  // the embedded database has a folder beside it, where its key is kept
  expect(mistakesOf({}, 'serve')).toEqual([])
  for (const role of ['api', 'worker']) expect(mistakesOf({ PROCESSES: `events,${role}` }, 'serve')).toEqual([missing])
  expect(mistakesOf({ ...own, PROCESSES: 'tracker,ingester' }, 'serve')).toEqual([])
  expect(mistakesOf({ SECRET_KEY: 'a'.repeat(40) }, 'serve')).toEqual([expect.stringContaining('SECRET_KEY is weak')])
  expect(new ConfigError(['one', 'two']).message).toBe('The environment needs attention:\n  - one\n  - two')
})
