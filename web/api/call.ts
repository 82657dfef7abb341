import { CONSTANTS_VERSION_HEADER } from '#contract/network/constant.ts'
import { bytes, fillPath, type CallInput, type CallOutput, type Endpoint } from '#contract/endpoint.ts'
import { START_ERRORS } from '#contract/start-errors.ts'
import { CallError, localFailure, messagesOf, readFailure } from './call-error.ts'
import { beginRequest } from './loading.ts'
import { hasShape } from './shape.ts'
import { isSigned, serverClock, signatureOf } from './signature.ts'

export type CallOptions = {
  signal?: AbortSignal
  /** No notifications at all: the caller shows the failure. */
  quiet?: boolean
  /** The caller is a form: failures that name fields are shown at the fields, others as notifications. */
  form?: boolean
  /** Another token than the session's; '' for none. */
  token?: string
  /** Sends instead of the browser's own `fetch`: one that tells how far it is. */
  fetch?: typeof fetch
  /** Sees the headers of the answer. */
  onHeaders?: (headers: Headers) => void
}

/** What calls need from the app around them; tests pass their own. */
export type Connection = {
  fetch: typeof fetch
  /** The page's own address. */
  page: () => Pick<Location, 'origin' | 'host' | 'hostname' | 'pathname'>
  /** Where the runtime settings say that the API is; null = at the page's own origin. */
  apiOrigin?: () => string | null
  token: () => string
  subtle: SubtleCrypto | undefined
  now: () => number
  /** The text of a failure in the language on the screen. */
  textOf?: (code: string, values: Readonly<Record<string, string>>) => string | undefined
  notifyError: (text: string) => void
  /** A 401 away from /login for the token that is still the session's. */
  onUnauthorized: () => void
  /** Nothing is answered until the second factor is set up. */
  onFactorNeeded?: () => void
  onConstantsVersion: (version: string) => void
}

export type Call = <E extends Endpoint>(endpoint: E, input: CallInput<E>, options?: CallOptions) => Promise<CallOutput<E>>

const TIMEOUT = 60_000

/** Makes the `call` function over a connection. */
export function makeCall(connection: Connection): Call {
  const clock = serverClock(connection.now)

  return async (endpoint, input, options = {}) => {
    const url = addressOf(endpoint, input, connection.apiOrigin?.() ?? connection.page().origin)
    const done = beginRequest()
    const token = options.token ?? connection.token()
    try {
      if (url.host !== connection.page().host) throw localFailure('cross_domain')
      return await exchange(endpoint, input, url, token, options)
    } catch (error) {
      throw report(error, url, token, options)
    } finally {
      done()
    }
  }

  async function exchange<E extends Endpoint>(
    endpoint: E,
    input: CallInput<E>,
    url: URL,
    token: string,
    options: CallOptions,
  ): Promise<CallOutput<E>> {
    const body = bodyOf(endpoint, input)
    let response = await send(endpoint, body, url, token, options)
    let answer = await readBody(endpoint, response)
    // A device that slept signs with an old idea of the time; the refusal itself told us the right one.
    if (readFailure(answer)?.codes[START_ERRORS.bad_signature.code] !== undefined) {
      response = await send(endpoint, body, url, token, options)
      answer = await readBody(endpoint, response)
    }
    options.onHeaders?.(response.headers)
    const version = response.headers.get(CONSTANTS_VERSION_HEADER)
    if (version !== null) connection.onConstantsVersion(version)
    const requestId = response.headers.get('x-request-id') ?? undefined
    const failure = readFailure(answer)
    if (failure !== undefined) {
      const retryAfter = Number(response.headers.get('retry-after')) || undefined
      throw new CallError(Object.values(failure.codes).join(' '), { status: response.status, ...failure, requestId, retryAfter })
    }
    if (!response.ok) throw new CallError(response.statusText || 'Request failed', { status: response.status, requestId })
    const data = successData(answer)
    if (data === undefined || !hasShape(endpoint.response, data)) throw localFailure('data_loading', { requestId })
    return data as CallOutput<E> // the server answers nothing its schema refuses; its outline was checked above
  }

  async function send(
    endpoint: Endpoint,
    body: string | Uint8Array<ArrayBuffer> | undefined,
    url: URL,
    token: string,
    { signal, fetch = connection.fetch }: CallOptions,
  ): Promise<Response> {
    const headers = new Headers({ accept: 'application/json' })
    if (body !== undefined) headers.set('content-type', typeof body === 'string' ? 'application/json' : 'application/octet-stream')
    if (token !== '') headers.set('authorization', `Bearer ${token}`)
    if (isSigned(connection.page().hostname)) {
      const timestamp = String(Math.round(clock.now()))
      headers.set('x-timestamp', timestamp)
      headers.set('x-signature', await signatureOf(timestamp, token, body ?? '', connection.subtle))
    }
    const limit = AbortSignal.timeout(TIMEOUT)
    const request = {
      method: endpoint.method,
      headers,
      body,
      credentials: 'omit',
      signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
    } as const
    const response = await fetch(url, request)
    clock.read(response.headers.get('date'))
    return response
  }

  /** Shows a failure, applies the 401 rule and returns the error to throw. */
  function report(thrown: unknown, url: URL, token: string, options: CallOptions): unknown {
    if (options.signal?.aborted) return thrown
    const error = thrown instanceof CallError ? thrown : withoutAnswer(thrown)
    // who came to an address that is not allowed starts again at sign-in, which tells them so
    const out = error.status === 401 || error.has(START_ERRORS.address_not_allowed.code)
    const lost = out && connection.page().pathname !== '/login' && token === connection.token()
    const atFields = options.form === true && Object.keys(error.fields).length > 0
    // the end of the session is always said, also by a call in the background that happens to hear of it first
    const setUpFirst = error.has(START_ERRORS.second_factor_needed.code) && token === connection.token()
    if (setUpFirst) connection.onFactorNeeded?.()
    const quiet = setUpFirst || (!lost && (options.quiet === true || atFields || url.pathname.includes('check-user-data')))
    if (!quiet) for (const text of messagesOf(error, connection.textOf)) connection.notifyError(text)
    if (lost) connection.onUnauthorized()
    return error
  }
}

