import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import type { Clicks } from '#server/tracker/core/clicks.ts'
import { Query } from '#server/tracker/core/query.ts'
import { createClickHeaders, LONGEST, TOLD, toldByHeaders, type ClickHeaders } from '#server/tracker/core/told.ts'
import { CLICK_HEADERS, readClickHeaders } from '#server/tracker/http/headers.ts'
import { createPlainServer, createTrackerServer } from '#server/tracker/http/http.ts'
import { readRequestHead, type RequestHead } from '#server/tracker/http/request-head.ts'

const stops: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const stop of stops) await stop()
})

/** Answers with what it was asked, some clicks later than others. */
const echo: Clicks = {
  click({ query, head, peer, headers }, visitor) {
    const { text } = query
    const seen = Buffer.from(JSON.stringify({ query: text, head, peer, ...readable(headers) })).toString('base64url')
    const answer = () => {
      if (text.includes('page')) visitor.answer(200, ['Content-Type', 'text/plain'], `ü ${seen}`)
      else visitor.redirect(text.includes('307') ? 307 : 302, `https://shop.example/${seen}`)
    }
    if (text.includes('late')) setTimeout(answer, 3)
    else if (text.includes('soon')) setImmediate(answer)
    else answer()
  },
  shortLink: (request, visitor) => echo.click(request, visitor),
  goOn: (_request, visitor, clickId) => visitor.redirect(302, `https://shop.example/${clickId}`),
  addressOf: () => '',
  areNamed: () => false,
  foreign: () => false,
  coded: () => false,
  kept: () => false,
}
const routes = {
  clicks: echo,
  postbacks: {
    async receive(request: AsyncIterable<unknown>) {
      let body = ''
      for await (const chunk of request) body += String(chunk)
      return { status: 200, body: JSON.stringify({ body }) }
    },
    receiveStray: async () => null,
    countStray: () => {},
    waiting: () => 0,
    close: async () => {},
  },
  isReady: () => true,
  mark: 'ohma-verification=test',
}

describe('what headers tell', () => {
  it.each([
    ['https://Blog.Example:8443/a/b?secret=1#x', 'blog.example:8443', '/a/b'],
    ['https://user:pass@blog.example', 'blog.example', ''],
    ['android-app://com.google.android.gm/', 'com.google.android.gm', '/'],
    ['https://blog.example/\\tab\tü', 'blog.example', '/tab'],
    ['about:blank', '', ''],
    ['', '', ''],
    [`https://${'h'.repeat(300)}/${'p'.repeat(300)}`, 'h'.repeat(LONGEST[TOLD.referrer]), `/${'p'.repeat(LONGEST[TOLD.referrerPath] - 1)}`],
  ])('of the referrer %s are host and path', (header, referrer, referrerPath) => {
    const headers = createClickHeaders()
    readClickHeaders(['Referer', header], headers)
    // a page is no hint
    expect(toldByHeaders(headers)).toEqual({ language: '', prefetch: false, referrer, referrerPath, hints: '' })
  })

  it('is printable ASCII without a backslash, and cut', () => {
    const headers = createClickHeaders()
    readClickHeaders(['Sec-CH-UA', '"Chromium";v="1\\30\u00ff\n"', 'Sec-CH-UA-Mobile', 'x'.repeat(9)], headers)
    expect(toldByHeaders(headers).hints).toBe('"Chromium";v="130"|xxxx|')
  })

  it('is a first language of two letters', () => {
    const languages = ['en-US,en;q=0.9', 'UK', 'fil-PH,en', '*', '', ' de', '1x'].map((header) => {
      const headers = createClickHeaders()
      readClickHeaders(['Accept-Language', header], headers)
      return toldByHeaders(headers).language
    })
    expect(languages).toEqual(['en', 'uk', '', '', '', 'de', ''])
  })
})

/** All that was read of the headers. */
function readable({ userAgent, forwardedFor, ...rest }: ClickHeaders) {
  return { userAgent, forwardedFor, ...toldByHeaders({ userAgent, forwardedFor, ...rest }) }
}

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port // it listens on TCP
}

/** Sends the parts one by one, each when `next` says so, and reads until the other side closes; the date is left out. */
function talk(port: number, parts: readonly string[], next: (answer: () => string, index: number) => Promise<void>): Promise<string> {
  return new Promise((resolve) => {
    let answer = ''
    const socket = connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen: true })
    socket.on('connect', async () => {
      for (const [index, part] of parts.entries()) {
        if (part === END) socket.end()
        else socket.write(part, 'latin1')
        await next(() => answer, index)
      }
    })
    socket.setEncoding('latin1').on('data', (chunk: string) => (answer += chunk))
    socket.on('end', () => socket.end())
    socket.on('error', () => {})
    socket.on('close', () => resolve(answer.replaceAll(/^Date: .*\r\n/gm, '')))
  })
}

