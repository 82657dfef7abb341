import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Snapshot, SnapshotChange } from '#server/rules/offer/snapshot.ts'
import {
  POSTBACK_PATH,
  type PostbackVerdict,
  type ReceivedPostback,
  type StrayCounts,
} from '#server/rules/conversion/postback-hand-over.ts'
import { snapshotOf } from '../make/snapshot.ts'

export const INTERNAL_SECRET = 'internal-secret-of-a-test'

export type FakeApi = {
  url: string
  snapshot: Snapshot
  /** How often a whole snapshot was asked for. */
  fetches: number
  postbacks: ReceivedPostback[]
  /** Counts of calls on paths nobody serves, as they were handed over. */
  strays: StrayCounts['paths']
  /** How often postbacks were handed over, one or many at a time. */
  requests: number
  /** What a postback is answered; null = no answer at all to the whole batch; 'cut' = its connection breaks. */
  answerPostback: ((postback: ReceivedPostback) => PostbackVerdict | 'cut' | null) | null
  /** A click as it is stored; null = not yet. */
  answerClick: () => unknown
  /** Sends a change with the next number, or with `seq`. */
  push(change: SnapshotChange, seq?: number): void
  /** Stops listening and cuts every connection; `start` listens on the same port again. */
  stop(): Promise<void>
  start(): Promise<void>
}

/** As the api answers what is fine, and what came on a path nobody serves. */
function usualAnswer({ path }: ReceivedPostback): PostbackVerdict {
  return path === POSTBACK_PATH ? { status: 200, body: { status: 'created' } } : { status: 404, body: { status: 'error' } }
}

/** Plays the private port of the api for a tracker. */
export async function startFakeApi(snapshot: Snapshot = snapshotOf()): Promise<FakeApi> {
  const streams = new Set<ServerResponse>()
  let port = 0
  const server = createServer((request, response) => {
    if (request.headers['x-internal-secret'] !== INTERNAL_SECRET) return void response.writeHead(401).end()
    if (request.url === '/internal/snapshot') {
      api.fetches++
      return void response.end(JSON.stringify(api.snapshot))
    }
    if (request.url?.startsWith('/internal/changes')) {
      streams.add(response)
      response.on('close', () => streams.delete(response))
      response.writeHead(200)
      response.write('\n')
      return
    }
    if (request.url?.startsWith('/internal/click')) {
      const click = api.answerClick()
      return void response.writeHead(click === null ? 404 : 200).end(JSON.stringify(click))
    }
    let text = ''
    request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
    request.on('end', () => {
      if (request.url === '/internal/strays') {
        api.strays.push(...(JSON.parse(text) as StrayCounts).paths) // what a tracker sends
        return void response.end('{}')
      }
      const batch = JSON.parse(text) as ReceivedPostback[] // what a tracker sends
      const verdicts: PostbackVerdict[] = []
      api.requests++
      for (const postback of batch) {
        const answer = api.answerPostback === null ? usualAnswer(postback) : api.answerPostback(postback)
        if (answer === null) return
        if (answer === 'cut') return void response.destroy()
        if (typeof answer === 'object') api.postbacks.push(postback)
        verdicts.push(answer)
      }
      response.end(JSON.stringify(verdicts))
    })
  })
  const api: FakeApi = {
    url: '',
    snapshot,
    fetches: 0,
    postbacks: [],
    strays: [],
    requests: 0,
    answerPostback: null,
    answerClick: () => null,
    push(change, seq = api.snapshot.seq + 1) {
      api.snapshot.seq = seq
      for (const stream of streams) stream.write(`${JSON.stringify({ seq, change })}\n`)
    },
    async stop() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
    async start() {
      server.listen(port, '127.0.0.1')
      await once(server, 'listening')
      port = (server.address() as AddressInfo).port // it listens on TCP
      api.url = `http://127.0.0.1:${port}`
    },
  }
  await api.start()
  return api
}
