import { MEASUREMENT } from './measurement.ts'
import { NETWORKS } from './networks.ts'
import type { Preset } from './preset.ts'
import { SHOPS } from './shops.ts'
import { TRACKERS } from './trackers.ts'

/** Every preset there is, in the order in which people choose. */
export const PRESETS: readonly Preset[] = [...NETWORKS, ...TRACKERS, ...MEASUREMENT, ...SHOPS]

/** The preset of that id. */
export function findPreset(id: string): Preset | undefined {
  return PRESETS.find((one) => one.id === id)
}
