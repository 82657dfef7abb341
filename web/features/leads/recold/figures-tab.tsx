import { useSearchParams } from 'react-router'
import { RecoldFiguresPanel } from '#web/features/leads/recold/figures.tsx'
import { PERIOD_KEYS, periodBody, readPeriod, readZone, writePeriod } from '#web/kit/list/asked-period.ts'
import { heldIn } from '#web/kit/list/condition.ts'
import { PeriodMenu } from '#web/kit/list/period-menu.tsx'
import { useZone } from '#web/kit/show/zone.tsx'

/** What all second sales brought that were sent in a period, which the address names. */
export function RecoldFiguresTab() {
  const [search, setSearch] = useSearchParams()
  const own = useZone()
  const period = readPeriod(heldIn(search))
  const zone = readZone(heldIn(search))
  return (
    <RecoldFiguresPanel
      uuid={null}
      period={period === null ? null : periodBody(period)}
      zone={zone}
      actions={
        <PeriodMenu
          value={period}
          zone={zone ?? own}
          whenever
          onChange={(next) =>
            setSearch((before) => {
              const after = new URLSearchParams(before)
              for (const key of PERIOD_KEYS) after.delete(key)
              for (const [key, values] of Object.entries(writePeriod(next))) for (const value of values ?? []) after.append(key, value)
              return after
            })
          }
        />
      }
    />
  )
}
