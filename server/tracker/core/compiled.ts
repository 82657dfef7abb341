import { COUNTRY_NUMBERS, countryNumber } from '#server/platform/geo/country.ts'
import { MAX_ID } from '#server/rules/click/click-id.ts'
import { REFUSAL_GROUPS, type RefusalGroup } from '#contract/traffic/refusal.ts'
import type { NetworkTrafficback, SnapshotLink, SnapshotOffer, TargetSet } from '#server/rules/offer/snapshot.ts'
import { BROWSERS, DEVICES, OPERATING_SYSTEMS } from '#server/rules/click/user-agent.ts'
import { encodeValue } from '#contract/traffic/macro-template.ts'
import { compileProgram } from './program.ts'

/**
 * The snapshot laid out for the core: one row of 16 integers per offer, URLs as programs in one array of bytes, sets as
 * bytes or bits. Objects would cost a cache miss per field, which is most of a click's time.
 */
export type CompiledSnapshot = {
  /** By affiliate id: 0 unknown, 1 inactive, 2 active. */
  affiliates: Uint8Array
  /** By offer id: its row, 0 = unknown. Row 0 is empty. */
  rows: Int32Array
  /** ROW integers per row, see FIELD. */
  fields: Int32Array
  /** Per row: start, stop, cap until. */
  times: Float64Array
  /** Programs of URLs (program.ts), addressed by offset. */
  programs: Uint8Array
  access: (ReadonlySet<number> | null)[]
  denied: (ReadonlySet<number> | null)[]
  /** Until when own caps of affiliates are full. */
  capped: (ReadonlyMap<number, number> | null)[]
  geo: (Uint8Array | null)[]
  language: (Uint8Array | null)[]
  landings: (readonly CompiledLanding[])[]
  /**
   * The network's trafficback, then one for each group of reasons in the order of TRAFFICBACK_SLOTS: 0 = none, -1 = only
   * the plain path can expand it.
   */
  trafficback: Int32Array
  /** Short links: the query they stand for. */
  links: Map<string, string>
}

export type CompiledLanding = { id: number; active: boolean; prelanding: boolean; private: boolean; weight: number; program: number }

export const ROW = 16
export const FIELD = { flags: 0, advertiser: 1, url: 2, trafficback: 3, devices: 4, systems: 5, browsers: 6, landingWeight: 7 } as const
export const FLAG = {
  active: 1,
  advertiserActive: 2,
  open: 4,
  dated: 8,
  capped: 16,
  geo: 32,
  language: 64,
  denied: 128,
  landings: 256,
  /** Needs the plain path: pre-landings, leads without a landing for everybody, rare targeting or macros, an unusually long URL. */
  plain: 512,
  redirect: 1024, // two bits: position in REDIRECTS
  creditBlocked: 4096,
} as const
export const REDIRECTS = ['302', '307', 'meta', 'meta_no_referrer'] as const satisfies readonly SnapshotOffer['redirect'][]

// the keys of a constant are its own names
const GROUPS = Object.keys(REFUSAL_GROUPS) as RefusalGroup[]
/** Which of `trafficback` is that of a reason. */
export const TRAFFICBACK_SLOTS: ReadonlyMap<string, number> = new Map(
  GROUPS.flatMap((group, position) => REFUSAL_GROUPS[group].map((reason) => [reason, position + 1] as const)),
)

/** Languages as numbers: two letters in base 26, then '' for none. */
export const LANGUAGE_NUMBERS = 677

export type SnapshotCompiler = {
  compiled: CompiledSnapshot
  putOffer(offer: SnapshotOffer): void
  removeOffer(id: number): void
  putAffiliate(id: number, active: boolean): void
  removeAffiliate(id: number): void
  setTrafficback(trafficback: NetworkTrafficback): void
  putLink(link: SnapshotLink): void
  removeLink(code: string): void
}

