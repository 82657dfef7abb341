import { setImmediate as nextTurn } from 'node:timers/promises'
import { readNetworkNames } from './network.ts'
import { readPlaceNames } from './place.ts'

export type GeoChoice = { value: string; label: string }
export type GeoKind = 'region' | 'city' | 'network'

/** What targeting by place and network can name. */
export type GeoChoices = {
  /**
   * Those whose name is a text, begins with it, or has a word that does, in this order; the network with that number
   * first. At most 20. A text without letters finds the regions of the countries, where there are any, and nothing else.
   */
  find(kind: GeoKind, search: string, countries?: readonly string[]): Promise<GeoChoice[]>
  /** What people call stored values; a value nobody knows is not in the map. */
  labels(kind: GeoKind, values: readonly string[]): Promise<Map<string, string>>
}

/** `words` in lower case, a space before each. */
type Known = GeoChoice & { words: string; country: string }
/** `byWord`: the names by how each of their words begins, so that a search reads a few thousands of them at most. */
type Names = { byValue: Map<string, Known>; byWord: Known[][] }
const MOST = 20
/** Lists by the first two, and by the first three letters of a word; what shares one by chance is told apart when read. */
const LISTS = 16_384
/** Lines read before others are served. */
const SLICE = 1000

/** Reads the names at the first question, in slices between which others are served; some 80 MB from then on. */
export function openGeoChoices(): GeoChoices {
  let loading: Promise<Record<GeoKind, Names>> | null = null
  const load = () => (loading ??= readChoices())
  return {
    async find(kind, search, countries = []) {
      const { byValue, byWord } = (await load())[kind]
      const isWithin = ({ country }: Known) => countries.length === 0 || country === '' || countries.includes(country)
      const words = wordsOf(search)
      if (words === '')
        return kind === 'region' && countries.length > 0 ? [...byValue.values()].filter(isWithin).slice(0, MOST).map(shown) : []
      const numbered = byValue.get(search.trim())
      const ranked: [Known[], Known[], Known[]] = [numbered ? [numbered] : [], [], []]
      for (const known of byWord[listOf(words, 1, 3)] ?? []) {
        const at = known.words.indexOf(words)
        if (at < 0 || known === numbered || !isWithin(known)) continue
        const names = ranked[known.words === words ? 0 : at === 0 ? 1 : 2]
        // few letters have long lists, in which names of as few come first
        if (names.push(known) >= MOST && at === 0 && words.length <= 4) break
      }
      return ranked.flat().slice(0, MOST).map(shown)
    },
    async labels(kind, values) {
      if (values.length === 0) return new Map()
      const { byValue } = (await load())[kind]
      return new Map(values.flatMap((value) => [byValue.get(value)].flatMap((one) => (one ? [[value, one.label] as const] : []))))
    },
  }
}

function shown({ value, label }: Known): GeoChoice {
  return { value, label }
}

function wordsOf(text: string): string {
  const lower = text.toLowerCase()
  // nearly all are so, and the tables of letters take time
  const plain = /^[a-z0-9]+( [a-z0-9]+)*$/.test(lower) ? lower : lower.replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ').trim()
  return plain && ` ${plain}`
}

async function readChoices(): Promise<Record<GeoKind, Names>> {
  const names = (): Names => ({ byValue: new Map(), byWord: Array.from({ length: LISTS }, () => []) })
  const known = { region: names(), city: names(), network: names() }
  for (const [index, line] of readPlaceNames().entries()) {
    if (index % SLICE === 0) await nextTurn()
    const [country = '', region = '', city = ''] = line.split('\t')
    if (region === '') continue
    const within = `${country}/${region}`
    add(known.region, { value: within, label: `${region}, ${country}`, words: wordsOf(region), country })
    if (city !== '') add(known.city, { value: `${within}/${city}`, label: `${city}, ${region}, ${country}`, words: wordsOf(city), country })
  }
  for (const [index, line] of readNetworkNames().entries()) {
    if (index % SLICE === 0) await nextTurn()
    const [value = '', label = ''] = line.split('\t')
    add(known.network, { value, label, words: wordsOf(label), country: '' })
  }
  return known
}

function add({ byValue, byWord }: Names, known: Known): void {
  if (byValue.has(known.value)) return
  byValue.set(known.value, known)
  const { words } = known
  for (let at = 0; at >= 0; at = words.indexOf(' ', at + 1)) {
    for (const letters of [2, 3]) {
      const list = byWord[listOf(words, at + 1, letters)]
      if (list === undefined || list.at(-1) === known || list[0] === known) continue
      if (words.length <= 4) list.unshift(known)
      else list.push(known)
    }
  }
}

function listOf(words: string, at: number, letters: number): number {
  let number = 0
  for (let i = at; i < at + letters && i < words.length; i++) number = (number * 31 + words.charCodeAt(i)) % LISTS
  return number
}
