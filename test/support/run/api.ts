import { Agent, request } from 'node:http'
import type { Role } from '#contract/access.ts'
import { ERRORS, type ErrorCode } from '#contract/errors.ts'
import { isPartnerPath, problem } from '#contract/problem.ts'
import { fillPath, type CallInput, type CallOutput, type Endpoint } from '#contract/endpoint.ts'
import { openSession } from '#server/features/people/auth/session.service.ts'
import { readConfig } from '#server/platform/config.ts'
import { openClickhouse, type Clickhouse } from '#server/platform/clickhouse/client.ts'
import type { HttpApp } from '#server/access/implement.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { buildApi } from '#server/processes/roles/api.ts'
import { createClickhouseDatabase } from './clickhouse.ts'
import { cloneDatabase } from './database.ts'
import { expectAuditNames } from '../audit-names.ts'
import { makeAccount, type MadeAccount } from '../make/factories.ts'

export type Answer<Data> = {
  status: number
  /** The envelope's data; only there on success. */
  data: Data
  /** Numeric code → text, on failure. */
  errors: Record<string, string>
  fields: Record<string, string>
  headers: Headers
}

/** Somebody who calls the API over real HTTP. */
export type Caller = MadeAccount & {
  token: string
  call<E extends Endpoint>(endpoint: E, input?: CallInput<E>): Promise<Answer<CallOutput<E>>>
}

export type TestApi = {
  url: string
  app: HttpApp
  db: Db
  databaseUrl: string
  /** A migrated database of its own, where the test asked for one; otherwise it cannot be reached. */
  clickhouse: Clickhouse
  /** The product's clock: set it or move it on. */
  clock: { now(): number; set(at: number | string): void; advance(ms: number): void }
  /** A new signed-in person of a role; staff may be given a team lead, affiliates a manager. */
  as(role: Role, made?: Parameters<typeof makeAccount>[2]): Promise<Caller>
  guest: Pick<Caller, 'call'>
  close(): Promise<void>
}

/** Starts the API as the product does, on a database of its own and a free port, with a clock that stands still. */
export async function startApi(
  options: { env?: Record<string, string>; at?: string; clickhouse?: boolean; names?: Parameters<typeof buildApi>[0]['names'] } = {},
): Promise<TestApi> {
  // a database of ClickHouse takes a quarter of a second to make, so only tests of statistics ask for it
  const [database, statistics] = await Promise.all([cloneDatabase(), options.clickhouse ? createClickhouseDatabase() : noClickhouse()])
  const { clickhouse } = statistics
  let now = Date.parse(options.at ?? '2026-11-21T10:00:00Z')
  const clock = {
    now: () => now,
    set: (at: number | string) => void (now = typeof at === 'number' ? at : Date.parse(at)),
    advance: (ms: number) => void (now += ms),
  }
  const config = readConfig({ DATABASE_URL: database.url, ...options.env }, 'test')
  const parts = { config, db: database.db, clickhouse, clock, constantsVersion: () => 'test' }
  const app = await buildApi({ ...parts, ...(options.names && { names: options.names }) })
  const url = await app.server.listen({ host: '127.0.0.1', port: 0 })
  return {
    url,
    app,
    db: database.db,
    databaseUrl: database.url,
    clickhouse,
    clock,
    async as(role, made) {
      const account = await makeAccount(database.db, role, made)
      const { token } = await openSession(database.db, now, { accountId: account.accountId, device: 'test', address: '127.0.0.1' })
      return { ...account, token, call: caller(url, token) }
    },
    guest: { call: caller(url) },
    async close() {
      await app.server.close()
      const nameless = await expectAuditNames(database.db).catch((error: unknown) => error)
      await Promise.all([database.drop(), statistics.drop()])
      if (nameless !== undefined) throw nameless
    },
  }
}

function noClickhouse() {
  const clickhouse = openClickhouse('http://nobody@127.0.0.1:1')
  return { clickhouse, drop: () => clickhouse.close() }
}

/** How somebody calls the API at an address, as a guest or with a token. */
export function caller(url: string, token?: string): Caller['call'] {
  return async (endpoint, input) => {
    const { params, query, body } = (input ?? {}) as { params?: Record<string, unknown>; query?: Record<string, string>; body?: unknown } // the parts a call may have
    const search = query === undefined ? '' : `?${new URLSearchParams(query)}`
    const response = await send(`${url}${fillPath(endpoint.path, params ?? {})}${search}`, {
      method: endpoint.method,
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
      // bytes go as they are
      ...(endpoint.method === 'GET' ? {} : { body: body instanceof Uint8Array ? body : JSON.stringify(body ?? {}) }),
    })
    const answer: unknown = JSON.parse(response.text)
    if (isPartnerPath(endpoint.path)) return { ...plain(response.status < 300, answer), status: response.status, headers: response.headers }
    const envelope = answer as { data?: unknown; errors?: Record<string, string> } // what every endpoint of the panel answers
    return {
      status: response.status,
      data: envelope.data as CallOutput<typeof endpoint>, // the server parsed it with this schema
      errors: envelope.errors ?? {},
      fields: (envelope.data as { fields?: Record<string, string> } | undefined)?.fields ?? {}, // failures carry them here
      headers: response.headers,
    }
  }
}

const agent = new Agent({ keepAlive: true })
/** What Node's fetch says of itself, but that it unpacks what is compressed. */
const LIKE_FETCH = { accept: '*/*', 'accept-language': '*', 'sec-fetch-mode': 'cors', 'user-agent': 'node' }

type Sent = { method: string; headers: Record<string, string>; body?: string | Uint8Array }
type Received = { status: number; headers: Headers; text: string }

/** One request, over a connection that is kept: for each of them Node's fetch takes three times as much of the processor. */
function send(url: string, { method, headers, body }: Sent): Promise<Received> {
  const { promise, resolve, reject } = Promise.withResolvers<Received>()
  const carried = body !== undefined && {
    'content-type': typeof body === 'string' ? 'application/json' : 'application/octet-stream',
    // unsaid, a DELETE would carry nothing
    'content-length': Buffer.byteLength(body),
  }
  const sent = request(url, { agent, method, headers: { ...LIKE_FETCH, ...headers, ...carried } }, (response) => {
    let text = ''
    response.setEncoding('utf8')
    response.on('data', (part: string) => (text += part))
    response.on('error', reject)
    response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: headersOf(response.rawHeaders), text }))
  })
  sent.on('error', reject)
  sent.end(body)
  return promise
}

/** Names and values in turn, as they came. */
function headersOf(raw: readonly string[]): Headers {
  return new Headers(Array.from({ length: raw.length / 2 }, (_none, at) => [raw[2 * at] ?? '', raw[2 * at + 1] ?? '']))
}

/** What a partner's program is answered, in the words of the panel: it has no envelope. */
function plain<Data>(ok: boolean, answer: unknown): Pick<Answer<Data>, 'data' | 'errors' | 'fields'> {
  if (ok) return { data: answer as Data, errors: {}, fields: {} } // the server parsed it with this schema
  const { code, detail, errors } = problem.parse(answer)
  const number = String(ERRORS[code as ErrorCode].code) // problems are named by these words
  return { data: undefined as Data, errors: { [number]: detail }, fields: errors ?? {} } // none, as in a failed envelope
}