/** An empty compiled snapshot and the calls that change it, each of constant cost (arrays double when they are full). */
export function createSnapshotCompiler(): SnapshotCompiler {
  const compiled: CompiledSnapshot = {
    affiliates: new Uint8Array(1024),
    rows: new Int32Array(1024),
    fields: new Int32Array(64 * ROW),
    times: new Float64Array(64 * 3),
    programs: new Uint8Array(16_384),
    access: [null],
    denied: [null],
    capped: [null],
    geo: [null],
    language: [null],
    landings: [[]],
    trafficback: new Int32Array(1 + GROUPS.length),
    links: new Map(),
  }
  const freeRows: number[] = []
  // Offset 0 means "none", so programs start at 1.
  let used = 1
  let wasted = 0
  const sets = createSetPool()

  const store = (program: Uint8Array | null): number => {
    if (program === null) return -1
    while (used + program.length > compiled.programs.length)
      compiled.programs = grown(compiled.programs, new Uint8Array(compiled.programs.length * 2))
    compiled.programs.set(program, used)
    used += program.length
    return used - program.length
  }
  const drop = (offset: number) => {
    if (offset > 0) wasted += programLength(compiled.programs, offset)
  }
  const dropPrograms = (row: number) => {
    drop(compiled.fields[row * ROW + FIELD.url]!)
    drop(compiled.fields[row * ROW + FIELD.trafficback]!)
    for (const landing of compiled.landings[row] ?? []) drop(landing.program)
  }
  const newRow = (): number => {
    const row = freeRows.pop() ?? compiled.access.length
    while ((row + 1) * ROW > compiled.fields.length) {
      compiled.fields = grown(compiled.fields, new Int32Array(compiled.fields.length * 2))
      compiled.times = grown(compiled.times, new Float64Array(compiled.times.length * 2))
    }
    return row
  }

  return {
    compiled,
    putOffer(offer) {
      if (offer.id > MAX_ID) return
      while (offer.id >= compiled.rows.length) compiled.rows = grown(compiled.rows, new Int32Array(compiled.rows.length * 2))
      const known = compiled.rows[offer.id]!
      if (known > 0) dropPrograms(known)
      const row = known > 0 ? known : newRow()
      fillRow(compiled, row, offer, store, sets)
      compiled.rows[offer.id] = row
      if (wasted > 65_536 && wasted > used / 2) {
        used = compact(compiled)
        wasted = 0
      }
    },
    removeOffer(id) {
      const row = compiled.rows[id] ?? 0
      if (row === 0) return
      dropPrograms(row)
      compiled.rows[id] = 0
      compiled.fields.fill(0, row * ROW, (row + 1) * ROW)
      compiled.landings[row] = []
      freeRows.push(row)
    },
    putAffiliate(id, active) {
      if (id > MAX_ID) return
      while (id >= compiled.affiliates.length)
        compiled.affiliates = grown(compiled.affiliates, new Uint8Array(compiled.affiliates.length * 2))
      compiled.affiliates[id] = active ? 2 : 1
    },
    removeAffiliate(id) {
      if (id < compiled.affiliates.length) compiled.affiliates[id] = 0
    },
    setTrafficback({ url, groups }) {
      compiled.trafficback.forEach(drop)
      const programOf = (address: string | null | undefined) => (address ? store(compileProgram(address, 'trafficback', null)) : 0)
      compiled.trafficback = Int32Array.from([url, ...GROUPS.map((group) => groups[group])], programOf)
    },
    putLink: (link) => void compiled.links.set(link.code, linkQuery(link)),
    removeLink: (code) => void compiled.links.delete(code),
  }
}

/** The query a short link stands for; values given in the address fill only what the link leaves open. */
export function linkQuery(link: SnapshotLink): string {
  const stored = Object.entries(link.params).filter(([name, value]) => value !== '' && name !== 'offer_id' && name !== 'pid')
  return [`offer_id=${link.offer_id}&pid=${link.affiliate_id}`, ...stored.map(([name, value]) => `${name}=${encodeValue(value)}`)].join('&')
}

