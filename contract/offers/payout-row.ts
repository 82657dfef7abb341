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

/** A row that can never win, and those above it that win wherever it fits: one that is broader or the same, or several that share it by one condition. */
export type ShadowedRow = { position: number; by: number[]; same: boolean }

/**
 * The rows of one goal that can never win. Whatever covers a row names no condition the row leaves open, so it is at most as specific:
 * only rows above it that are just as specific can win everywhere.
 */
export function shadowedRows(rows: readonly RowConditions[]): ShadowedRow[] {
  const known = rows.map((row) => ({ row, specificity: specificity(row), sets: setsOf(row) }))
  return known.flatMap(({ row, specificity: own, sets }, position) => {
    const above = known.flatMap((other, at) => (at < position && other.specificity === own ? [{ at, sets: other.sets }] : []))
    const covered = (by: Sets, but?: keyof Sets) => CONDITIONS.every((name) => name === but || covers(by[name], row[name]))
    const single = above.find((other) => covered(other.sets))
    if (single !== undefined) {
      const same = CONDITIONS.every((name) => single.sets[name].size === sets[name].size)
      return [{ position, by: [single.at], same }]
    }
    for (const name of CONDITIONS) {
      const left = new Set(row[name])
      const by = above.flatMap((other) => {
        if (left.size === 0 || !covered(other.sets, name)) return []
        const before = left.size
        for (const value of other.sets[name]) left.delete(value)
        return left.size < before ? [other.at] : []
      })
      if (by.length > 0 && left.size === 0) return [{ position, by, same: false }]
    }
    return []
  })
}

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

/** Whether everything `inner` admits is admitted by `outer` too. */
function covers(outer: ReadonlySet<string | number>, inner: readonly (string | number)[]): boolean {
  return outer.size === 0 || (inner.length > 0 && inner.every((value) => outer.has(value)))
}
