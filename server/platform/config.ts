import { randomBytes } from 'node:crypto'
import { resolve } from 'node:path'
import { totalmem } from 'node:os'
import { z } from 'zod'
import { isNetwork } from './network.ts'

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
  /** How addresses on the network's own domains are written, `*` for the host: as the configured one is, else of a network that others reach with https. */
  const onDomains = (set: string | undefined, usual: string): string => {
    if (set === undefined && mode === 'serve') return 'https://*'
    const { protocol, port } = new URL(set ?? usual)
    return `${protocol}//*${port === '' ? '' : `:${port}`}`
  }
  // what is blank counts as not set
  const given = Object.entries(env).flatMap(([name, value]) => (value?.trim() ? [[name, value.trim()] as const] : []))
  const { data, error } = environment(mode).safeParse(Object.fromEntries(given))
  if (error !== undefined) throw new ConfigError(error.issues.map(({ path, message }) => [...path.slice(0, 1), message].join(' ')))
  const visibleHost = data.HOST === '0.0.0.0' || data.HOST === '::' ? 'localhost' : data.HOST
  const alone = data.TLS !== 'off'
  // before there is a name with a certificate everything is at the plain door
  const door = `http://${visibleHost}${data.HTTP_PORT === 80 ? '' : `:${data.HTTP_PORT}`}`
  return {
    mode,
    /** Where panel and tracker themselves listen: behind the doors of TLS nobody else reaches them. */
    host: alone ? '127.0.0.1' : data.HOST,
    port: data.PORT,
    trackerPort: data.TRACKER_PORT,
    publicUrl: data.PUBLIC_URL ?? (alone ? door : `http://${visibleHost}:${data.PORT}`),
    trackingUrl: data.TRACKING_URL ?? (alone ? door : `http://${visibleHost}:${data.TRACKER_PORT}`),
    domainAddress: {
      panel: onDomains(data.PUBLIC_URL, `http://${visibleHost}:${data.PORT}`),
      tracking: onDomains(data.TRACKING_URL, `http://${visibleHost}:${data.TRACKER_PORT}`),
    },
    tls: {
      mode: data.TLS,
      host: data.HOST,
      httpsPort: data.HTTPS_PORT,
      httpPort: data.HTTP_PORT,
      plainClicks: data.HTTP_CLICKS,
      files: data.TLS_FILES === undefined ? null : resolve(data.TLS_FILES),
      acmeUrl: data.ACME_URL ?? LETS_ENCRYPT,
      acmeEmail: data.ACME_EMAIL ?? null,
    },
    dataDir: resolve(data.DATA_DIR),
    demo: data.DEMO,
    secretKey: data.SECRET_KEY ?? null,
    databaseUrl: data.DATABASE_URL ?? null,
    clickhouseUrl: data.CLICKHOUSE_URL ?? null,
    processes: data.PROCESSES,
    trackers: data.TRACKERS,
    trackerName: data.TRACKER_NAME,
    trackerDurability: data.TRACKER_DURABILITY,
    trustProxy: data.TRUST_PROXY,
    requireSignature: data.REQUIRE_SIGNATURE,
    apiOrigin: data.API_URL === undefined ? null : new URL(data.API_URL).origin,
    errorReportingDsn: data.ERROR_REPORTING_DSN ?? null,
    outboundAllow: data.OUTBOUND_ALLOW,
    cookies: {
      token: data.COOKIE_TOKEN,
      role: data.COOKIE_ROLE,
      uuid: data.COOKIE_UUID,
      type: data.COOKIE_TYPE,
      email: data.COOKIE_EMAIL,
      oldToken: data.COOKIE_OLD_TOKEN,
      oldRole: data.COOKIE_OLD_ROLE,
      oldUuid: data.COOKIE_OLD_UUID,
    },
    internalUrl: data.INTERNAL_URL ?? null,
    demoAdvertisers: data.DEMO ? (data.DEMO_ADVERTISERS ?? null) : null,
    internalSecret: data.INTERNAL_SECRET,
    upgradeBackup: data.UPGRADE_BACKUP,
    metricsToken: data.METRICS_TOKEN ?? null,
    eventsPort: data.EVENTS_PORT,
    eventsMemoryMb: data.EVENTS_MEMORY_MB,
  }
}

const LETS_ENCRYPT = 'https://acme-v02.api.letsencrypt.org/directory'

/** No test needs one of its own. */
const TEST_KEY = 'the key of tests: 0123456789 abcdef'

