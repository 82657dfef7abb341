import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { mintClickId, readClickIdKeys } from '#server/rules/click/click-id.ts'
import { snapshotOf, startFakeApi } from '#test/support/fake-api.ts'
import { removeFolder, trackerEnv, until } from '#test/support/tracker.ts'
import { startChild } from './child.ts'

const CLICKS = 12
const ROUNDS = process.env['TORTURE'] ? 20 : 1
const keys = readClickIdKeys(snapshotOf().keys)
const clickId = (random: number) => mintClickId({ at: 1_772_359_200_123, offerId: 1, affiliateId: 5, random }, keys)

test('a tracker that is killed while postbacks wait loses none, and keeps those of each click in order', { timeout: 120_000 }, async () => {
  const api = await startFakeApi()
  const dataDir = await mkdtemp(join(tmpdir(), 'postback-kill-'))
  const env = await trackerEnv(dataDir, api)
  let child = startChild('tracker', env)
  await child.ready
  let trouble = true
  // the api breaks off at some, and cannot take others at first
  const tries = new Map<string, number>()
  api.answerPostback = ({ id, query }) => {
    const [, step = 0] = numbersOf(query)
    const tried = tries.get(id) ?? 0
    tries.set(id, tried + 1)
    if (!trouble || tried > 0) return { status: 200, body: { status: 'created' } }
    if (step % 50 === 49) return 'cut'
    return step % 50 === 25 ? 'failed' : { status: 200, body: { status: 'created' } }
  }
  const load = startAdvertisers(`http://127.0.0.1:${env['TRACKER_PORT']}`)
  const queued = () => load.answers.filter(({ status }) => status === 202).length
  for (let round = 0; round < ROUNDS; round++) {
    const enough = queued() + 5 + Math.floor(Math.random() * 100)
    await until(() => queued() > enough, 30_000)
    await api.stop()
    child.signal('SIGKILL')
    await child.exited
    await api.start()
    child = startChild('tracker', env)
    await child.ready
  }
  trouble = false
  await api.stop()
  await api.start()
  const sent = await load.stop()
  const arrived = () => new Set(api.postbacks.map(({ query }) => query))
  await until(() => new Set(sent).isSubsetOf(arrived()), 60_000)
  await child.stop(10_000)
  await api.stop()
  await removeFolder(dataDir)

  expect(new Set(load.answers.map(({ status }) => status))).toEqual(new Set([200, 202]))
  // the api knows what comes a second time by its id
  const taken = [...new Map(api.postbacks.map(({ id, query }) => [id, numbersOf(query)])).values()]
  for (let click = 0; click < CLICKS; click++) {
    const steps = taken.flatMap(([of, step = 0]) => (of === click ? [step] : []))
    expect(steps).toEqual(steps.toSorted((a, b) => a - b))
  }
})

/** Each sends the postbacks of one click, the next when the one before was taken, and again what nobody answered. */
function startAdvertisers(url: string): { answers: { click: number; status: number }[]; stop(): Promise<string[]> } {
  const answers: { click: number; status: number }[] = []
  const sent: string[] = []
  let stopping = false
  const advertise = async (click: number) => {
    for (let step = 0; !stopping; step++) {
      const query = `cid=${clickId(click)}&n=${click}.${step}`
      let status = 0
      while (status === 0) status = await fetch(`${url}/postback?${query}`).then((response) => response.status, waitAndMiss)
      answers.push({ click, status })
      sent.push(query)
    }
  }
  const running = Array.from({ length: CLICKS }, (_value, click) => advertise(click))
  return {
    answers,
    async stop() {
      stopping = true
      await Promise.all(running)
      return sent
    },
  }
}

function numbersOf(query: string): number[] {
  return /n=(\d+)\.(\d+)/.exec(query)?.slice(1).map(Number) ?? []
}

/** Between two attempts at a tracker that is not there. */
function waitAndMiss(): Promise<number> {
  return new Promise((resolve) => setTimeout(resolve, 20, 0))
}
