import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { CLICK_ID_LENGTH } from '#server/rules/click/click-id.ts'
import { startFakeApi, type FakeApi } from '#test/support/fake-api.ts'
import { removeFolder, startTracker, until, type TestTracker } from '#test/support/tracker.ts'

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
        headers: { 'content-type': 'application/json', 'x-signature': 'abc', 'x-timestamp': '1', cookie: 'no' },
      }),
    ).toEqual({ status: 200, body: { status: 'created' } })
    expect(api.postbacks[0]).toMatchObject({
      method: 'POST',
      query: 'click_id=a&amount=1%2E5',
      body: '{"x":1}',
      content_type: 'application/json',
      ip: '127.0.0.1',
      headers: { 'x-signature': 'abc', 'x-timestamp': '1' },
    })
    expect(api.postbacks[0]?.headers).not.toHaveProperty('cookie')
    expect(await send('bad')).toEqual({ status: 403, body: { status: 'refused', reason: 'token' } })
    expect((await send('x', { method: 'POST', body: 'x'.repeat(70_000) })).status).toBe(413)
  })

  it('wait on disk while the api is away, and arrive in order when it is back', async () => {
    await api.stop()
    for (let i = 0; i < 20; i++) expect(await send(`${CLICK}&n=${i}`)).toEqual({ status: 202, body: { status: 'queued' } })
    await tracker.stop()
    expect((await readdir(join(tracker.dataDir, 'spool', 't1'))).filter((name) => name.startsWith('pb-')).length).toBeGreaterThan(0)
    tracker = await startTracker(api, {}, tracker.dataDir)
    expect((await send(`${CLICK}&n=20`)).status).toBe(202)
    await api.start()
    await until(() => api.postbacks.length >= 21)
    expect([...new Set(queries())]).toEqual(Array.from({ length: 21 }, (_value, index) => `${CLICK}&n=${index}`))
    await until(async () => (await send(`${CLICK}&n=after`)).status === 200)
    expect((await readdir(join(tracker.dataDir, 'spool', 't1'))).filter((name) => name.startsWith('pb-') && name.endsWith('.seg'))).toEqual(
      [],
    )
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
    await until(() => api.postbacks.length > 0, 15_000)
    expect(new Set(seen).size).toBe(1)
  })

  it('that the api cannot take while it takes others are set aside, and hold nobody up', async () => {
    api.answerPostback = (postback) => (postback.query === `${CLICK}&n=poison` ? 'broken' : { status: 200, body: { status: 'created' } })
    expect((await send(`${CLICK}&n=poison`)).status).toBe(202)
    expect((await send(`${CLICK}&n=1`)).status).toBe(202)
    expect((await send('n=other')).status).toBe(200)
    await until(() => queries().includes(`${CLICK}&n=1`), 15_000)
    await until(async () => (await send(`${CLICK}&n=2`)).status === 200, 15_000)
    const aside = await readFile(join(tracker.dataDir, 'spool', 't1', 'pb-refused.jsonl'), 'utf8')
    expect(
      aside
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { query: string }).query),
    ).toEqual([`${CLICK}&n=poison`]) // what the tracker wrote
  })
})
