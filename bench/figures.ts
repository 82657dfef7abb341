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
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[11]) + Number(fields[12])) / 100
  } catch {
    return Number.NaN
  }
}

/** The same of a process and its children. */
export function cpuOfFamily(pid: number): number {
  const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && parentOf(Number(name)) === pid)
  return [pid, ...children.map(Number)].reduce((sum, one) => sum + (cpuSeconds(one) || 0), 0)
}

function parentOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
  } catch {
    return Number.NaN
  }
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
