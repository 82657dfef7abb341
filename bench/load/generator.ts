import { connect, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { AFFILIATES, benchUserAgents, OFFERS } from './links.ts'

// The load generator: raw sockets, one request at a time per connection, as a process of its own on the other core.
// Reads an order a line as JSON from standard input, one at a time, and writes its result as a line of JSON.

export type LoadOrder = {
  port: number
  connections: number
  seconds: number
  keepAlive: boolean
  userAgents: number
  /** `chrome`: all that a desktop Chrome sends with a link that is clicked; `minimal`: no more than a click needs. */
  headers: 'chrome' | 'minimal'
  /** Requests per second at fixed moments (open loop); null = as fast as answers come. */
  rate: number | null
  firstNonce: number
}
/** `seconds` is what it took, latencies are milliseconds. */
export type LoadResult = {
  sent: number
  redirects: number
  others: number
  seconds: number
  p50: number
  p99: number
  p999: number
  lastNonce: number
}

const LINKS = 10_000
const REQUESTS = 32_768
const NONCE_DIGITS = 9

const latencies = new Float64Array(5_000_000)
const prepared = new Map<string, Prepared[]>()

/** Sends the load and waits for the last answer. */
async function runLoad(order: LoadOrder): Promise<LoadResult> {
  const requests = prepareRequests(order)
  let measured = 0
  let redirects = 0
  let others = 0
  let nonce = order.firstNonce
  let going = true
  let active = 0
  let finish = () => {}
  const finished = new Promise<void>((resolve) => (finish = resolve))

  const nextRequest = (): Buffer => {
    const request = requests[(Math.random() * REQUESTS) | 0]!
    patch(request, nonce++)
    return request.bytes
  }
  const answered = (head: Buffer, length: number, began: number): void => {
    if (length > 12 && head[9] === 0x33 && head[10] === 0x30 && head[11] === 0x32) redirects++
    else others++
    if (measured < latencies.length) latencies[measured++] = performance.now() - began
  }
  const done = () => {
    if (--active === 0) finish()
  }

  const start = performance.now()
  if (order.rate !== null) await openLoop()
  else if (order.keepAlive) await closedLoop()
  else await freshLoop()
  const seconds = (performance.now() - start) / 1000

  const sorted = latencies.subarray(0, measured).sort()
  const at = (share: number) => sorted[Math.min(measured - 1, Math.floor(measured * share))] ?? 0
  return {
    sent: nonce - order.firstNonce,
    redirects,
    others,
    seconds,
    p50: at(0.5),
    p99: at(0.99),
    p999: at(0.999),
    lastNonce: nonce,
  }

  /** A kept connection that calls `idle` whenever its answer is whole. */
  function open(idle: (socket: Socket, send: () => void) => void): void {
    const buffer = Buffer.alloc(16_384)
    let began = 0
    active++
    const socket: Socket = connect({
      port: order.port,
      host: '127.0.0.1',
      noDelay: true,
      onread: {
        buffer,
        callback(length) {
          // A redirect has no body: its head ends the answer.
          if (buffer[length - 1] === 10 && buffer[length - 2] === 13 && buffer[length - 3] === 10) {
            answered(buffer, length, began)
            idle(socket, send)
          }
          return true
        },
      },
    })
    const send = () => {
      began = performance.now()
      socket.write(nextRequest())
    }
    socket.on('connect', () => idle(socket, send))
    socket.on('error', () => {})
    socket.on('close', done)
  }

  async function closedLoop(): Promise<void> {
    for (let i = 0; i < order.connections; i++) open((socket, send) => (going ? send() : socket.destroy()))
    setTimeout(() => (going = false), order.seconds * 1000)
    await finished
  }

  async function freshLoop(): Promise<void> {
    const one = (): void => {
      if (!going) return
      active++
      const began = performance.now()
      const socket = connect({ port: order.port, host: '127.0.0.1', noDelay: true })
      let head: Buffer | null = null
      socket.on('connect', () => socket.write(nextRequest()))
      socket.on('data', (chunk: Buffer) => (head ??= chunk))
      socket.on('error', () => {})
      socket.on('close', () => {
        if (head !== null) answered(head, head.length, began)
        one()
        done()
      })
    }
    for (let i = 0; i < order.connections; i++) one()
    setTimeout(() => (going = false), order.seconds * 1000)
    await finished
  }

  /** Requests leave at their moments, whether earlier ones were answered or not; latency counts from the moment. */
  async function openLoop(): Promise<void> {
    const rate = order.rate ?? 0
    const free: (() => void)[] = []
    const due: number[] = []
    const buffers: Socket[] = []
    for (let i = 0; i < order.connections; i++) {
      const buffer = Buffer.alloc(16_384)
      let began = 0
      active++
      const socket = connect({
        port: order.port,
        host: '127.0.0.1',
        noDelay: true,
        onread: {
          buffer,
          callback(length) {
            if (buffer[length - 1] !== 10 || buffer[length - 2] !== 13) return true
            answered(buffer, length, began)
            const waiting = due.shift()
            if (waiting === undefined) free.push(send)
            else sendAt(waiting)
            return true
          },
        },
      })
      const sendAt = (moment: number) => {
        began = moment
        socket.write(nextRequest())
      }
      const send = () => sendAt(performance.now())
      socket.on('connect', () => free.push(send))
      socket.on('error', () => {})
      socket.on('close', done)
      buffers.push(socket)
    }
    await new Promise<void>((resolve) => {
      const ready = setInterval(() => {
        if (free.length < order.connections) return
        clearInterval(ready)
        resolve()
      }, 5)
    })
    const start = performance.now()
    const total = rate * order.seconds
    let released = 0
    await new Promise<void>((resolve) => {
      const tick = () => {
        const now = performance.now()
        const wanted = Math.min(total, Math.floor(((now - start) / 1000) * rate))
        for (; released < wanted; released++) {
          const send = free.pop()
          if (send === undefined) due.push(start + (released / rate) * 1000)
          else send()
        }
        if (released >= total && free.length === order.connections) resolve()
        else setImmediate(tick)
      }
      tick()
    })
    buffers.forEach((socket) => socket.destroy())
    await finished
  }
}

type Prepared = { bytes: Buffer; nonceAt: number; addressAt: number }

/** Whole requests, ready but for nonce and address, so that the generator does next to nothing per click. */
function prepareRequests(order: LoadOrder): Prepared[] {
  const key = `${order.userAgents} ${order.keepAlive} ${order.headers}`
  let requests = prepared.get(key)
  if (requests === undefined) prepared.set(key, (requests = writeRequests(order)))
  return requests
}

function writeRequests(order: LoadOrder): Prepared[] {
  const userAgents = benchUserAgents(order.userAgents)
  const links = Array.from({ length: LINKS }, () => ({ offer: 1 + random(OFFERS), affiliate: 1 + random(AFFILIATES) }))
  return Array.from({ length: REQUESTS }, () => {
    const { offer, affiliate } = links[random(LINKS)]!
    const query = `offer_id=${offer}&pid=${affiliate}&sub1=campaign-${random(300)}&sub2=${'0'.repeat(NONCE_DIGITS)}&sub3=ad%20${random(50)}&source=fb&click_id=${random(1e9).toString(36)}`
    const head = [
      `GET /click?${query} HTTP/1.1`,
      'Host: track.example',
      `Connection: ${order.keepAlive ? 'keep-alive' : 'close'}`,
      ...(order.headers === 'chrome' ? CHROME : []),
      `User-Agent: ${userAgents[random(userAgents.length)]}`,
      `X-Forwarded-For: 100.100.100.100`,
    ]
    const text = `${head.join('\r\n')}\r\n\r\n`
    return { bytes: Buffer.from(text, 'latin1'), nonceAt: text.indexOf('sub2=') + 5, addressAt: text.indexOf('100.100.') }
  })
}

/** What Chrome 130 on Windows sends beside its User-Agent. */
const CHROME = [
  'sec-ch-ua: "Chromium";v="130", "Google Chrome";v="130", "Not?A_Brand";v="99"',
  'sec-ch-ua-mobile: ?0',
  'sec-ch-ua-platform: "Windows"',
  'Upgrade-Insecure-Requests: 1',
  'Accept: text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7',
  'Sec-Fetch-Site: cross-site',
  'Sec-Fetch-Mode: navigate',
  'Sec-Fetch-User: ?1',
  'Sec-Fetch-Dest: document',
  'Referer: https://blog.example/',
  'Accept-Encoding: gzip, deflate, br, zstd',
  'Accept-Language: en-US,en;q=0.9,uk;q=0.8',
]

/** Writes the nonce and a random address in place; every part has three digits. */
function patch({ bytes, nonceAt, addressAt }: Prepared, nonce: number): void {
  let left = nonce
  for (let i = nonceAt + NONCE_DIGITS - 1; i >= nonceAt; i--) {
    const rest = (left / 10) | 0
    bytes[i] = 48 + left - rest * 10
    left = rest
  }
  let address = (Math.random() * 0x7fffffff) | 0
  for (let part = 0; part < 4; part++) {
    const at = addressAt + part * 4
    const value = address & 127
    address >>= 7
    bytes[at] = value < 100 ? 49 : 50
    const rest = value < 100 ? value : (value - 100) % 24
    bytes[at + 1] = 48 + ((rest / 10) | 0)
    bytes[at + 2] = 48 + (rest % 10)
  }
}

function random(below: number): number {
  return Math.floor(Math.random() * below)
}

for await (const line of createInterface({ input: process.stdin }))
  process.stdout.write(`${JSON.stringify(await runLoad(JSON.parse(line) as LoadOrder))}
`) // our own bench wrote it
