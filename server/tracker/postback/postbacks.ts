import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Clock } from '#server/platform/clock.ts'
import { log } from '#server/platform/log.ts'
import { POSTBACK_PATH, type ReceivedPostback } from '#server/rules/conversion/postback-hand-over.ts'
import type { InternalApi } from '../internal-api.ts'
import { MOST, openBatchSize } from './batch-size.ts'
import { openHandOver } from './hand-over.ts'
import { openPostbackQueue } from './postback-queue.ts'
import { openStrayCounts } from './stray-counts.ts'

export type PostbackAnswer = { status: number; body: string }

export const LONGEST_POSTBACK = 64 * 1024
const WITHIN_MS = 1_000
/** So long one waits for the last of the queue instead of joining it: longer than a busy api needs for a batch. */
const EMPTIED_WITHIN_MS = 3_000
/** Of those nobody knows the api may know some by a token or an address; scanners must not keep it busy. */
const STRAYS_A_SECOND = 20
/** What says who sends a postback, where its parameters do not. */
const SENDER_HEADERS = (
  'authorization x-api-key x-signature x-timestamp x-postback-signature webhook-id webhook-timestamp webhook-signature ' +
  'x-shopify-hmac-sha256 x-wc-webhook-signature'
).split(' ')
const QUEUED: PostbackAnswer = { status: 202, body: '{"status":"queued"}' }
const TOO_LARGE: PostbackAnswer = { status: 413, body: '{"status":"too_large"}' }
const UNAVAILABLE: PostbackAnswer = { status: 503, body: '{"status":"unavailable"}' }

/** What a request brings beside its address. */
export type Call = Pick<IncomingMessage, 'method' | 'headers'> & AsyncIterable<unknown>

export type Postbacks = {
  receive(request: Call, query: string, ip: string): Promise<PostbackAnswer>
  /**
   * Takes what came on a path nobody serves and may be meant as a postback: always with a click id of ours, otherwise
   * it is counted, and some in a second are taken, while nothing else waits. Null = it was not taken.
   */
  receiveStray(
    request: Call,
    path: string,
    query: string,
    ip: string,
    namesClick: (texts: readonly string[]) => boolean,
  ): Promise<PostbackAnswer | null>
  /** Counts a call on a path nobody serves that reports nothing. */
  countStray(path: string): void
  /** How many wait for the api. */
  waiting(): number
  close(): Promise<void>
}

/** One `onlyNow` is let go when the api does not take it at once. */
type Fresh = { line: string; since: number; onlyNow: boolean; answer: (answer: PostbackAnswer | null) => void }

/**
 * Takes advertisers' postbacks and hands them to the api in the order in which they came; its answer goes back to the
 * advertiser. What it has not taken within a second is put on disk and answered 202; while one waits there, all newer ones
 * queue behind it, unless it is about to be empty. Those that come while a batch is under way are the next batch, so that none overtakes another.
 */
export async function openPostbacks(options: {
  api: InternalApi | null
  folder: string
  tracker: string
  clock: Clock
}): Promise<Postbacks> {
  const { clock } = options
  const handOver = openHandOver(options.api)
  const strayCounts = openStrayCounts(options)
  const batchSize = openBatchSize()
  const queue = await openPostbackQueue({ ...options, handOver })
  const fresh: Fresh[] = []
  let handing: Promise<void> | null = null

  const store = async ({ line, answer }: Fresh): Promise<void> => {
    try {
      await queue.store(line)
      answer(QUEUED)
    } catch (error) {
      // Nothing was kept: an honest refusal makes the advertiser send it again.
      log.error({ err: error }, 'a postback could be neither handed over nor stored')
      answer(UNAVAILABLE)
    }
  }
  const handOverFresh = async (): Promise<void> => {
    while (fresh.length > 0) {
      const batch = fresh.splice(0, batchSize.of(fresh.slice(0, MOST).map(({ line }) => line)))
      const waited = performance.now() - (batch[0]?.since ?? 0)
      const goes = queue.count() === 0 ? waited < WITHIN_MS : await queue.emptied(EMPTIED_WITHIN_MS - waited)
      const lines = batch.map(({ line }) => line)
      const since = performance.now()
      const verdicts = goes ? await handOver(lines, WITHIN_MS) : []
      if (goes) batchSize.took(batch.length, performance.now() - since)
      for (const [index, one] of batch.entries()) {
        const verdict = verdicts[index]
        if (typeof verdict === 'object') one.answer({ status: verdict.status, body: JSON.stringify(verdict.body) })
        else if (one.onlyNow) one.answer(null)
        else void store(one)
      }
    }
    handing = null
  }

  const take = (
    request: Call,
    said: Pick<ReceivedPostback, 'path' | 'query' | 'body' | 'ip'>,
    onlyNow: boolean,
  ): Promise<PostbackAnswer | null> => {
    const postback: ReceivedPostback = {
      id: randomUUID(),
      received_at: new Date(clock.now()).toISOString(),
      method: (request.method ?? 'GET').slice(0, 10),
      ...said,
      content_type: request.headers['content-type'] ?? '',
      headers: senderHeaders(request),
    }
    return new Promise((answer) => {
      fresh.push({ line: JSON.stringify(postback), since: performance.now(), onlyNow, answer })
      // in a turn of its own: what comes in this one goes along
      handing ??= Promise.resolve().then(handOverFresh)
    })
  }
  let strays = { second: 0, count: 0 }
  const straysHaveRoom = (): boolean => {
    const second = Math.floor(performance.now() / 1_000)
    if (second !== strays.second) strays = { second, count: 0 }
    return ++strays.count <= STRAYS_A_SECOND
  }

  return {
    waiting: () => queue.count(),
    countStray: strayCounts.count,
    async close() {
      await handing
      await strayCounts.close()
      await queue.close()
    },
    async receive(request, query, ip) {
      const body = await readBody(request)
      return body === null ? TOO_LARGE : ((await take(request, { path: POSTBACK_PATH, query, body, ip }, false)) ?? UNAVAILABLE)
    },
    async receiveStray(request, path, query, ip, namesClick) {
      const body = await readBody(request)
      if (body === null) return TOO_LARGE
      const ours = namesClick([path, query, body])
      if (!ours) strayCounts.count(path)
      if (!ours && (queue.count() > 0 || !straysHaveRoom())) return null
      return take(request, { path: path.slice(0, 2_000), query, body, ip }, !ours)
    },
  }
}

async function readBody(request: Call): Promise<string | null> {
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

function senderHeaders(request: Call): Record<string, string> {
  const found: Record<string, string> = {}
  for (const name of SENDER_HEADERS) {
    const value = request.headers[name]
    if (value !== undefined) found[name] = String(value)
  }
  return found
}