/** As a part: the client says that no more will come. */
const END = ''
const atOnce = async () => {}
/** Lets the other side read every part on its own. */
const apart = () => new Promise<void>((resolve) => setTimeout(resolve, 1))
/** Sends the next request when this one is answered, or is not going to be. */
async function answered(answer: () => string, index: number): Promise<void> {
  for (let turn = 0; turn < 20 && (answer().match(/^HTTP/gm) ?? []).length <= index; turn++) await apart()
}

const query = fc.stringMatching(/^(offer_id=1|pid=5|page|307|late|soon|&|#|%41|[\x21-\x7e]|[\x80-\xff ]){0,6}$/)
const value = fc.oneof(
  { weight: 6, arbitrary: fc.stringMatching(/^[\t ]?[\x21-\x7e]([\t\x20-\x7e\xe9]{0,12}[\x21-\x7e])?[\t ]{0,2}$/) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('', ' ', '\u0000', 'a\rb', 'a\nb', '\u007f', '1', 'chunked', 'close', 'Keep-Alive', 'upgrade', 'prefetch'),
  },
)
const name = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.constantFrom(...CLICK_HEADERS, 'User-Agent', 'Accept-Language', 'X-Forwarded-For', 'Accept', 'Cookie', 'DNT', 'X_Y'),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'Connection',
      'Proxy-Connection',
      'Expect',
      'Upgrade',
      'Content-Length',
      'Transfer-Encoding',
      'TE',
      'Host',
      'Purpose',
      'X-Moz',
      'Bad Name',
      '',
    ),
  },
)
const header = fc.oneof(
  { weight: 8, arbitrary: fc.tuple(name, fc.constantFrom(':', ':', ':', ' :'), value).map((parts) => parts.join('')) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('Connection: close', 'Connection: keep-alive', 'Connection: KEEP-ALIVE', ' folded', '\tfolded', 'x'),
  },
)
const lineEnd = fc.oneof({ weight: 30, arbitrary: fc.constant('\r\n') }, { weight: 1, arbitrary: fc.constantFrom('\n', '\r', '\r\r\n') })
const request = fc
  .record({
    method: fc.oneof(
      { weight: 12, arbitrary: fc.constant('GET') },
      { weight: 1, arbitrary: fc.constantFrom('HEAD', 'POST', 'get', 'GET ') },
    ),
    path: fc.oneof(
      { weight: 12, arbitrary: fc.constant('/click?') },
      { weight: 1, arbitrary: fc.constantFrom('/click', '/c/abc?', '/go/x?', '/livez?', '/postback?', '//click?') },
    ),
    query,
    version: fc.oneof(
      { weight: 20, arbitrary: fc.constant('HTTP/1.1') },
      { weight: 1, arbitrary: fc.constantFrom('HTTP/1.0', 'HTTP/1.2', 'http/1.1', '') },
    ),
    host: fc.oneof({ weight: 12, arbitrary: fc.constant(['Host: track.example']) }, { weight: 1, arbitrary: fc.constant([]) }),
    headers: fc.array(header, { maxLength: 5 }),
    end: lineEnd,
  })
  .map(({ method, path, query: asked, version, host, headers, end }) =>
    [`${method} ${path}${asked} ${version}`, ...host, ...headers, '', ''].join(end),
  )

