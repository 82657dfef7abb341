import { setImmediate as nextTurn } from 'node:timers/promises'
import { readNetworkNames } from './network.ts'
import { readPlaceNames } from './place.ts'

export type GeoChoice = { value: string; label: string }
export type GeoKind = 'region' | 'city' | 'network'

/** What targeting by place and network can name. */
export type GeoChoices = {
  /** Those whose name begins with, then those that hold, a text; of networks also the one with that number. At most 20. */
  find(kind: GeoKind, search: string, countries?: readonly string[]): Promise<GeoChoice[]>
  /** What people call stored values; a value nobody knows is not in the map. */
  labels(kind: GeoKind, values: readonly string[]): Promise<Map<string, string>>
}

type Known = GeoChoice & { searched: string; country: string }
const MOST = 20
/** Lines read before others are served. */
const SLICE = 2000

/** Reads the names at the first question, in slices between which others are served; some 60 MB from then on. */
export function openGeoChoices(): GeoChoices {
  let loading: Promise<Record<GeoKind, Map<string, Known>>> | null = null
  const load = () => (loading ??= readChoices())
  return {
    async find(kind, search, countries = []) {
      const text = search.trim().toLowerCase()
      const beginning: GeoChoice[] = []
      const holding: GeoChoice[] = []
      for (const { value, label, searched, country } of (await load())[kind].values()) {
        if (countries.length > 0 && country !== '' && !countries.includes(country)) continue
        const at = value === text ? 0 : searched.indexOf(text)
        if (at === 0 && beginning.push({ value, label }) === MOST) break
        if (at > 0 && holding.length < MOST) holding.push({ value, label })
      }
      return [...beginning, ...holding].slice(0, MOST)
    },
    async labels(kind, values) {
      if (values.length === 0) return new Map()
      const known = (await load())[kind]
      return new Map(values.flatMap((value) => [known.get(value)].flatMap((one) => (one ? [[value, one.label] as const] : []))))
    },
  }
}

async function readChoices(): Promise<Record<GeoKind, Map<string, Known>>> {
  const known = { region: new Map<string, Known>(), city: new Map<string, Known>(), network: new Map<string, Known>() }
  for (const [index, line] of readPlaceNames().entries()) {
    if (index % SLICE === 0) await nextTurn()
    const [country = '', region = '', city = ''] = line.split('\t')
    if (region === '') continue
    const within = `${country}/${region}`
    known.region.set(within, { value: within, label: `${region}, ${country}`, searched: region.toLowerCase(), country })
    if (city === '') continue
    const value = `${within}/${city}`
    known.city.set(value, { value, label: `${city}, ${region}, ${country}`, searched: city.toLowerCase(), country })
  }
  for (const [index, line] of readNetworkNames().entries()) {
    if (index % SLICE === 0) await nextTurn()
    const [value = '', label = ''] = line.split('\t')
    known.network.set(value, { value, label, searched: label.toLowerCase(), country: '' })
  }
  return known
}
