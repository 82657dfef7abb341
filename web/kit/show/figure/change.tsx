import { Text } from '@mantine/core'
import { IconArrowDownRight, IconArrowUpRight } from '@tabler/icons-react'
import { percent } from '#web/format.ts'
import { change, type MetricValue } from '#web/format-metric.ts'

type ChangeProps = {
  now: MetricValue
  before: MetricValue
  /** Said where there is nothing to compare with. */ none?: string
  title?: string
}

/** By how much a figure rose or fell: an arrow, a sign and a percentage. */
export function Change({ now, before, none, title }: ChangeProps) {
  const { percent: by, rose } = change(now, before)
  const Arrow = rose ? IconArrowUpRight : IconArrowDownRight
  const moved = by !== null && by !== 0
  return (
    <Text
      component="dd"
      fz={12.5}
      mih="1lh"
      c={moved ? (rose ? 'var(--ohma-good)' : 'var(--ohma-bad)') : 'dimmed'}
      className="ohma-number"
      title={title}
    >
      {moved && <Arrow size={14} stroke={2} aria-hidden style={{ verticalAlign: -2, marginRight: 2 }} />}
      {moved && (rose ? '+' : '−')}
      {by === null ? none : percent(Math.abs(by).toFixed(2))}
    </Text>
  )
}
