import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { log } from '#server/platform/log.ts'
import { openInternal, readText, type InternalApi } from '../snapshot/internal-request.ts'
import { orderOf } from './postback-order.ts'
import { openPostbackSpool, type HandOver } from './postback-spool.ts'
import { createTurns } from './postback-turns.ts'
import type { Clock } from '#server/platform/clock.ts'

/** A postback as the api gets it. `id` makes a repeat of the same hand-over recognisable. */
export type ReceivedPostback = {
  id: string
  received_at: string
  method: string
  /** As it came, without the question mark. */
  query: string
  body: string
  content_type: string
  ip: string
  headers: Record<string, string>
}

export type PostbackAnswer = { status: number; body: string }

export const LONGEST_POSTBACK = 64 * 1024
const HAND_OVER_WITHIN_MS = 1000
/** With less time an answer that does not come would tell nothing about the api. */
const SHORTEST_TRY_MS = 200
const REPLAY_WITHIN_MS = 10_000
const SIGNATURE_HEADERS = ['x-signature', 'x-timestamp', 'x-postback-signature', 'webhook-id', 'webhook-timestamp', 'webhook-signature']

export type Postbacks = {
  receive(request: IncomingMessage, query: string, ip: string): Promise<PostbackAnswer>
  waiting(): number
  close(): Promise<void>
}

/**
 * Takes advertisers' postbacks and hands them to the api, whose answer goes back to the advertiser. When the api does not
 * answer within a second, the postback is put on disk and answered 202, and handed over once the api is back. So is one
 * that shares its click or transaction with one that waits; all others go past the line.
 */
export async function openPostbacks(options: {
  api: InternalApi | null
  folder: string
  tracker: string
  clock: Clock
}): Promise<Postbacks> {
  const { api, clock } = options
  const turn = createTurns()
  let away = false
  let asking: Promise<unknown> | null = null

  const handOver = async (line: string, withinMs: number): Promise<PostbackAnswer | Exclude<HandOver, 'arrived'>> => {
    if (api === null) return 'away'
    try {
      const signal = AbortSignal.timeout(withinMs)
      const answer = await openInternal(api, { path: '/internal/postback', method: 'POST', body: line, timeoutMs: withinMs, signal })
      const text = await readText(answer)
      // 503: its database is away, and nothing is wrong with this postback
      if (answer.statusCode === 503) return 'away'
      if (answer.statusCode !== 200) return 'refused'
      const { status, body } = JSON.parse(text) as { status: number; body: unknown } // our own api, of the same version
      return { status, body: JSON.stringify(body) }
    } catch (error) {
      log.info({ err: error }, 'a postback could not be handed over')
      return 'away'
    }
  }
  const spool = await openPostbackSpool(options.folder, options.tracker, clock, async (line) => {
    const answer = await handOver(line, REPLAY_WITHIN_MS)
    away = answer === 'away'
    return typeof answer === 'string' ? answer : 'arrived'
  })

  const handOverAtOnce = async (line: string, deadline: number): ReturnType<typeof handOver> => {
    const answer = await handOver(line, Math.max(SHORTEST_TRY_MS, Math.ceil(deadline - performance.now())))
    away = answer === 'away'
    if (typeof answer !== 'string') spool.tookAnother()
    return answer
  }
  /** While the api is away one asks whether it is back, and who comes meanwhile goes by what that one finds: an api that hangs is given no more to do. */
  const handOverOrAsk = async (line: string, deadline: number): ReturnType<typeof handOver> => {
    if (asking !== null) {
      await asking
      if (away) return 'away'
    }
    if (!away) return handOverAtOnce(line, deadline)
    const answer = handOverAtOnce(line, deadline)
    asking = answer
    await answer
    asking = null
    return answer
  }

  return {
    waiting: () => spool.count(),
    close: () => spool.close(),
    async receive(request, query, ip) {
      const body = await readBody(request)
      if (body === null) return { status: 413, body: '{"status":"too_large"}' }
      const postback: ReceivedPostback = {
        id: randomUUID(),
        received_at: new Date(clock.now()).toISOString(),
        method: request.method ?? 'GET',
        query,
        body,
        content_type: request.headers['content-type'] ?? '',
        ip,
        headers: signatureHeaders(request),
      }
      const line = JSON.stringify(postback)
      const keys = orderOf(line)
      // Counted from here: whoever it waits for is decided on sooner, so that no wait adds to another.
      const deadline = performance.now() + HAND_OVER_WITHIN_MS
      const leave = await turn(keys)
      const isLate = performance.now() > deadline - SHORTEST_TRY_MS
      const answer = isLate || spool.holds(keys) ? 'away' : await handOverOrAsk(line, deadline)
      if (typeof answer !== 'string') {
        leave()
        return answer
      }
      const stored = spool.store(line, keys)
      leave()
      try {
        await stored
      } catch (error) {
        // Nothing was kept: an honest refusal makes the advertiser send it again.
        log.error({ err: error }, 'a postback could be neither handed over nor stored')
        return { status: 503, body: '{"status":"unavailable"}' }
      }
      return { status: 202, body: '{"status":"queued"}' }
    },
  }
}

async function readBody(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request) {
    const bytes = chunk as Buffer // no encoding was set, so chunks are Buffers
    length += bytes.length
    if (length > LONGEST_POSTBACK) return null
    chunks.push(bytes)
  }
  // PostgreSQL keeps no NUL in a text, and no honest body has one.
  return Buffer.concat(chunks).toString('utf8').replaceAll('\0', '')
}

function signatureHeaders(request: IncomingMessage): Record<string, string> {
  const found: Record<string, string> = {}
  for (const name of SIGNATURE_HEADERS) {
    const value = request.headers[name]
    if (value !== undefined) found[name] = String(value)
  }
  return found
}
