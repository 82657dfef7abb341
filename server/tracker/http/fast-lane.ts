import { STATUS_CODES, type Server } from 'node:http'
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { log } from '#server/platform/log.ts'
import type { Visitor } from '../core/answers.ts'
import type { ClickRequest, Clicks } from '../core/clicks.ts'
import { Query } from '../core/query.ts'
import { createClickHeaders } from '../core/told.ts'
import { namesHost, readRequestHead, type RequestHead } from './request-head.ts'

/** An idle connection is kept this long. */
export const KEEP_ALIVE_MS = 30_000
const SWEEP_MS = 5000
/** Who sends more than this ahead of the answers is not read any further until they are there. */
const LONGEST_AHEAD = 64 * 1024

export type FastLane = {
  /** Ends idle connections, and the others with their next answer. */
  closeIdle(): void
  closeAll(): void
}

/**
 * Serves ordinary clicks straight from the bytes of their connection: node:http's own parsing and objects cost as much as
 * the click itself. A connection stays here as long as whole, ordinary requests come (request-head.ts says which); with
 * the first that is anything else it moves over to node:http for good, bytes and all, as if it had begun there.
 */
export function openFastLane(server: Server, clicks: Clicks): FastLane {
  const slowLane = server.listeners('connection')
  server.removeAllListeners('connection')
  const lanes = new Set<Lane>()
  const moveOver = (socket: Socket) => {
    for (const take of slowLane) take.call(server, socket)
  }
  server.on('connection', (socket: Socket) => {
    const lane = new Lane(socket, clicks, (gone, moves) => {
      lanes.delete(gone)
      if (moves) moveOver(socket)
    })
    lanes.add(lane)
  })
  const sweep = setInterval(() => {
    const before = performance.now() - KEEP_ALIVE_MS
    for (const lane of lanes) if (lane.idleSince < before) lane.destroy()
  }, SWEEP_MS)
  sweep.unref()
  server.on('close', () => clearInterval(sweep))
  return {
    closeIdle() {
      for (const lane of lanes) lane.closeWhenIdle()
    },
    closeAll() {
      for (const lane of lanes) lane.destroy()
    },
  }
}

/** One connection in the fast lane. One request at a time is under way; what comes meanwhile waits its turn. */
class Lane implements Visitor {
  /** `performance.now()` when the connection opened or was answered last; Infinity while a visitor waits. */
  idleSince = performance.now()
  readonly #socket: Socket
  readonly #clicks: Clicks
  readonly #leave: (lane: Lane, moves: boolean) => void
  readonly #peer: string
  /** The name a connection with TLS was opened for: a request for another is for node:http to refuse. */
  readonly #name: Buffer | null
  #waiting = false
  #going = false
  #keepAlive = true
  /** The other side sends no more, or is not listened to any more. */
  #ended = false
  /** Bytes that came ahead of the answer under way. */
  #ahead: Buffer | null = null