describe('the fast lane', () => {
  it('reads a head as node:http does, or leaves it alone', { timeout: 60_000 }, async () => {
    let seen: unknown = null
    const plain = createServer({ keepAliveTimeout: 30_000 }, (incoming, response) => {
      const headers = createClickHeaders()
      readClickHeaders(incoming.rawHeaders, headers)
      seen = {
        url: incoming.url,
        method: incoming.method,
        keepAlive: response.shouldKeepAlive,
        length: incoming.headers['content-length'],
        ...readable(headers),
      }
      response.end()
    })
    const port = await listen(plain)
    stops.push(async () => plain.close())
    const into: RequestHead = { query: new Query(), keepAlive: true, headers: createClickHeaders(), hostFrom: 0, hostTo: 0 }
    let read = 0
    await fc.assert(
      fc.asyncProperty(request, async (text) => {
        const bytes = Buffer.from(text, 'latin1')
        const end = readRequestHead(bytes, into)
        if (end === 0) return
        read++
        expect(end).toBe(bytes.length)
        const expected = {
          url: `/click?${into.query.text}`,
          method: 'GET',
          keepAlive: into.keepAlive,
          length: undefined,
          ...readable(into.headers),
        }
        seen = null
        await talk(port, [text, END], answered)
        expect(seen).toEqual(expected)
      }),
      { numRuns: 1500 },
    )
    expect(read).toBeGreaterThan(200)
  })

  it('answers as node:http alone does, request by request and however the bytes arrive', { timeout: 120_000 }, async () => {
    const plain = createPlainServer(routes)
    const { server, stop } = createTrackerServer(routes)
    const [plainPort, port] = [await listen(plain), await listen(server)]
    stops.push(
      () => stop(0),
      async () => plain.close(),
    )
    const ordinary = fc
      .constantFrom('soon', 'late', '307&x', 'page&late', 'a=%20')
      .map((text) => `GET /click?${text} HTTP/1.1\r\nHost: a\r\nUser-Agent: b\r\n\r\n`)
    const other = fc.constantFrom(
      'POST /postback HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello',
      'POST /postback HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n',
      'HEAD /click?x HTTP/1.1\r\nHost: a\r\n\r\n',
      'GET /livez HTTP/1.1\r\nHost: a\r\n\r\n',
      'GET /click?x HTTP/1.1\r\nHost: a\r\nPurpose: prefetch\r\n\r\n',
    )
    const several = fc.array(fc.oneof({ weight: 5, arbitrary: ordinary }, { weight: 1, arbitrary: other }), { maxLength: 5 })
    const compare = async (parts: readonly string[], next: Parameters<typeof talk>[2]) => {
      const [ours, theirs] = await Promise.all([talk(port, parts, next), talk(plainPort, parts, next)])
      expect(ours).toBe(theirs)
    }
    const numRuns = process.env['TORTURE'] ? 150 : 75
    await fc.assert(
      fc.asyncProperty(several, request, (first, odd) => compare([...first, odd, END], answered)),
      { numRuns },
    )
    const last = 'GET /click?last HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'
    await fc.assert(
      fc.asyncProperty(several, fc.array(fc.nat(400), { maxLength: 4 }), (requests, cuts) => {
        const text = [...requests, last].join('')
        const places = [...new Set([0, ...cuts.map((cut) => cut % text.length), text.length])].toSorted((a, b) => a - b)
        return compare(
          places.slice(1).map((place, index) => text.slice(places[index], place)),
          apart,
        )
      }),
      { numRuns },
    )
  })

  it('answers who closes his side behind the request', async () => {
    const { server, stop } = createTrackerServer(routes)
    const port = await listen(server)
    stops.push(() => stop(0))
    expect(await talk(port, ['GET /click?late HTTP/1.1\r\nHost: a\r\n\r\n', END], atOnce)).toMatch(/^HTTP\/1\.1 302 Found\r\n/)
    const two = await talk(port, ['GET /click?late HTTP/1.1\r\nHost: a\r\n\r\nGET /click?soon HTTP/1.1\r\nHost: a\r\n\r\n', END], atOnce)
    expect(two.match(/HTTP\/1\.1 302/g)).toHaveLength(2)
  })

  it('answers thousands of requests that come in one piece', { timeout: 60_000 }, async () => {
    const { server, stop } = createTrackerServer(routes)
    const port = await listen(server)
    stops.push(() => stop(0))
    const asked = 'GET /click?a HTTP/1.1\r\nHost: a\r\n\r\n'
    const answers = await talk(port, [asked.repeat(6000), END], atOnce)
    expect(answers.match(/HTTP\/1\.1 302/g)).toHaveLength(6000)
  })

  it('stops reading from who does not read', { timeout: 60_000 }, async () => {
    const { server, stop } = createTrackerServer(routes)
    const port = await listen(server)
    stops.push(() => stop(0))
    const socket = connect({ port, host: '127.0.0.1' })
    await once(socket, 'connect')
    socket.pause()
    const flood = Buffer.from(`GET /click?a=${'x'.repeat(4000)} HTTP/1.1\r\nHost: a\r\n\r\n`.repeat(16))
    let taken = 0
    while (taken < 400 && socket.write(flood)) taken++
    for (let i = 0; i < 400 && socket.writableLength < 20_000_000; i++) socket.write(flood)
    // The answers nobody takes hold up the questions: what the kernel does not hold stays with the sender.
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(socket.writableLength).toBeGreaterThan(1_000_000)
    socket.destroy()
  })
})
