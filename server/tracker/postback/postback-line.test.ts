import { mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { mintClickId, readClickIdKeys } from '#server/rules/click/click-id.ts'
import { snapshotOf, startFakeApi, type FakeApi } from '#test/support/fake-api.ts'
import { removeFolder, startTracker, until, type TestTracker } from '#test/support/tracker.ts'

const keys = readClickIdKeys(snapshotOf().keys)
const clickId = (random: number) => mintClickId({ at: 1_772_359_200_123, offerId: 1, affiliateId: 5, random }, keys)
const [X, Y, Z] = [clickId(1), clickId(2), clickId(3)]
const TAKEN = { status: 200, body: { status: 'created' } }

let api: FakeApi
let dataDir: string
beforeEach(async () => {
  api = await startFakeApi()
  dataDir = await mkdtemp(join(tmpdir(), 'postback-line-'))
})
afterEach(async () => {
  await api.stop().catch(() => {})
  await removeFolder(dataDir)
})
const ask = async (url: string, query: string) => (await fetch(`${url}/postback?${query}`)).status
/** In the order in which the api took them; what it gets a second time it knows by its id. */
const taken = () => [...new Map(api.postbacks.map(({ id, query }) => [id, query])).values()]

describe('past postbacks that wait', () => {
  let tracker: TestTracker
  beforeEach(async () => {
    tracker = await startTracker(api, {}, dataDir)
  })
  afterEach(() => tracker.stop())
  const send = (query: string) => ask(tracker.url, query)
  /** The api does not answer what `waits` names. */
  const silentAbout = (waits: string) => {
    api.answerPostback = ({ query }) => (query.includes(waits) ? null : TAKEN)
  }
  const restart = async () => {
    await api.stop() // cuts what it would never answer
    await tracker.stop()
    await api.start()
    tracker = await startTracker(api, {}, dataDir)
  }

  it('go those of another click and transaction, and no others', { timeout: 60_000 }, async () => {
    silentAbout('wait')
    expect(await send(`cid=${X}&txn_id=T1&wait`)).toBe(202)
    expect(await send(`cid=${Y}&txn_id=T2`)).toBe(200)
    expect(await send(`click_id=${X.toUpperCase()}&n=2`)).toBe(202)
    expect(await send(`click_id=%${X.charCodeAt(0).toString(16)}${X.slice(1)}&n=3`)).toBe(202)
    expect(await send(`click_id=${Z}&order_id=T1`)).toBe(202)
    // it names no click, so that it changes nothing
    expect(await send('click_id=unreadable')).toBe(200)
    expect(await send(`cid=${Y}&txn_id=T2&n=2`)).toBe(200)
    await restart()
    expect(await send(`cid=${Y}&txn_id=T2&n=3`)).toBe(200)
    expect(await send(`cid=${X}&n=4`)).toBe(202)
    expect(await send(`cid=${Z}&n=5`)).toBe(202)
    api.answerPostback = null
    await api.stop()
    await api.start()
    await until(async () => (await send(`cid=${X}&n=last`)) === 200, 20_000)
    const late = taken().filter((query) => !query.includes(Y) && !query.includes('n=last'))
    const about = (...words: string[]) => late.filter((query) => words.some((word) => query.toLowerCase().includes(word)))
    expect(about(X, X.slice(1)).map((query) => /n=\d|wait/.exec(query)?.[0])).toEqual(['wait', 'n=2', 'n=3', 'n=4'])
    expect(about('=t1').map((query) => query.includes(Z))).toEqual([false, true])
    expect(about(Z)).toEqual([`click_id=${Z}&order_id=T1`, `cid=${Z}&n=5`])
    expect(late).toHaveLength(7)
  })

  it('goes the first one as soon as the api is back, and takes them along', { timeout: 60_000 }, async () => {
    await api.stop()
    expect(await send(`cid=${X}`)).toBe(202)
    // after a while away it is asked every five seconds only
    const since = performance.now()
    await until(async () => (await send(`cid=${Z}`)) === 202 && performance.now() - since > 3_000)
    await api.start()
    const answers = await Promise.all(Array.from({ length: 10 }, (_value, index) => send(`cid=${clickId(100 + index)}`)))
    expect(answers).toEqual(answers.map(() => 200))
    await until(() => taken().includes(`cid=${X}`), 1_000)
  })

  it('goes none whose click is being handed over: it waits how that ends', { timeout: 60_000 }, async () => {
    let asked = 0
    api.answerPostback = ({ query }) => (query.includes('n=1') ? (asked++, null) : TAKEN)
    const first = send(`cid=${X}&n=1`)
    await until(() => asked > 0)
    const second = send(`cid=${X}&n=2`)
    expect(await send(`cid=${Y}`)).toBe(200)
    expect([await first, await second]).toEqual([202, 202])
    api.answerPostback = null
    await until(() => taken().length === 3, 20_000)
    expect(taken().slice(1)).toEqual([`cid=${X}&n=1`, `cid=${X}&n=2`])
  })

  it('goes none when the api cannot take an earlier one of its click, until that was set aside', { timeout: 60_000 }, async () => {
    let well = false
    api.answerPostback = ({ query }) => (query.includes('poison') || (!well && query.includes('ill')) ? 'broken' : TAKEN)
    expect(await send(`cid=${X}&ill`)).toBe(202)
    expect(await send(`cid=${X}&n=2`)).toBe(202)
    well = true
    await until(() => taken().length === 2, 20_000)
    expect(taken()).toEqual([`cid=${X}&ill`, `cid=${X}&n=2`])
    expect(await send(`cid=${X}&poison`)).toBe(202)
    expect(await send(`cid=${X}&n=3`)).toBe(202)
    expect(await send(`cid=${Y}`)).toBe(200)
    await until(() => taken().includes(`cid=${X}&n=3`), 20_000)
    expect(await readFile(join(dataDir, 'spool/t1/pb-refused.jsonl'), 'utf8')).toContain('poison')
  })
})