/** Every variable with what it means, what it may be, and what holds when it is not set. */
function environment(mode: Mode) {
  const serve = mode === 'serve'
  return z
    .object({
      // Where the panel and its API listen. Under `start` only this machine can reach them.
      HOST: z.string().default(serve ? '0.0.0.0' : '127.0.0.1'),
      PORT: port.default(3000),
      // Where clicks and postbacks arrive.
      TRACKER_PORT: port.default(3001),
      // The addresses people and links use; behind a proxy they differ from the ports above.
      PUBLIC_URL: url('http', 'https'),
      TRACKING_URL: url('http', 'https'),
      // `acme`: this instance stands alone on 80 and 443 and gets its certificates by itself; `files`: with those in TLS_FILES; `off`: a
      // proxy in front of it ends TLS, or nobody does.
      TLS: z.enum(['off', 'acme', 'files'], { error: notBut('be one of off, acme, files') }).default('off'),
      // A folder of pairs such as panel.crt (or .pem) and panel.key, looked at again every minute.
      TLS_FILES: z.string().optional(),
      // Where https and plain http are with TLS; PORT and TRACKER_PORT are then for this machine alone.
      HTTPS_PORT: port.default(443),
      HTTP_PORT: port.default(80),
      // Whether clicks are answered on plain http too, instead of being sent to https first, which costs the visitor a round trip.
      HTTP_CLICKS: flag.default(true),
      // The certificate authority, and where it may write to somebody.
      ACME_URL: url('http', 'https'),
      ACME_EMAIL: z.email({ error: notBut('be an e-mail address') }).optional(),
      // Everything Ohma keeps lies here.
      DATA_DIR: z.string().default('./var'),
      // A labelled demo network is made on an empty folder; never under `serve`.
      DEMO: flag.default(mode === 'start' || mode === 'dev').refine((demo) => !(serve && demo), 'cannot be used with `npm run serve`'),
      // Signs and encrypts: at least 32 characters. Where the databases are the embedded ones, one is made and kept in the data folder.
      SECRET_KEY: mode === 'test' ? secretKey.default(TEST_KEY) : secretKey.optional(),
      // Databases of your own; without them the embedded ones are started.
      DATABASE_URL: url('postgres', 'postgresql'),
      CLICKHOUSE_URL: url('http', 'https'),
      // Which process roles this process plays; set by the supervisor, or by hand when the roles live on several machines.
      PROCESSES: listSplitBy(/\s*,\s*/),
      TRACKERS: whole(1, 64, 'must be a whole number from 1 to 64').default(1),
      // The name of this tracker process: its folder in the spool. Set by the supervisor; must differ between trackers of one data folder.
      TRACKER_NAME: z
        .string()
        .regex(/^[a-z][a-z0-9]{0,15}$/, 'must be up to 16 lower-case letters and digits')
        .default('t1'),
      // `group`: a click is on disk before its redirect is sent. `interval`: at most 5 ms of clicks are lost in a power cut.
      TRACKER_DURABILITY: z.enum(['group', 'interval'], { error: notBut('be one of group, interval') }).default('group'),
      // Proxies whose X-Forwarded-For is believed.
      TRUST_PROXY: listSplitBy(/[\s,]+/).superRefine((entries, context) => {
        for (const entry of entries.filter((one) => !isNetwork(one)))
          context.addIssue({ code: 'custom', message: `must list addresses or networks such as 10.0.0.0/8, not "${entry}"` })
      }),
      // Whether API calls must carry a valid signature.
      REQUIRE_SIGNATURE: flag.default(serve),
      // Where the panel asks the API; without it where the panel itself was opened. Calls to another host than the page's are blocked.
      API_URL: url('http', 'https'),
      // Where the browser reports errors to; nothing is reported without it, nor from localhost.
      ERROR_REPORTING_DSN: url('http', 'https'),
      // Hosts or host:port pairs outgoing requests may reach although they are private; for tests and local peers.
      OUTBOUND_ALLOW: listSplitBy(/[\s,]+/),
      // Names of the cookies the panel keeps its session in, and of their copies while a manager acts as an affiliate.
      COOKIE_TOKEN: cookie.default('ohma_token'),
      COOKIE_ROLE: cookie.default('ohma_role'),
      COOKIE_UUID: cookie.default('ohma_uuid'),
      COOKIE_TYPE: cookie.default('ohma_type'),
      COOKIE_EMAIL: cookie.default('ohma_email'),
      COOKIE_OLD_TOKEN: cookie.default('ohma_old_token'),
      COOKIE_OLD_ROLE: cookie.default('ohma_old_role'),
      COOKIE_OLD_UUID: cookie.default('ohma_old_uuid'),
      // How the processes of one instance reach each other (set by the supervisor): the api's private port and its secret.
      INTERNAL_URL: url('http'),
      // Where the mock advertisers of the demo network answer (set by the supervisor); nobody else is reached by it.
      DEMO_ADVERTISERS: url('http'),
      INTERNAL_SECRET: z.string().default(() => randomBytes(24).toString('hex')),
      // Whether a start that brings the embedded databases to a newer version backs them up first.
      UPGRADE_BACKUP: flag.default(true),
      // Whoever brings it may read `/metrics` on both ports. The supervisor keeps one in the data folder, `metrics-token`, where none is set.
      METRICS_TOKEN: z.string().min(16, 'must have at least 16 characters').optional(),
      // The embedded ClickHouse: 0 takes a free port (the supervisor passes the address on); memory in MiB, by default a quarter of the machine's.
      EVENTS_PORT: whole(0, 65_535, 'must be a port, or 0 for a free one').default(0),
      EVENTS_MEMORY_MB: whole(512, Infinity, 'must be a whole number of at least 512').default(
        Math.round(Math.min(4096, Math.max(768, totalmem() / 4 / 1024 / 1024))),
      ),
    })
    .refine((all) => !serve || all.SECRET_KEY !== undefined || !needsKey(all.PROCESSES, all.DATABASE_URL), {
      path: ['SECRET_KEY'],
      error:
        'is missing: set at least 32 random characters, for example from `openssl rand -hex 32`, the same for every process of this database',
      when: () => true,
    })
    .refine((all) => all.PORT !== all.TRACKER_PORT, { error: 'PORT and TRACKER_PORT must differ', when: () => true })
    .refine((all) => all.TLS !== 'files' || all.TLS_FILES !== undefined, {
      path: ['TLS_FILES'],
      error: 'is missing: TLS=files takes certificates from that folder',
      when: () => true,
    })
    .refine((all) => all.TLS === 'off' || !hasTwins([all.PORT, all.TRACKER_PORT, all.HTTPS_PORT, all.HTTP_PORT]), {
      error: 'PORT, TRACKER_PORT, HTTPS_PORT and HTTP_PORT must all differ',
      when: () => true,
    })
    .refine((all) => all.TLS === 'off' || !serve || !isOneHost(all.PUBLIC_URL, all.TRACKING_URL), {
      path: ['TRACKING_URL'],
      error: 'must have another name than PUBLIC_URL: the name tells panel and clicks apart',
      when: () => true,
    })
    .refine((all) => !hasTwins(Object.entries(all).flatMap(([name, value]) => (name.startsWith('COOKIE_') ? [value] : []))), {
      error: 'the COOKIE_ names must all differ',
      when: () => true,
    })
}