function fillRow(
  compiled: CompiledSnapshot,
  row: number,
  offer: SnapshotOffer,
  store: (program: Uint8Array | null) => number,
  sets: SetPool,
): void {
  const { targeting } = offer
  const url = store(compileProgram(offer.url, 'offer', offer))
  const trafficback = offer.trafficback_url === null ? 0 : store(compileProgram(offer.trafficback_url, 'trafficback', offer))
  const landings = offer.landings.map((landing) => ({
    id: landing.id,
    active: landing.active,
    prelanding: landing.kind === 'prelanding',
    private: landing.only !== undefined,
    weight: landing.weight,
    program: landing.active && landing.kind === 'landing' ? store(compileProgram(landing.url, 'offer', offer)) : 0,
  }))
  const weighted = landings.filter((landing) => landing.active && landing.weight > 0)
  const plain =
    url < 0 ||
    trafficback < 0 ||
    landings.some((landing) => landing.program < 0) ||
    weighted.some((landing) => landing.prelanding) ||
    // whether a landing is left is asked there
    (offer.leads === true && !weighted.some((landing) => !landing.prelanding)) ||
    [targeting.os_version, targeting.region, targeting.city, targeting.network].some(Boolean)

  let flags = FLAG.redirect * REDIRECTS.indexOf(offer.redirect)
  if (offer.active) flags |= FLAG.active
  if (offer.advertiser_active) flags |= FLAG.advertiserActive
  if (offer.credit_blocked === true) flags |= FLAG.creditBlocked
  if (offer.open) flags |= FLAG.open
  if (offer.start_at !== null || offer.stop_at !== null) flags |= FLAG.dated
  if (offer.cap_until !== null || offer.capped !== undefined) flags |= FLAG.capped
  if (targeting.geo !== null) flags |= FLAG.geo
  if (targeting.language !== null) flags |= FLAG.language
  if (offer.denied.length > 0) flags |= FLAG.denied
  if (landings.length > 0) flags |= FLAG.landings
  if (plain) flags |= FLAG.plain

  const at = row * ROW
  const { fields, times } = compiled
  fields[at + FIELD.flags] = flags
  fields[at + FIELD.advertiser] = offer.advertiser_id
  fields[at + FIELD.url] = url
  fields[at + FIELD.trafficback] = trafficback
  fields[at + FIELD.devices] = mask(targeting.device, DEVICES)
  fields[at + FIELD.systems] = mask(targeting.os, OPERATING_SYSTEMS)
  fields[at + FIELD.browsers] = mask(targeting.browser, BROWSERS)
  fields[at + FIELD.landingWeight] = weighted.reduce((sum, landing) => sum + (landing.prelanding ? 0 : landing.weight), 0)
  times[row * 3] = offer.start_at ?? -Infinity
  times[row * 3 + 1] = offer.stop_at ?? Infinity
  times[row * 3 + 2] = offer.cap_until ?? -Infinity
  compiled.access[row] = offer.open ? null : new Set(offer.access)
  compiled.denied[row] = offer.denied.length > 0 ? new Set(offer.denied) : null
  compiled.capped[row] = offer.capped === undefined ? null : new Map(offer.capped)
  compiled.geo[row] =
    targeting.geo && sets.find(targeting.geo, COUNTRY_NUMBERS, (code) => (/^[A-Z]{2}$/.test(code) ? countryNumber(code) : -1))
  compiled.language[row] = targeting.language && sets.find(targeting.language, LANGUAGE_NUMBERS, languageNumber)
  compiled.landings[row] = landings
}

/** Bits of the values that pass; every bit without a list. */
function mask(set: TargetSet, names: readonly string[]): number {
  let bits = 0
  names.forEach((name, position) => {
    if (set === null || set.values.includes(name) === (set.mode === 'include')) bits |= 1 << position
  })
  return bits
}

function languageNumber(code: string): number {
  if (code === '') return LANGUAGE_NUMBERS - 1
  return /^[a-z]{2}$/.test(code) ? (code.charCodeAt(0) - 97) * 26 + code.charCodeAt(1) - 97 : -1
}

type SetPool = { find(set: NonNullable<TargetSet>, size: number, numberOf: (value: string) => number): Uint8Array }

/** One byte per possible value, 1 = passes. Offers with the same list share the array. */
function createSetPool(): SetPool {
  const pool = new Map<string, WeakRef<Uint8Array>>()
  return {
    find(set, size, numberOf) {
      const key = `${size} ${set.mode} ${set.values.toSorted().join()}`
      const known = pool.get(key)?.deref()
      if (known !== undefined) return known
      const listed = set.mode === 'include' ? 1 : 0
      const bytes = new Uint8Array(size).fill(1 - listed)
      for (const value of set.values) if (numberOf(value) >= 0) bytes[numberOf(value)] = listed
      pool.set(key, new WeakRef(bytes))
      return bytes
    },
  }
}

/** Moves the programs in use together; the arrays keep pointing at them. Returns the bytes used. */
function compact(compiled: CompiledSnapshot): number {
  const old = compiled.programs
  const next = new Uint8Array(old.length)
  let used = 1
  const move = (offset: number): number => {
    if (offset <= 0) return offset
    const length = programLength(old, offset)
    next.set(old.subarray(offset, offset + length), used)
    used += length
    return used - length
  }
  for (let row = 1; row < compiled.landings.length; row++) {
    compiled.fields[row * ROW + FIELD.url] = move(compiled.fields[row * ROW + FIELD.url]!)
    compiled.fields[row * ROW + FIELD.trafficback] = move(compiled.fields[row * ROW + FIELD.trafficback]!)
    compiled.landings[row] = (compiled.landings[row] ?? []).map((landing) => ({ ...landing, program: move(landing.program) }))
  }
  compiled.trafficback = compiled.trafficback.map(move)
  compiled.programs = next
  return used
}

function programLength(programs: Uint8Array, offset: number): number {
  return programs.indexOf(0xff, offset) + 1 - offset
}

function grown<Values extends Uint8Array | Int32Array | Float64Array>(from: Values, to: Values): Values {
  to.set(from)
  return to
}
