/** Whom and where a payout row is for; an empty list means "any". Affiliates and landings by number or uuid. */
export type RowConditions = Readonly<Record<(typeof CONDITIONS)[number], readonly (string | number)[]>>

const CONDITIONS = ['affiliates', 'landings', 'geos', 'devices', 'oses'] as const

/**
 * Of two rows that fit a conversion the one with the higher number wins, of equals the one that stands higher: a row that names
 * affiliates beats one that does not, then one that names landings, then countries, then devices or systems.
 */
export function specificity({ affiliates, landings, geos, devices, oses }: RowConditions): number {
  const named = (...lists: readonly (readonly unknown[])[]) => (lists.some((list) => list.length > 0) ? 1 : 0)
  return named(affiliates) * 8 + named(landings) * 4 + named(geos) * 2 + named(devices, oses)
}

/** A row that can never win, and those above it that win wherever it fits: one that is broader or the same, or several that share it. */
export type ShadowedRow = { position: number; by: number[]; same: boolean }

/**
 * The rows of one goal that can never win. Whatever covers a row names no condition the row leaves open, so it is at most as specific:
 * only rows above it that are just as specific can win everywhere. What each of them takes is cut off; nothing is left of a row that is shared.
 */
export function shadowedRows(rows: readonly RowConditions[]): ShadowedRow[] {
  const known = rows.map((row) => ({ specificity: specificity(row), sets: setsOf(row) }))
  return known.flatMap(({ specificity: own, sets }, position): ShadowedRow[] => {
    const above = known.flatMap((other, at) => (at < position && other.specificity === own ? [{ at, sets: other.sets }] : []))
    const single = above.find((other) => without(sets, other.sets).length === 0)
    if (single !== undefined)
      return [{ position, by: [single.at], same: CONDITIONS.every((name) => single.sets[name].size === sets[name].size) }]
    const by: number[] = []
    let left = [sets]
    for (const other of above) {
      const next = left.flatMap((part) => without(part, other.sets))
      if (next.length > MOST_PARTS) return []
      if (size(next) < size(left)) by.push(other.at)
      left = next
    }
    return left.length === 0 ? [{ position, by, same: false }] : []
  })
}

/** A row cut into more is left alone: to be sure of it would take too long. */
const MOST_PARTS = 200

type Sets = Record<keyof RowConditions, ReadonlySet<string | number>>

function setsOf(row: RowConditions): Sets {
  const { affiliates, landings, geos, devices, oses } = row
  return {
    affiliates: new Set(affiliates),
    landings: new Set(landings),
    geos: new Set(geos),
    devices: new Set(devices),
    oses: new Set(oses),
  }
}

/** What `row` takes in beyond `cut`, in parts that share nothing. */
function without(row: Sets, cut: Sets): Sets[] {
  // what is open takes in more than any list
  if (CONDITIONS.some((name) => cut[name].size > 0 && (row[name].size === 0 || row[name].isDisjointFrom(cut[name])))) return [row]
  const parts: Sets[] = []
  let rest = row
  for (const name of CONDITIONS) {
    if (cut[name].size === 0) continue
    const beyond = rest[name].difference(cut[name])
    if (beyond.size > 0) parts.push({ ...rest, [name]: beyond })
    rest = { ...rest, [name]: rest[name].intersection(cut[name]) }
  }
  return parts
}

/** How many places the parts of a row hold. */
function size(parts: readonly Sets[]): number {
  return parts.reduce((sum, part) => sum + CONDITIONS.reduce((places, name) => places * Math.max(1, part[name].size), 1), 0)
}

/** A payout row as forms hold it, with the ids of what it is for. */
type NamedRow = Omit<RowConditions, 'affiliates' | 'landings'> & { affiliate_uuids: readonly string[]; landing_uuids: readonly string[] }

/** The rows that can never win, goal by goal, each with what is said of it. */
export function deadRows(goals: readonly { rules: readonly NamedRow[] }[]): { goal: number; position: number; text: string }[] {
  return goals.flatMap(({ rules }, goal) =>
    shadowedRows(rules.map((rule) => ({ ...rule, affiliates: rule.affiliate_uuids, landings: rule.landing_uuids }))).map(
      ({ position, by, same }) => ({ goal, position, text: wordsOf(by.map((row) => row + 1).join(', '), by.length > 1, same) }),
    ),
  )
}

function wordsOf(rows: string, several: boolean, same: boolean): string {
  if (several) return `Rows ${rows} stand above and together take in all this row is for: this one can never win`
  if (same) return `Row ${rows} is for the same and stands above: this one can never win`
  return `Row ${rows} stands above and takes in all this row is for: this one can never win`
}
