import { log } from '../log.ts'

/** Something to be sent to a host. */
export type Sendable = { uuid: string; host: string }
/** How many more requests a host takes now; those that are not named have all their places. */
export type HostLoad = { host: string; free: number }
export type Places = { perHost: number; loads: readonly HostLoad[]; limit: number }

export type Deliverer = {
  /** Starts what is due and has a place; answers how many. */
  tick(): Promise<number>
  /** Resolves when nothing is under way any more. */
  idle(): Promise<void>
}

/**
 * Sends what is due to many hosts. A host has a few places, so that slow ones keep nobody else waiting, and one after it failed.
 * `claim` leases what is due within the places; `deliver` sends and settles one, and answers whether it arrived.
 */
export function openDeliverer<Delivery extends Sendable>(parts: {
  claim(places: Places): Promise<Delivery[]>
  deliver(delivery: Delivery): Promise<boolean>
  /** Requests under way at once, in all and to one host. */
  atOnce?: number | undefined
  perHost?: number | undefined
}): Deliverer {
  const { atOnce = 600, perHost = 4 } = parts
  const hosts = new Map<string, { active: number; troubled: boolean }>()
  const running = new Set<Promise<void>>()

  const deliver = async (delivery: Delivery) => {
    const host = hosts.get(delivery.host) ?? { active: 0, troubled: false }
    hosts.set(delivery.host, host)
    host.active++
    try {
      host.troubled = !(await parts.deliver(delivery))
    } catch (error) {
      // its lease runs out and it is tried again
      log.error({ err: error, delivery: delivery.uuid }, 'a delivery could not be settled')
    } finally {
      host.active--
      if (host.active === 0 && !host.troubled) hosts.delete(delivery.host)
    }
  }

  return {
    async tick() {
      const limit = atOnce - running.size
      if (limit <= 0) return 0
      const loads = [...hosts].map(([host, { active, troubled }]) => ({ host, free: Math.max(0, (troubled ? 1 : perHost) - active) }))
      const due = await parts.claim({ perHost, loads, limit })
      for (const delivery of due) {
        const work = deliver(delivery)
        running.add(work)
        void work.finally(() => running.delete(work))
      }
      // hosts that failed long ago are forgotten
      if (hosts.size > 10_000) for (const [host, { active }] of hosts) if (active === 0) hosts.delete(host)
      return due.length
    },
    async idle() {
      while (running.size > 0) await Promise.all(running)
    },
  }
}

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
/** The pauses between ten tries, just under 24 hours together; each is stretched or shortened by up to a fifth. */
const PAUSES = [10 * SECOND, MINUTE, 5 * MINUTE, 15 * MINUTE, 30 * MINUTE, HOUR, 3 * HOUR, 7 * HOUR, 12 * HOUR]

/** When something that failed after so many tries is tried again; null = never. */
export function nextTry(tries: number, now: number, random: () => number): number | null {
  const pause = PAUSES[tries]
  return pause === undefined ? null : now + pause * (0.8 + 0.4 * random())
}