let connected: Call | undefined

/** Connects `call` to the app; done once by main.tsx before anything renders. */
export function connect(connection: Connection): void {
  connected = makeCall(connection)
}

/**
 * Calls an endpoint of the contract and answers its `data`.
 * Failures are shown as notifications here and thrown as `CallError`; an abort through `signal` is thrown silently.
 */
export const call: Call = (endpoint, input, options) => {
  if (connected === undefined) throw new Error('connect() comes before the first call')
  return connected(endpoint, input, options)
}

type LooseInput = { params?: Record<string, unknown>; query?: Record<string, unknown>; body?: unknown }

function addressOf<E extends Endpoint>(endpoint: E, input: CallInput<E>, origin: string): URL {
  const { params = {}, query = {} } = input as LooseInput // CallInput names only the parts an endpoint has
  const url = new URL(fillPath(endpoint.path, params), origin)
  for (const [name, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== undefined && one !== null) url.searchParams.append(name, String(one))
  }
  return url
}

function bodyOf<E extends Endpoint>(endpoint: E, input: CallInput<E>): string | Uint8Array<ArrayBuffer> | undefined {
  if (endpoint.method === 'GET') return undefined
  const { body } = input as LooseInput // as above
  return body instanceof Uint8Array ? new Uint8Array(body) : JSON.stringify(body ?? {})
}

/** The answer as an envelope; of a file that came, its bytes stand in one. */
async function readBody(endpoint: Endpoint, response: Response): Promise<unknown> {
  if (endpoint.response === bytes && response.ok) return { status: 'success', data: new Uint8Array(await response.arrayBuffer()) }
  const text = await response.text()
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function successData(answer: unknown): unknown {
  if (typeof answer !== 'object' || answer === null || !('status' in answer) || answer.status !== 'success') return undefined
  return 'data' in answer ? answer.data : undefined
}

function withoutAnswer(thrown: unknown): CallError {
  if (thrown instanceof DOMException && thrown.name === 'TimeoutError') return localFailure('timeout', { cause: thrown })
  return new CallError(thrown instanceof Error ? thrown.message : String(thrown), { cause: thrown })
}
