/** One line or one part of the bars. Values are for drawing only; null is a gap. */
export type Series = {
  id: string
  name: string
  values: readonly (number | null)[]
  /** An earlier period to compare with: dashed and faint, never stacked. */
  earlier?: boolean
  /** What the other parts leave of the whole: grey. */
  rest?: boolean
}

export type ChartData = {
  /** What stands under each point, already in the language and zone of the page. */
  labels: readonly string[]
  series: readonly Series[]
  /** How a value reads, on the axis, in the tooltip and in the table. */
  format: (value: number) => string
  /** The step of the last point is still running: it is drawn dashed or pale, and its label reads so. */
  soFar?: string | undefined
}

/** A sentence that says what the picture shows, for those who do not see it: per series its first, last, lowest and highest value. */
export function describeSeries({ labels, series, format }: ChartData): string {
  return series
    .map(({ name, values }) => {
      const known = values.filter((value) => value !== null)
      if (known.length === 0) return `${name}: –`
      const [low, high] = [Math.min(...known), Math.max(...known)]
      const at = (value: number) => labels[values.indexOf(value)] ?? ''
      return `${name}: ${format(known[0] ?? 0)} → ${format(known.at(-1) ?? 0)}; min ${format(low)} (${at(low)}), max ${format(high)} (${at(high)})`
    })
    .join('. ')
}
