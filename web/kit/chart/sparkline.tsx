type SparklineProps = {
  values: readonly number[]
  /** What the line tells, in words: "Clicks of the last 30 days, from 120 to 340". */
  label: string
  width?: number
  height?: number
  /** The last value is of a step that is still running: the way to it is dotted. */
  unfinished?: boolean
}

/** A small line without axes for cards and cells. */
export function Sparkline({ values, label, width = 96, height = 28, unfinished = false }: SparklineProps) {
  const [low, high] = [Math.min(...values), Math.max(...values)]
  const step = (width - 4) / Math.max(1, values.length - 1)
  // a flat line runs through the middle
  const y = (value: number) => (high === low ? height / 2 : 2 + ((high - value) / (high - low)) * (height - 4))
  const points = values.map((value, index) => `${(2 + index * step).toFixed(1)},${y(value).toFixed(1)}`)
  const finished = unfinished && points.length > 1 ? points.length - 1 : points.length
  const last = values.at(-1)
  if (last === undefined) return null
  return (
    <svg
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={label}
      style={{ display: 'block', maxWidth: '100%' }}
    >
      <polygon
        points={`2,${height} ${points.join(' ')} ${(2 + (values.length - 1) * step).toFixed(1)},${height}`}
        fill="var(--ohma-tint)"
      />
      <g
        fill="none"
        stroke="var(--ohma-accent-text, var(--mantine-primary-color-filled))"
        strokeWidth="1.6"
        strokeLinejoin="round"
        strokeLinecap="round"
      >
        <polyline points={points.slice(0, finished).join(' ')} />
        {finished < points.length && <polyline points={points.slice(finished - 1).join(' ')} strokeDasharray="0.5 3.5" />}
      </g>
    </svg>
  )
}
