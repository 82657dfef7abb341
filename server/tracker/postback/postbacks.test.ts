import { readdir, readFile, rename } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { CLICK_ID_LENGTH, mintClickId, readClickIdKeys } from '#server/rules/click/click-id.ts'
import { startFakeApi, type FakeApi } from '#test/support/run/fake-api.ts'
import { removeFolder, startTracker, until, type TestTracker } from '#test/support/run/tracker.ts'

const CLICK = `cid=${'a'.repeat(CLICK_ID_LENGTH)}`

let api: FakeApi
let tracker: TestTracker
beforeEach(async () => {
  api = await startFakeApi()
  tracker = await startTracker(api)
})
afterEach(async () => {
  await tracker.stop()
  await api.stop().catch(() => {})
  await removeFolder(tracker.dataDir)
})
const send = async (query: string, init: RequestInit = {}) => {
  const response = await fetch(`${tracker.url}/postback?${query}`, init)
  return { status: response.status, body: (await response.json()) as { status: string } } // what the tracker and the fake api send
}
const TAKEN = { status: 200, body: { status: 'created' } }
/** In the order in which the api took them; what it gets a second time it knows by its id. */
const arrived = () => [...new Map(api.postbacks.map(({ id, query }) => [id, query])).values()]
const queries = () => api.postbacks.map((postback) => postback.query)