/** Whether a text is too short or too plain to be the key of an instance. */
export function isWeakKey(text: string): boolean {
  return text.length < 32 || new Set(text).size < 10
}

/**
 * Whether production must be given its key: roles started by hand share theirs with other machines, and so may a database of the
 * operator's own. Only what starts the embedded one has a folder beside it to keep a key in.
 */
function needsKey(processes: readonly string[] = [], databaseUrl: string | undefined): boolean {
  return processes.length > 0 ? processes.some((role) => role === 'api' || role === 'worker') : databaseUrl !== undefined
}

const notBut = (must: string) => (issue: { input?: unknown }) => `must ${must}, not "${String(issue.input)}"`

const port = z
  .string()
  .refine((text) => /^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= 65_535, { error: notBut('be a port from 1 to 65535') })
  .transform(Number)

const whole = (from: number, to: number, message: string) =>
  z.coerce.number({ error: message }).int(message).min(from, message).max(to, message)

// not z.stringbool(), whose mistakes keep the checks of the whole environment from running
const FLAGS = new Map([
  ...['1', 'true', 'yes', 'on'].map((word) => [word, true] as const),
  ...['0', 'false', 'no', 'off'].map((word) => [word, false] as const),
])
const flag = z
  .string()
  .refine((text) => FLAGS.has(text.toLowerCase()), { error: notBut('be 1 or 0') })
  .transform((text) => FLAGS.get(text.toLowerCase()) === true)

/** An address without slashes at its end; absent where it is not set. */
const url = (...protocols: string[]) =>
  z
    .url({
      protocol: new RegExp(`^(${protocols.join('|')})$`),
      error: notBut(`be an address that starts with ${protocols.map((protocol) => `${protocol}://`).join(' or ')}`),
    })
    .transform((text) => text.replace(/\/+$/, ''))
    .optional()

const secretKey = z
  .string()
  .refine((text) => !isWeakKey(text), 'is weak: use at least 32 random characters, for example from `openssl rand -hex 32`')

const listSplitBy = (separator: RegExp) =>
  z
    .string()
    .default('')
    .transform((text) => text.split(separator).filter(Boolean))

const cookie = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'may hold letters, digits, _ and - only')

function isOneHost(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && other !== undefined && URL.parse(one)?.hostname === URL.parse(other)?.hostname
}

const hasTwins = (values: readonly unknown[]) => new Set(values).size !== values.length
