import { toUnits } from '#contract/money/amount.ts'
import { smallest, type Compare } from './compare.ts'
import { contradicts, fits, isOfOtherClick, take, type Pairing } from './keys.ts'
import type { MatchSettings, OurConversion, TheirLine } from './sides.ts'

const MINUTE = 60_000
/** Amounts of one bucket and its neighbours are all that may be within tolerance of each other. */
const BUCKET = 1.1
/** Below so many of a currency's units the tolerance of one is more than a bucket. */
const SMALL = 20n
/** So many of those that are as like are named. */
const NAMED = 5

type Placed<T> = { at: number; item: T }
type Places<T> = Map<string, Placed<T>[]>

/**
 * Pairs what no id has paired by offer or goal, amount and time, where each is the best for the other and no id says otherwise;
 * what still has a free conversion like it is ambiguous.
 */
export function pairByLikeness(
  pairing: Pairing,
  {
    lines,
    ours,
    settings,
    utcOf,
    compare,
  }: {
    lines: readonly TheirLine[]
    ours: readonly OurConversion[]
    settings: MatchSettings
    utcOf: (at: number) => number[]
    compare: Compare
  },
): void {
  const left = lines.filter(
    (line) =>
      line.at !== null &&
      !line.dayOnly &&
      line.amount !== null &&
      (line.offerId !== null || line.goalId !== null) &&
      !pairing.ofLine.has(line) &&
      !pairing.duplicates.has(line) &&
      !pairing.ambiguous.has(line),
  )
  const free = ours.filter((our) => !pairing.ofOur.has(our))
  if (left.length === 0 || free.length === 0) return
  const keys = [...pairing.ofLine.values()].map(({ key }) => key)
  // ids of another kind than ours contradict nothing
  const shares = { transactions: keys.some((key) => key.startsWith('transaction')), subs: keys.includes('aff_click') }
  const isLike = (line: TheirLine, our: OurConversion) =>
    fits(line, our) &&
    !isOfOtherClick(line, our) &&
    !(shares.transactions && contradicts(line, our)) &&
    !(shares.subs && line.subId !== '' && our.subId !== '' && line.subId !== our.subId) &&
    compare.amounts(line, our).is === 'same'

  const within = settings.minutes * MINUTE
  const currencies = [...new Set(free.map(({ currency }) => currency))]
  const keysOfLine = (line: TheirLine) => bucketsOfLine(line, currencies, settings)
  const keysOfOur = (our: OurConversion) => {
    const bucket = `${our.currency} ${bucketOf(our.amount, our.currency, settings)}`
    return [`goal ${our.goalId} ${bucket}`, `offer ${our.offerId} ${bucket}`]
  }
  const places = {
    lines: placed(left, keysOfLine, ({ at }) => (at === null ? [] : utcOf(at))),
    ours: placed(free, keysOfOur, ({ at }) => [at]),
  }
  const oursLike = (line: TheirLine, ok: (our: OurConversion) => boolean) =>
    nearest(places.ours, around(keysOfLine(line)), line.at === null ? [] : utcOf(line.at), within, (our) => ok(our) && isLike(line, our))
  const best = new Map(left.map((line) => [line, oursLike(line, () => true)]))
  for (const [line, found] of best) {
    const [our] = found
    if (our === undefined || found.length > 1) continue
    const back = nearest(places.lines, around(keysOfOur(our)), [our.at], within, (other) => isLike(other, our))
    if (back.length === 1 && back[0] === line) take(pairing, line, our, 'likeness')
  }
  for (const line of left) {
    if (pairing.ofLine.has(line)) continue
    const [our, ...rest] = oursLike(line, (one) => !pairing.ofOur.has(one))
    if (our !== undefined) pairing.ambiguous.set(line, [our, ...rest].slice(0, NAMED))
  }
}

/** Under which buckets a line can stand: of its goal, or only its offer, in each of our currencies its amount can be told in. */
function bucketsOfLine(line: TheirLine, currencies: readonly string[], settings: MatchSettings): string[] {
  const { amount } = line
  if (amount === null) return []
  const about = line.goalId !== null ? `goal ${line.goalId}` : `offer ${line.offerId}`
  return currencies.flatMap((currency) => {
    const told = line.currency === null || line.currency === currency ? amount : settings.convert(amount, line.currency, currency)
    return told === null ? [] : [`${about} ${currency} ${bucketOf(told, currency, settings)}`]
  })
}

/** Only finds what may be as much: whether it is, exact amounts say. */
function bucketOf(amount: string, currency: string, settings: MatchSettings): number {
  const units = toUnits(amount)
  const size = units < 0n ? -units : units
  const small = SMALL * smallest(settings, currency)
  if (size < small) return 0
  const place = 1 + Math.floor(Math.log(Number(size) / Number(small)) / Math.log(BUCKET))
  return units < 0n ? -place : place
}

/** The keys with those of the buckets beside them. */
function around(keys: readonly string[]): string[] {
  return [
    ...new Set(
      keys.flatMap((key) => {
        const at = key.lastIndexOf(' ') + 1
        const bucket = Number(key.slice(at))
        return [bucket - 1, bucket, bucket + 1].map((one) => `${key.slice(0, at)}${one}`)
      }),
    ),
  ]
}

function placed<T>(items: readonly T[], keysOf: (item: T) => readonly string[], timesOf: (item: T) => readonly number[]): Places<T> {
  const places: Places<T> = new Map()
  for (const item of items) {
    for (const key of keysOf(item)) {
      const list = places.get(key) ?? []
      if (list.length === 0) places.set(key, list)
      for (const at of timesOf(item)) list.push({ at, item })
    }
  }
  for (const list of places.values()) list.sort((a, b) => a.at - b.at)
  return places
}

/** What is nearest to one of the times within a distance; several where they are exactly as near. */
function nearest<T>(places: Places<T>, keys: readonly string[], times: readonly number[], within: number, ok: (item: T) => boolean): T[] {
  let distance = within
  let found = new Set<T>()
  const consider = ({ at, item }: Placed<T>, time: number): boolean => {
    const apart = Math.abs(at - time)
    if (apart > distance) return false
    if (found.has(item) && apart === distance) return true
    if (!ok(item)) return true
    found = apart < distance ? new Set([item]) : found.add(item)
    distance = apart
    return true
  }
  for (const key of keys) {
    const list = places.get(key)
    if (list === undefined) continue
    for (const time of times) {
      const start = firstFrom(list, time)
      for (let at = start; at < list.length && consider(list[at] as Placed<T>, time); at++);
      for (let at = start - 1; at >= 0 && consider(list[at] as Placed<T>, time); at--);
    }
  }
  return [...found]
}

function firstFrom<T>(list: readonly Placed<T>[], time: number): number {
  let [low, high] = [0, list.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((list[middle]?.at ?? 0) < time) low = middle + 1
    else high = middle
  }
  return low
}
