import { Text } from '@mantine/core'
import { IconArrowDownRight, IconArrowUpRight } from '@tabler/icons-react'
import { useContext } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { MetricId } from '#contract/traffic/metric.ts'
import { percent } from '#web/format.ts'
import { locale } from '#web/notation.ts'
import { Rights } from '#web/kit/rights.ts'
import { change, type MetricValue } from '#web/format-metric.ts'

type ChangeProps = {
  of: MetricId
  now: MetricValue
  before: MetricValue
  /** What pending conversions may add to it (`pendingPart`). */
  pending?: MetricValue
  /** Said where there is nothing to compare with. */
  none?: string
  title?: string
  /** Beside a figure of a table, not in a list of figures. */
  inline?: boolean
}

const MOST = 999
const POINTS = { minimumFractionDigits: 2, maximumFractionDigits: 2 }
const COLOURS = { good: 'var(--ohma-good)', bad: 'var(--ohma-bad)', neutral: 'dimmed' }

/** By how much a figure rose or fell: an arrow, a sign and a percentage, or percentage points of a rate; coloured by what that is for who looks at it. */
export function Change({ of, now, before, pending, none, title, inline = false }: ChangeProps) {
  const { t } = useTranslation('kit')
  const earns = useContext(Rights)('balance.own')
  const { by, unit, news } = change(of, now, before, earns, pending)
  const undecided = news === 'neutral' && change(of, now, before, earns).news === 'bad'
  const rose = (by ?? 0) > 0
  const Arrow = rose ? IconArrowUpRight : IconArrowDownRight
  const moved = by !== null && by !== 0
  // a figure that was next to nothing grew by a percentage nobody can read
  const beyond = unit === 'percent' && Math.abs(by ?? 0) > MOST
  const size = beyond ? MOST : Math.abs(by ?? 0)
  return (
    <Text
      component={inline ? 'span' : 'dd'}
      fz={inline ? 12 : 12.5}
      mih="1lh"
      c={COLOURS[news]}
      className="ohma-number"
      title={[title, undecided && t('figure.undecided')].filter(Boolean).join('\n')}
    >
      {moved && <Arrow size={14} stroke={2} aria-hidden style={{ verticalAlign: -2, marginRight: 2 }} />}
      {beyond && '> '}
      {moved && (rose ? '+' : '−')}
      {by === null
        ? none
        : unit === 'points'
          ? t('figure.points', { points: new Intl.NumberFormat(locale(), POINTS).format(size) })
          : percent(size)}
    </Text>
  )
}