describe('postbacks', () => {
  it("go to the api whole, and its answer goes back with the api's status", async () => {
    api.answerPostback = (postback) =>
      postback.query.includes('bad')
        ? { status: 403, body: { status: 'refused', reason: 'token' } }
        : { status: 200, body: { status: 'created' } }
    expect(
      await send('click_id=a&amount=1%2E5', {
        method: 'POST',
        body: '{"x":1}',
        headers: { 'content-type': 'application/json', 'x-signature': 'abc', 'x-timestamp': '1', authorization: 'Bearer t', cookie: 'no' },
      }),
    ).toEqual({ status: 200, body: { status: 'created' } })
    expect(api.postbacks[0]).toMatchObject({
      method: 'POST',
      query: 'click_id=a&amount=1%2E5',
      body: '{"x":1}',
      content_type: 'application/json',
      ip: '127.0.0.1',
      headers: { 'x-signature': 'abc', 'x-timestamp': '1', authorization: 'Bearer t' },
    })
    expect(api.postbacks[0]?.headers).not.toHaveProperty('cookie')
    expect(await send('put', { method: 'PUT', body: 'a=1' })).toMatchObject({ status: 200 })
    expect(api.postbacks.at(-1)).toMatchObject({ method: 'PUT', body: 'a=1' })
    expect(await send('bad')).toEqual({ status: 403, body: { status: 'refused', reason: 'token' } })
    expect((await send('x', { method: 'POST', body: 'x'.repeat(70_000) })).status).toBe(413)
  })

  it.each(['/Postback', '/POSTBACK', '/postback/', '/PostBack/'])('on %s are those of our own path', async (path) => {
    const response = await fetch(`${tracker.url}${path}?${CLICK}&n=${'1'.repeat(17_000)}`)
    expect([response.status, await response.json()]).toEqual([TAKEN.status, TAKEN.body])
    expect(api.postbacks[0]?.path).toBe('/postback')
    await tracker.stop()
    expect(api.strays).toEqual([])
  })

  it('on what only begins so are on a path nobody serves', async () => {
    for (const path of ['/postback//', '/postbacks', '/postback/x', '/x/postback']) await fetch(`${tracker.url}${path}?n=1`)
    expect(api.postbacks.map(({ path }) => path)).toEqual(['/postback//', '/postbacks', '/postback/x', '/x/postback'])
  })

  it('wait on disk while the api is away, and arrive in order when it is back', async () => {
    await api.stop()
    for (let i = 0; i < 20; i++) expect(await send(`${CLICK}&n=${i}`)).toEqual({ status: 202, body: { status: 'queued' } })
    await tracker.stop()
    const folder = join(tracker.dataDir, 'spool', 't1')
    const files = (await readdir(folder)).filter((name) => name.startsWith('pb-'))
    expect(files.length).toBeGreaterThan(0)
    // as an earlier version left it behind
    for (const name of files.slice(-1)) await rename(join(folder, name), join(folder, name.replace(/seg$/, 'open')))
    tracker = await startTracker(api, {}, tracker.dataDir)
    expect((await send(`${CLICK}&n=20`)).status).toBe(202)
    await api.start()
    await until(() => api.postbacks.length >= 21)
    expect([...new Set(queries())]).toEqual(Array.from({ length: 21 }, (_value, index) => `${CLICK}&n=${index}`))
    await until(async () => (await send(`${CLICK}&n=after`)).status === 200)
    expect((await readdir(folder)).filter((name) => name.startsWith('pb-'))).toEqual([])
  })

  it('on other paths go to the api where they may be meant, and wait only with a click id of ours', async () => {
    const ours = mintClickId({ at: 1, offerId: 1, affiliateId: 1, random: 1 }, readClickIdKeys(api.snapshot.keys))
    await tracker.ready()
    api.answerPostback = () => ({ status: 404, body: { reason: 'path_unknown' } })
    const call = async (path: string, init: RequestInit = {}) => (await fetch(`${tracker.url}${path}`, init)).status
    expect(await call(`/key/postback?subid=${ours}&payout=5`)).toBe(404)
    expect(await call(`/conversion/clickref:${ours}/`)).toBe(404)
    expect(await call('/aff_lsr', { method: 'POST', body: `tid=${ours}` })).toBe(404)
    expect(await call('/p.ashx?t=somebody')).toBe(404)
    expect(api.postbacks.map(({ path, query, body }) => [path, query, body])).toEqual([
      ['/key/postback', `subid=${ours}&payout=5`, ''],
      [`/conversion/clickref:${ours}/`, '', ''],
      ['/aff_lsr', '', `tid=${ours}`],
      ['/p.ashx', 't=somebody', ''],
    ])
    // what browsers and scanners ask for, and what says nothing
    for (const path of ['/', '/favicon.ico', '/wp-login.php']) expect(await call(path)).toBe(404)
    expect(api.postbacks).toHaveLength(4)
    // by whatever method, on paths of clicks that are none, and on those of health
    const wrong: [string, RequestInit?][] = [
      [`/x?subid=${ours}`, { method: 'HEAD' }],
      [`/postback?click_id=${ours}`, { method: 'HEAD' }],
      [`/postback?click_id=${ours}`, { method: 'PATCH' }],
      [`/postback?click_id=${ours}`, { method: 'DELETE' }],
      [`/postback?click_id=${ours}`, { method: 'OPTIONS' }],
      [`/click?click_id=${ours}&token=t`],
      ['/click?postback=1&token=somebodys'],
      [`/c/none?click_id=${ours}`],
      [`/go/none?click_id=${ours}`],
    ]
    for (const [path, init] of wrong) {
      expect(await call(path, init), path).toBe(404)
      const { method, path: kept, query } = api.postbacks.at(-1) ?? {}
      expect([method, `${kept}?${query}`]).toEqual([init?.method ?? 'GET', path])
    }
    for (const path of [`/livez?click_id=${ours}`, `/readyz?token=somebodys`]) {
      expect(await call(path)).toBe(200)
      await until(() => `${api.postbacks.at(-1)?.path}?${api.postbacks.at(-1)?.query}` === path)
    }
    const kept = api.postbacks.length
    for (const path of ['/click?offer_id=x', '/c/none?utm_source=x', '/livez?a=1']) await call(path)
    expect(api.postbacks).toHaveLength(kept)
    for (let index = 0; index < 60; index++) await call(`/scan?n=${index}`)
    expect(api.postbacks.length).toBeLessThan(kept + 60)

    await api.stop()
    const forged = ours.replace(/^./, (first) => (first === '0' ? '1' : '0'))
    expect(await call(`/key/postback?subid=${forged}`)).toBe(404)
    expect(await call(`/key/postback?subid=${ours.toUpperCase()}`)).toBe(202)
    const before = api.postbacks.length
    await api.start()
    await until(() => api.postbacks.length > before)
    expect(api.postbacks.at(-1)).toMatchObject({ path: '/key/postback', query: `subid=${ours.toUpperCase()}` })

    // all but those that name a click of ours are counted, and handed over together
    expect(api.strays).toEqual([])
    await tracker.stop()
    expect(Object.fromEntries(api.strays.map(({ path, calls }) => [path, calls]))).toEqual({
      '/p.ashx': 1,
      '/': 1,
      '/favicon.ico': 1,
      '/wp-login.php': 1,
      '/scan': 60,
      '/click': 1,
      '/readyz': 1,
      '/key/postback': 1,
    })
  })

  it.each([
    [
      'letters',
      'status=approved&comment=перевірено',
      'status=approved&comment=%D0%BF%D0%B5%D1%80%D0%B5%D0%B2%D1%96%D1%80%D0%B5%D0%BD%D0%BE',
    ],
    ['a space', 'comment=a b  c&status=declined', 'comment=a%20b%20%20c&status=declined'],
    ['a sign HTML has made', 'payout=5¤cy=EUR', 'payout=5%C2%A4cy=EUR'],
  ])('are taken with %s in the address as it stands', async (_what, sent, query) => {
    expect(await raw(`GET /postback?${sent} HTTP/1.1\r\nHost: a\r\n\r\n`)).toMatch(/^HTTP\/1.1 200 OK\r\n[^]*Connection: close[^]*created/)
    expect(await raw(`POST /postback?${sent} HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\n${'a=1&'}`)).toMatch(/^HTTP\/1.1 200 OK/)
    expect(api.postbacks.map((one) => [one.method, one.query, one.body, one.ip])).toEqual([
      ['GET', query, '', '127.0.0.1'],
      ['POST', query, 'a=1&', '127.0.0.1'],
    ])
    // what is not whole is no call
    expect(await raw(`POST /postback?${sent} HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\na=1`)).toMatch(/^HTTP\/1.1 400/)
    expect(await raw(`GET /postback?${sent}\0 HTTP/1.1\r\nHost: a\r\n\r\n`)).toMatch(/^HTTP\/1.1 400/)
    expect(api.postbacks).toHaveLength(2)
  })

  it('are taken with an address of more than 16 KB', async () => {
    const query = `x=${'y'.repeat(40_000)}&status=declined`
    expect(await send(query)).toEqual(TAKEN)
    expect(api.postbacks[0]?.query).toBe(query)
    expect((await fetch(`${tracker.url}/click?${query}`)).status).toBe(414)
  })

  it('are queued when the api does not answer within a second, and keep their id', async () => {
    let silent = true
    const seen: string[] = []
    api.answerPostback = (postback) => {
      seen.push(postback.id)
      return silent ? null : { status: 200, body: {} }
    }
    const started = performance.now()
    expect((await send('slow=1')).status).toBe(202)
    expect(performance.now() - started).toBeLessThan(2500)
    silent = false
    await api.stop() // cuts what it would never answer
    await api.start()
    await until(() => api.postbacks.length > 0, 15_000)
    expect(new Set(seen).size).toBe(1)
  })

  it('queue behind one that waits, whatever they are about, and arrive in the order in which they came', async () => {
    api.answerPostback = ({ query }) => (query === 'first' ? null : TAKEN)
    expect((await send('first')).status).toBe(202)
    expect((await send('second')).status).toBe(202)
    const together = await Promise.all([3, 4, 5, 6].map((n) => send(`n=${n}`)))
    expect(together.map(({ status }) => status)).toEqual([202, 202, 202, 202])
    expect(api.postbacks).toEqual([])
    api.answerPostback = null
    await api.stop() // cuts what it would never answer
    await api.start()
    await until(async () => (await send('last')).status === 200)
    expect(arrived().slice(0, 2)).toEqual(['first', 'second'])
    expect(arrived().slice(2, 6).toSorted()).toEqual(['n=3', 'n=4', 'n=5', 'n=6'])
    expect(
      arrived()
        .slice(6)
        .every((query) => query === 'last'),
    ).toBe(true)
  })

  it('that come while the api hesitates wait how that ends, and do not overtake', async () => {
    let asked = 0
    api.answerPostback = ({ query }) => (query === 'n=1' ? (asked++, null) : TAKEN)
    const first = send('n=1')
    await until(() => asked > 0)
    const second = send('n=2')
    expect([(await first).status, (await second).status]).toEqual([202, 202])
    api.answerPostback = null
    await api.stop()
    await api.start()
    await until(() => arrived().length === 2)
    expect(arrived()).toEqual(['n=1', 'n=2'])
  })

  it('of an outage are handed over faster than a steady stream adds to them', { timeout: 60_000 }, async () => {
    await api.stop()
    for (let n = 0; n < 400; n += 100) await Promise.all(Array.from({ length: 100 }, (_value, index) => send(`n=${n + index}`)))
    await api.start()
    // ten more in the time of each request: handed over one by one, they would never come to an end
    const steady: ReturnType<typeof send>[] = []
    await until(async () => {
      while (steady.length < api.requests * 10) steady.push(send(`later=${steady.length}`))
      return (await steady.at(-1))?.status === 200
    }, 120_000)
    expect((await Promise.all(steady)).filter(({ status }) => status !== 200 && status !== 202)).toEqual([])
    await until(() => arrived().length === 400 + steady.length)
    expect(
      new Set(
        arrived()
          .slice(0, 400)
          .map((query) => query.split('=')[0]),
      ),
    ).toEqual(new Set(['n']))
  })

  it('that the api cannot take while it takes others are set aside, and hold nobody up', async () => {
    api.answerPostback = ({ query }) => (query === 'poison' ? 'failed' : TAKEN)
    expect((await send('poison')).status).toBe(202)
    expect((await send('n=1')).status).toBe(202)
    await until(() => arrived().includes('n=1'), 15_000)
    await until(async () => (await send('n=2')).status === 200, 15_000)
    const aside = await readFile(join(tracker.dataDir, 'spool', 't1', 'pb-refused.jsonl'), 'utf8')
    const lines = aside.trim().split('\n')
    expect(lines.map((line) => (JSON.parse(line) as { query: string }).query)).toEqual(['poison']) // what the tracker wrote
  })

  it('that all fail for what they say themselves are set aside, one by one, and what comes behind them is taken', async () => {
    api.answerPostback = ({ query }) => (query.startsWith('poison') ? 'faulty' : TAKEN)
    for (let n = 0; n < 30; n++) expect((await send(`poison=${n}`)).status).toBe(202)
    await until(async () => (await send('n=1')).status === 200, 30_000)
    const aside = await readFile(join(tracker.dataDir, 'spool', 't1', 'pb-refused.jsonl'), 'utf8')
    const queries = aside
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { query: string }).query) // what the tracker wrote
    expect(queries.toSorted()).toEqual(Array.from({ length: 30 }, (_none, n) => `poison=${n}`).toSorted())
  })

  it('that fail because the api is ill are kept until it is well, also when others recover first', async () => {
    const tries: string[] = []
    api.answerPostback = ({ query }) => (tries.push(query), 'failed')
    for (let n = 0; n < 10; n++) expect((await send(`n=${n}`)).status).toBe(202)
    await until(() => tries.filter((query) => query === 'n=0').length > 4)
    const slow = new Set(['n=0', 'n=3'])
    let rounds = 0
    api.answerPostback = ({ query }) => (slow.has(query) && rounds++ < 16 ? 'failed' : TAKEN)
    await until(() => arrived().length === 8)
    await until(async () => {
      await send('steady')
      return arrived().includes('n=0') && arrived().includes('n=3')
    }, 15_000)
    expect((await readdir(join(tracker.dataDir, 'spool', 't1'))).includes('pb-refused.jsonl')).toBe(false)
  })
})

/** Sends bytes as they are and reads what comes back until the end. */
function raw(bytes: string): Promise<string> {
  const socket = connect(Number(new URL(tracker.url).port), '127.0.0.1')
  socket.write(bytes)
  return text(socket)
}
