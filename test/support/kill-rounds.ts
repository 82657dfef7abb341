import { compareBooks, type Differences } from './books.ts'
import { until } from './instance.ts'
import { makeTrafficPlace, type Network, type NetworkProcess } from './network.ts'
import { startTraffic, type Traffic } from './traffic-load.ts'

/**
 * Kills one process of a whole network under traffic, `rounds` times at random moments, lets it come back, and compares
 * what was sent with the books.
 */
export async function killRounds(
  network: Network,
  victim: NetworkProcess,
  rounds: number,
): Promise<{ seen: Traffic; differences: Differences }> {
  const place = await makeTrafficPlace(network.db, network.trackerPort)
  const load = startTraffic({ ...place, trackerPort: network.trackerPort, clicksPerSecond: 400, postbacksPerSecond: 25 })
  try {
    for (let round = 0; round < rounds; round++) {
      // 0.1 to 1.1 s of traffic, so that the kill falls into any part of a segment's or a batch's life
      const enough = load.seen.redirected.size + 40 + Math.floor(Math.random() * 400)
      await until('more clicks were redirected', () => load.seen.redirected.size >= enough, 30_000)
      await network.kill(victim)
    }
    const enough = load.seen.redirected.size + 100
    await until('clicks are redirected after the last kill', () => load.seen.redirected.size >= enough, 30_000)
  } finally {
    await load.stop()
  }
  return { seen: load.seen, differences: await compareBooks({ ...network, ...place }, load.seen) }
}
