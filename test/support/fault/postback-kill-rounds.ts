import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startChild } from '#server/processes/supervisor/child.ts'
import { mintClickId, readClickIdKeys } from '#server/rules/click/click-id.ts'
import { TRACKING_KEYS } from '../make/snapshot.ts'
import { startFakeApi } from '../run/fake-api.ts'
import { removeFolder, trackerEnv, until } from '../run/tracker.ts'

const CLICKS = 12
const TAKEN = { status: 200, body: { status: 'created' } }

/**
 * Kills a tracker `rounds` times while postbacks wait and the api breaks off at some and cannot take others at first.
 * Answers what the advertisers were answered, and of each click the steps in the order in which the api took them.
 */
export async function killWhilePostbacksWait(rounds: number): Promise<{ statuses: Set<number>; steps: number[][] }> {
  const api = await startFakeApi()
  const dataDir = await mkdtemp(join(tmpdir(), 'postback-kill-'))
  const env = await trackerEnv(dataDir, api)
  let child = startChild('tracker', env)
  await child.ready
  let trouble = true
  const tried = new Set<string>()
  const failedIn = new Map<number, number>()
  api.answerPostback = ({ id, query }) => {
    const [click = 0, step = 0] = numbersOf(query)
    // as the real one does it with those about one click
    if (failedIn.get(click) === api.requests) return 'later'
    if (!trouble || tried.has(id)) return TAKEN
    tried.add(id)
    if (step % 50 === 49) return 'cut'
    if (step % 50 !== 25) return TAKEN
    failedIn.set(click, api.requests)
    return 'failed'
  }
  const load = startAdvertisers(`http://127.0.0.1:${env['TRACKER_PORT']}`)
  const queued = () => load.answers.filter(({ status }) => status === 202).length
  for (let round = 0; round < rounds; round++) {
    const enough = queued() + 5 + Math.floor(Math.random() * 100)
    await until(() => queued() > enough, 120_000)
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

  // the api knows what comes a second time by its id
  const taken = [...new Map(api.postbacks.map(({ id, query }) => [id, numbersOf(query)])).values()]
  const steps = Array.from({ length: CLICKS }, (_value, click) => taken.flatMap(([of, step = 0]) => (of === click ? [step] : [])))
  return { statuses: new Set(load.answers.map(({ status }) => status)), steps }
}

const keys = readClickIdKeys(TRACKING_KEYS)
const clickId = (random: number) => mintClickId({ at: 1_772_359_200_123, offerId: 1, affiliateId: 5, random }, keys)

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
