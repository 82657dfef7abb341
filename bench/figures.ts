import { readdirSync, readFileSync } from 'node:fs'

/** The middle one of some figures; the lower of the two middle ones when they are even. */
export function median(figures: readonly number[]): number {
  return percentile(figures, 0.5)
}

/** The figure below which this share of them lies. */
export function percentile(figures: readonly number[], share: number): number {
  const sorted = figures.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(sorted.length * share) - 1))] ?? Number.NaN
}

/** Seconds of processor time a process has used so far, from /proc; NaN where there is none. */
export function cpuSeconds(pid: number): number {
  return statOf(pid)?.seconds ?? Number.NaN
}

/** Whose child a process is, and the seconds it and its ended children have used. */
function statOf(pid: number): { parent: number; seconds: number; ofEnded: number } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    const [parent = 0, own = 0, kernel = 0, ended = 0, endedKernel = 0] = [1, 11, 12, 13, 14].map((at) => fields[at])
    return { parent, seconds: (own + kernel) / 100, ofEnded: (ended + endedKernel) / 100 }
  } catch {
    return undefined
  }
}

/** The same of a process and its children, those that ended among them. */
export function cpuOfFamily(pid: number): number {
  const own = statOf(pid)
  if (own === undefined) return Number.NaN
  const all = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (statOf(Number(name)) ?? []) : []))
  const children = all.filter(({ parent }) => parent === pid)
  return children.reduce((sum, { seconds }) => sum + seconds, own.seconds + own.ofEnded)
}

/** Prints rows under a headline, columns aligned. */
export function printTable(headline: string, rows: readonly (readonly (string | number)[])[]): void {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => String(row[column] ?? '').length))) ?? []
  console.log(`\n${headline}`)
  for (const row of rows)
    console.log(
      `  ${row
        .map((cell, column) => String(cell).padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd()}`,
    )
}

/** 1234567 → '1 234 567'. */
export function grouped(figure: number): string {
  return Math.round(figure)
    .toString()
    .replace(/\B(?=(\d{3})+$)/g, ' ')
}