  constructor(socket: Socket, clicks: Clicks, leave: (lane: Lane, moves: boolean) => void) {
    this.#socket = socket
    this.#clicks = clicks
    this.#leave = leave
    this.#peer = socket.remoteAddress ?? ''
    const { servername } = socket as Partial<TLSSocket> // plain sockets have none
    this.#name = typeof servername === 'string' ? Buffer.from(servername.toLowerCase(), 'latin1') : null
    socket.on('data', this.#take).on('end', this.#end).on('drain', this.#goOn).on('error', this.#fail).on('close', this.#close)
  }

  redirect(status: 302 | 307, location: string): void {
    const ends = endsOfNow()
    this.#send((status === 302 ? FOUND : TEMPORARY) + location + (this.#keepAlive ? ends.emptyKept : ends.emptyClosed), 'latin1')
  }

  answer(status: number, headers: readonly string[], body: string): void {
    let text = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n`
    for (let i = 0; i < headers.length; i += 2) text += `${headers[i]}: ${headers[i + 1]}\r\n`
    const ends = endsOfNow()
    this.#send(`${text}Content-Length: ${Buffer.byteLength(body)}\r\n${this.#keepAlive ? ends.kept : ends.closed}${body}`, 'utf8')
  }

  destroy(): void {
    this.#socket.destroy()
  }

  closeWhenIdle(): void {
    this.#keepAlive = false
    if (!this.#waiting) this.destroy()
  }

  #send(text: string, encoding: 'latin1' | 'utf8'): void {
    this.#waiting = false
    this.idleSince = performance.now()
    this.#socket.write(text, encoding)
    if (!this.#keepAlive || (this.#ended && this.#ahead === null)) {
      this.#ended = true
      this.#ahead = null
      this.#socket.destroySoon()
    } else if (this.#ahead !== null) this.#goOn()
  }

  readonly #take = (bytes: Buffer): void => {
    if (this.#ended) return
    // Who does not read the answers gets no more of them.
    if (!this.#waiting && this.#ahead === null && !this.#socket.writableNeedDrain) return this.#read(bytes)
    this.#ahead = this.#ahead === null ? bytes : Buffer.concat([this.#ahead, bytes])
    if (this.#ahead.length > LONGEST_AHEAD) this.#socket.pause()
  }

  /** Reads what came ahead, request by request: in a loop, for a thousand that are answered at once would fill the stack. */
  readonly #goOn = (): void => {
    if (this.#going) return
    this.#going = true
    for (let bytes = this.#ahead; bytes !== null && !this.#waiting && !this.#socket.writableNeedDrain; bytes = this.#ahead) {
      this.#ahead = null
      this.#socket.resume()
      this.#read(bytes)
    }
    this.#going = false
  }

  #read(bytes: Buffer): void {
    const end = readRequestHead(bytes, head)
    if (end === 0 || (this.#name !== null && !namesHost(bytes, head, this.#name))) return this.#move(bytes)
    if (end < bytes.length) this.#ahead = bytes.subarray(end)
    this.#waiting = true
    this.idleSince = Number.POSITIVE_INFINITY
    if (!head.keepAlive) this.#keepAlive = false
    asked.peer = this.#peer
    try {
      this.#clicks.click(asked, this)
    } catch (error) {
      log.error({ err: error }, 'a click could not be answered')
      this.destroy()
    }
  }

  #move(bytes: Buffer): void {
    const socket = this.#socket
    // Nothing can be put back once the other side has closed: who asks for something odd behind a click may ask again.
    if (this.#ended) return void socket.destroySoon()
    socket.off('data', this.#take).off('end', this.#end).off('drain', this.#goOn).off('error', this.#fail).off('close', this.#close)
    socket.pause()
    socket.unshift(bytes)
    this.#leave(this, true)
    socket.resume()
  }

  /** Who has sent everything still gets the answer. */
  readonly #end = (): void => {
    this.#ended = true
    if (!this.#waiting && this.#ahead === null) this.#socket.destroySoon()
  }

  readonly #fail = (): void => this.destroy()

  readonly #close = (): void => this.#leave(this, false)
}

// Refilled for every request: nothing in them outlives the call.
const head: RequestHead = { query: new Query(), keepAlive: true, headers: createClickHeaders(), hostFrom: 0, hostTo: 0 }
const asked: ClickRequest = { query: head.query, head: false, peer: '', headers: head.headers }

const FOUND = 'HTTP/1.1 302 Found\r\nLocation: '
const TEMPORARY = 'HTTP/1.1 307 Temporary Redirect\r\nLocation: '
const EMPTY = '\r\nCache-Control: no-store\r\nContent-Length: 0\r\n'

/** How the head of an answer ends, whether the connection stays or not, after other headers or after a location. */
type Ends = { second: number; kept: string; closed: string; emptyKept: string; emptyClosed: string }
let ends: Ends = { second: 0, kept: '', closed: '', emptyKept: '', emptyClosed: '' }

function endsOfNow(): Ends {
  const second = Math.floor(Date.now() / 1000)
  if (second !== ends.second) {
    const date = `Date: ${new Date(second * 1000).toUTCString()}\r\n`
    const kept = `${date}Connection: keep-alive\r\nKeep-Alive: timeout=${KEEP_ALIVE_MS / 1000}\r\n\r\n`
    const closed = `${date}Connection: close\r\n\r\n`
    ends = { second, kept, closed, emptyKept: EMPTY + kept, emptyClosed: EMPTY + closed }
  }
  return ends
}
