import { openNetworks } from '#server/platform/geo/network.ts'
import { openPlaces } from '#server/platform/geo/place.ts'
import { giveWay } from '#server/platform/process/priority.ts'

/** Compiles what trackers look up addresses in, where that was not done before, and has nothing left to do. */
export async function run(): Promise<{ stop(): Promise<void> }> {
  // to the databases and the demo network, which are waited for longest
  giveWay()
  openPlaces()
  openNetworks()
  return { stop: async () => {} }
}
