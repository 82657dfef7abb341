import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { compareBooks, type Differences } from './books.ts'
import { until } from '../run/instance.ts'
import { makeTrafficPlace, type Network, type NetworkProcess } from '../run/network.ts'
import { CLICKS_PER_SECOND, startTraffic, type Traffic } from './traffic-load.ts'

/** On a machine with much else to do; a sound network needs a few seconds. */
const ARRIVES_WITHIN_MS = 120_000

/**
 * Kills processes of a whole network under traffic, each `rounds` times at random moments, lets them come back, and
 * compares what was sent with the books. All kills share one traffic: its beginning and end take longer than a round.
 */
export async function killRounds(
  network: Network,
  victims: readonly NetworkProcess[],
  rounds: number,
): Promise<{ seen: Traffic; differences: Differences }> {
  const place = await makeTrafficPlace(network.db, network.trackerPort)
  const load = startTraffic({ ...place, trackerPort: network.trackerPort, clicksPerSecond: CLICKS_PER_SECOND, postbacksPerSecond: 15 })
  try {
    await killInTurn(network, load.seen, victims, rounds)
  } finally {
    await load.stop()
  }
  return { seen: load.seen, differences: await compareBooks({ ...network, ...place }, load.seen, ARRIVES_WITHIN_MS) }
}

/** What kills and starts again: a network without a supervisor, or a whole instance. */
type Killable = Pick<Network, 'dataDir' | 'kill'>

/** Kills the victims one after the other, `rounds` times, amid traffic that runs before and after each kill. */
export async function killInTurn(network: Killable, { redirected }: Traffic, victims: readonly NetworkProcess[], rounds: number) {
  for (const [kill, victim] of Array.from({ length: rounds }, () => victims)
    .flat()
    .entries()) {
    // 0.1 to 1.1 s of traffic, so that the kill falls into any part of a segment's or a batch's life
    const enough = redirected.size + CLICKS_PER_SECOND * (0.1 + Math.random())
    await until('more clicks were redirected', () => redirected.size >= enough, 120_000)
    await (victim === 'ingester' && kill < victims.length ? killAmidInsert(network) : network.kill(victim))
  }
  const enough = redirected.size + CLICKS_PER_SECOND / 3
  await until('clicks are redirected after the last kill', () => redirected.size >= enough, 120_000)
}

/**
 * Kills the ingester with a segment in its hands that it cannot get rid of, because the engine is away: one deleted before
 * its insert is lost then. At a random moment an insert is too short to be met.
 */
async function killAmidInsert(network: Killable): Promise<void> {
  const [oldest = ''] = (await segments(network.dataDir, '.open')).toSorted()
  const eventsBack = network.kill('events')
  try {
    // Of the segments sealed since, the ingester holds the first; the next is left lying.
    await until('a second segment waits', async () => (await segments(network.dataDir, '.seg')).some((id) => id > oldest))
    await network.kill('ingester')
  } finally {
    await eventsBack
  }
}

async function segments(dataDir: string, end: '.open' | '.seg'): Promise<string[]> {
  const names = await readdir(join(dataDir, 'spool', 't1'))
  return names.filter((name) => name.startsWith('t1-') && name.endsWith(end)).map((name) => name.slice(0, -end.length))
}
