import { getPriority, setPriority } from 'node:os'
import { openNetworks } from '#server/platform/geo/network.ts'
import { openPlaces } from '#server/platform/geo/place.ts'

/** So much it gives way to the databases and the demo network, which are waited for longest. */
const NICE = 10

/** Compiles what trackers look up addresses in, where that was not done before, and has nothing left to do. */
export async function run(): Promise<{ stop(): Promise<void> }> {
  setPriority(getPriority() + NICE)
  openPlaces()
  openNetworks()
  return { stop: async () => {} }
}
