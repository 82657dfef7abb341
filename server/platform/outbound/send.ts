import type { LookupAddress, LookupOptions } from 'node:dns'
import { request as requestPlain, type ClientRequest, type IncomingMessage } from 'node:http'
import { request as requestSecure } from 'node:https'
import { rootCertificates } from 'node:tls'
import { callbackify } from 'node:util'
import type { OUTBOUND_ERRORS } from '#contract/traffic/delivery-error.ts'
import { isPublicAddress } from './address.ts'
import { hostOf, readTarget, systemResolve, type OutboundPolicy, type Resolve } from './target.ts'

export type OutboundRequest = {
  url: string
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH'
  headers?: Readonly<Record<string, string>>
  body?: string
  /** From the first step to the last byte. */
  timeoutMs: number
  /** How many redirects a GET or HEAD follows, each checked like the first address; none when absent. */
  redirects?: number
  /** So many bytes of an answer are read; 4,096 when absent. */
  longest?: number
}

/**
 * What came of it: a status (whatever it is), or a code that says why there is none. `body` is the beginning of the answer, the
 * names of `headers` are small.
 */
export type OutboundAnswer = {
  status: number | null
  error: '' | OutboundError
  headers: Readonly<Record<string, string>>
  body: string
  durationMs: number
}
export type OutboundError = (typeof OUTBOUND_ERRORS)[number]

/** Only the beginning of an answer is read, unless somebody asks for more; the rest is not waited for. */
const LONGEST_ANSWER = 4_096

/** With it a socket asks its lookup for all addresses of a name, which is what `publicOnly` answers; it goes through to `net.connect`. */
export const EVERY_ADDRESS = { autoSelectFamily: true }

/**
 * Calls somebody else's server: the one door out. Refuses private, loopback, link-local and metadata addresses before
 * the call and again inside the socket's lookup, so that a name cannot lead elsewhere between check and use; follows no
 * redirect it was not told to; has a limit in time and size; never throws.
 */
export async function sendOutbound(request: OutboundRequest, policy: OutboundPolicy): Promise<OutboundAnswer> {
  const began = performance.now()
  const answer = (
    status: number | null,
    error: OutboundAnswer['error'],
    { body, headers }: Pick<OutboundAnswer, 'body' | 'headers'> = { body: '', headers: {} },
  ): OutboundAnswer => ({
    status,
    error,
    headers,
    body,
    durationMs: Math.round(performance.now() - began),
  })
  const signal = AbortSignal.timeout(request.timeoutMs)
  const { redirects = 0 } = request
  let address = request.url
  try {
    for (let followed = 0; ; followed++) {
      const target = readTarget(address, policy)
      if (typeof target === 'string') return answer(null, 'refused_target')
      const lookup = lookupFor(target.allowed, policy)
      const door = standInFor(target.url, policy)
      const { location, ...received } = await call(target.url, { lookup, ca: policy.ca, door }, signal, request)
      const leadsOn = REDIRECTS.has(received.status) && location !== undefined && URL.canParse(location, address)
      if (redirects === 0 || !leadsOn) return answer(received.status, '', received)
      if (followed === redirects) return answer(null, 'too_many_redirects')
      address = new URL(location, address).href
    }
  } catch (error) {
    return answer(null, codeOf(error))
  }
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])
type Received = { status: number; headers: Record<string, string>; body: string; location: string | undefined }

/** Where a request knocks: at its own host, unless that exists nowhere and somebody here answers for it. */
function standInFor(url: URL, { standIn }: OutboundPolicy): URL {
  return standIn?.hosts.has(hostOf(url)) ? new URL(standIn.url) : url
}

function call(
  url: URL,
  { lookup, ca, door }: { lookup: Lookup; ca: string | undefined; door: URL },
  signal: AbortSignal,
  request: OutboundRequest,
): Promise<Received> {
  return new Promise((done, failed) => {
    const open = door.protocol === 'https:' ? requestSecure : requestPlain
    const sending: ClientRequest = open({
      protocol: door.protocol,
      hostname: hostOf(door),
      port: door.port,
      path: `${url.pathname}${url.search}`,
      method: request.method,
      headers: { 'user-agent': 'Ohma-Postback/1', accept: '*/*', ...request.headers, host: url.host },
      // a connection of its own per call: nothing of one host's answer can reach another's
      agent: false,
      ...EVERY_ADDRESS,
      lookup,
      // what is trusted besides is not instead of the authorities everybody trusts
      ...(ca !== undefined && { ca: [...rootCertificates, ca] }),
      signal,
    })
    sending.once('error', failed)
    sending.once('response', (response) => readBeginning(response, request.longest ?? LONGEST_ANSWER, done, failed, sending))
    sending.end(request.body)
  })
}

function readBeginning(
  response: IncomingMessage,
  longest: number,
  done: (answer: Received) => void,
  failed: (error: unknown) => void,
  sending: ClientRequest,
): void {
  const chunks: Buffer[] = []
  let length = 0
  const finish = () => {
    const body = Buffer.concat(chunks).subarray(0, longest).toString('utf8')
    const headers = Object.fromEntries(Object.entries(response.headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]))
    done({ status: response.statusCode ?? 0, headers, body, location: response.headers.location })
    sending.destroy()
  }
  response.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    length += chunk.length
    if (length >= longest) finish()
  })
  response.once('end', finish)
  response.once('error', failed)
}

/** How a socket finds the addresses of a host: only public ones, unless the host stands on the list of exceptions. */
export function lookupFor(allowed: boolean, { resolve }: OutboundPolicy): Lookup {
  if (!allowed) return publicOnly(resolve ?? systemResolve)
  return callbackify(async (host: string, _options: LookupOptions): Promise<LookupAddress[]> => (resolve ?? systemResolve)(host))
}

class PrivateAddress extends Error {
  readonly code = 'EPRIVATE'
}

/** A socket's lookup that fails when any address of the name is private: the socket may try all of them. */
function publicOnly(resolve: Resolve) {
  return callbackify(async (host: string, _options: LookupOptions): Promise<LookupAddress[]> => {
    const found = await resolve(host)
    if (found.length === 0 || found.some(({ address }) => !isPublicAddress(address))) throw new PrivateAddress('a private address')
    return found
  })
}
type Lookup = ReturnType<typeof publicOnly>

/** Why nobody answered, by the error of a socket. */
export function codeOf(error: unknown): OutboundError {
  const { code, name } = error as { code?: string; name?: string } // Node's errors carry both
  if (code === 'EPRIVATE') return 'private_address'
  if (name === 'TimeoutError' || name === 'AbortError' || code === 'ETIMEDOUT' || code === 'ABORT_ERR') return 'timed_out'
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'host_not_found'
  if (code === 'ECONNREFUSED') return 'connection_refused'
  if (code === 'ECONNRESET' || code === 'EPIPE') return 'connection_reset'
  if (code?.startsWith('ERR_TLS') || code?.startsWith('CERT_') || code?.includes('SELF_SIGNED') || code === 'EPROTO') return 'tls_failed'
  return 'failed'
}
