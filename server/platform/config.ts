import { randomBytes } from 'node:crypto'
import { resolve } from 'node:path'
import { isIP } from 'node:net'
import { totalmem } from 'node:os'

export type Mode = 'start' | 'serve' | 'dev' | 'test'

export type Config = ReturnType<typeof readConfig>

/** All mistakes of the environment at once, in plain words. */
export class ConfigError extends Error {
  readonly mistakes: string[]
  constructor(mistakes: string[]) {
    super(`The environment needs attention:\n${mistakes.map((mistake) => `  - ${mistake}`).join('\n')}`)
    this.name = 'ConfigError'
    this.mistakes = mistakes
  }
}

/**
 * Reads and validates the environment: the one place that looks at `process.env`.
 * Throws `ConfigError` with every mistake. `mode` is the command that was given: `serve` is strict about secrets.
 */
export function readConfig(env: Record<string, string | undefined>, mode: Mode) {
  const mistakes: string[] = []
  const text = (name: string, fallback: string) => env[name]?.trim() || fallback
  const optional = (name: string) => env[name]?.trim() || null

  const port = (name: string, fallback: number) => {
    const raw = text(name, String(fallback))
    const value = Number(raw)
    if (/^\d+$/.test(raw) && value >= 1 && value <= 65535) return value
    mistakes.push(`${name} must be a port from 1 to 65535, not "${raw}"`)
    return fallback
  }
  const url = (name: string, fallback: string, protocols: string[]) => {
    const raw = text(name, fallback)
    try {
      const parsed = new URL(raw)
      if (protocols.includes(parsed.protocol)) return raw.replace(/\/+$/, '')
    } catch {}
    mistakes.push(`${name} must be an address that starts with ${protocols.map((p) => `${p}//`).join(' or ')}, not "${raw}"`)
    return fallback
  }
  const optionalUrl = (name: string, protocols: string[]) => (optional(name) === null ? null : url(name, '', protocols))
  const oneOf = <const Value extends string>(name: string, values: readonly Value[], fallback: Value): Value => {
    const raw = text(name, fallback)
    const found = values.find((value) => value === raw)
    if (found === undefined) mistakes.push(`${name} must be one of ${values.join(', ')}, not "${raw}"`)
    return found ?? fallback
  }
  const flag = (name: string, fallback: boolean) => {
    const raw = text(name, fallback ? '1' : '0').toLowerCase()
    if (['1', 'true', 'yes', 'on'].includes(raw)) return true
    if (['0', 'false', 'no', 'off'].includes(raw)) return false
    mistakes.push(`${name} must be 1 or 0, not "${raw}"`)
    return fallback
  }
  const cidrs = (name: string) =>
    text(name, '')
      .split(/[\s,]+/)
      .filter(Boolean)
      .map((entry) => {
        const [address, bits] = entry.split('/')
        const version = isIP(address ?? '')
        const max = version === 4 ? 32 : 128
        const length = bits === undefined ? max : Number(bits)
        if (version === 0 || !Number.isInteger(length) || length < 0 || length > max) {
          mistakes.push(`${name} must list addresses or networks such as 10.0.0.0/8, not "${entry}"`)
        }
        return entry
      })

  // Where the panel and its API listen. Under `start` only this machine can reach them.
  const host = text('HOST', mode === 'serve' ? '0.0.0.0' : '127.0.0.1')
  const panelPort = port('PORT', 3000)
  // Where clicks and postbacks arrive.
  const trackerPort = port('TRACKER_PORT', 3001)
  if (panelPort === trackerPort) mistakes.push('PORT and TRACKER_PORT must differ')
  const visibleHost = host === '0.0.0.0' || host === '::' ? 'localhost' : host
  // The addresses people and links use; behind a proxy they differ from the ports above.
  const publicUrl = url('PUBLIC_URL', `http://${visibleHost}:${panelPort}`, ['http:', 'https:'])
  const trackingUrl = url('TRACKING_URL', `http://${visibleHost}:${trackerPort}`, ['http:', 'https:'])
  // Everything Ohma keeps lies here.
  const dataDir = resolve(text('DATA_DIR', './var'))
  // A labelled demo network is made on an empty folder; never under `serve`.
  const demo = mode !== 'serve' && flag('DEMO', mode !== 'test')
  if (mode === 'serve' && flag('DEMO', false)) mistakes.push('DEMO cannot be used with `npm run serve`')

  // Signs and encrypts: at least 32 characters. `start` makes one and keeps it in the data folder.
  const secretKey = optional('SECRET_KEY')
  if (mode === 'serve' && secretKey === null)
    mistakes.push('SECRET_KEY is missing: set at least 32 random characters, for example from `openssl rand -hex 32`')
  if (secretKey !== null && (secretKey.length < 32 || new Set(secretKey).size < 10)) {
    mistakes.push('SECRET_KEY is weak: use at least 32 random characters, for example from `openssl rand -hex 32`')
  }

  // Databases of your own; without them the embedded ones are started.
  const databaseUrl = optionalUrl('DATABASE_URL', ['postgres:', 'postgresql:'])
  const clickhouseUrl = optionalUrl('CLICKHOUSE_URL', ['http:', 'https:'])

  // Which process roles this process plays; set by the supervisor, or by hand when the roles live on several machines.
  const processes = text('PROCESSES', '')
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean)
  const trackers = Number(text('TRACKERS', '1'))
  if (!Number.isInteger(trackers) || trackers < 1 || trackers > 64) mistakes.push('TRACKERS must be a whole number from 1 to 64')
  // The name of this tracker process: its folder in the spool. Set by the supervisor; must differ between trackers of one data folder.
  const trackerName = text('TRACKER_NAME', 't1')
  if (!/^[a-z][a-z0-9]{0,15}$/.test(trackerName)) mistakes.push('TRACKER_NAME must be up to 16 lower-case letters and digits')
  // `group`: a click is on disk before its redirect is sent. `interval`: at most 5 ms of clicks are lost in a power cut.
  const trackerDurability = oneOf('TRACKER_DURABILITY', ['group', 'interval'], 'group')
  // Proxies whose X-Forwarded-For is believed.
  const trustProxy = cidrs('TRUST_PROXY')
  // Whether API calls must carry a valid signature.
  const requireSignature = flag('REQUIRE_SIGNATURE', mode === 'serve')
  // Where the browser reports errors to; nothing is reported without it, nor from localhost.
  const errorReportingDsn = optionalUrl('ERROR_REPORTING_DSN', ['http:', 'https:'])
  // Hosts or host:port pairs outgoing requests may reach although they are private; for tests and local peers.
  const outboundAllow = text('OUTBOUND_ALLOW', '')
    .split(/[\s,]+/)
    .filter(Boolean)

  const cookieName = (name: string, fallback: string) => {
    const value = text(name, fallback)
    if (!/^[A-Za-z0-9_-]{1,64}$/.test(value)) mistakes.push(`${name} may hold letters, digits, _ and - only`)
    return value
  }
  // Names of the cookies the panel keeps its session in, and of their copies while a manager acts as an affiliate.
  const cookies = {
    token: cookieName('COOKIE_TOKEN', 'ohma_token'),
    role: cookieName('COOKIE_ROLE', 'ohma_role'),
    uuid: cookieName('COOKIE_UUID', 'ohma_uuid'),
    type: cookieName('COOKIE_TYPE', 'ohma_type'),
    email: cookieName('COOKIE_EMAIL', 'ohma_email'),
    oldToken: cookieName('COOKIE_OLD_TOKEN', 'ohma_old_token'),
    oldRole: cookieName('COOKIE_OLD_ROLE', 'ohma_old_role'),
    oldUuid: cookieName('COOKIE_OLD_UUID', 'ohma_old_uuid'),
  }
  if (new Set(Object.values(cookies)).size !== Object.keys(cookies).length) mistakes.push('the COOKIE_ names must all differ')

  // How the processes of one instance reach each other (set by the supervisor): the api's private port and its secret.
  const internalUrl = optionalUrl('INTERNAL_URL', ['http:'])
  const internalSecret = text('INTERNAL_SECRET', randomBytes(24).toString('hex'))

  // The embedded ClickHouse: 0 takes a free port (the supervisor passes the address on); memory in MiB, by default a quarter of the machine's.
  const eventsPort = Number(text('EVENTS_PORT', '0'))
  if (!Number.isInteger(eventsPort) || eventsPort < 0 || eventsPort > 65535)
    mistakes.push('EVENTS_PORT must be a port, or 0 for a free one')
  const eventsMemoryMb = Number(text('EVENTS_MEMORY_MB', String(Math.round(Math.min(4096, Math.max(768, totalmem() / 4 / 1024 / 1024))))))
  if (!Number.isInteger(eventsMemoryMb) || eventsMemoryMb < 512) mistakes.push('EVENTS_MEMORY_MB must be a whole number of at least 512')

  if (mistakes.length > 0) throw new ConfigError(mistakes)
  return {
    mode,
    host,
    port: panelPort,
    trackerPort,
    publicUrl,
    trackingUrl,
    dataDir,
    demo,
    secretKey,
    databaseUrl,
    clickhouseUrl,
    processes,
    trackers,
    trackerName,
    trackerDurability,
    trustProxy,
    requireSignature,
    errorReportingDsn,
    outboundAllow,
    cookies,
    internalUrl,
    internalSecret,
    eventsPort,
    eventsMemoryMb,
  }
}
