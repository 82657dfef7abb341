import { readPeriod, readZone, writePeriod } from '#web/kit/list/asked-period.ts'
import type { Held } from '#web/kit/list/condition.ts'
import { PeriodMenu } from '#web/kit/list/period-menu.tsx'
import { ZoneMenu } from '#web/kit/list/zone-menu.tsx'
import { useZone } from '#web/kit/show/zone.tsx'
import type { AskedPeriod } from '#web/period.ts'

type PeriodFilterProps = { usual: AskedPeriod | null; held: Held; set: (change: Record<string, string[] | undefined>) => void }

/** The period of rows and the zone of its days, as an address holds them. */
export function PeriodFilter({ usual, held, set }: PeriodFilterProps) {
  const own = useZone()
  const zone = readZone(held)
  return (
    <>
      <PeriodMenu
        value={readPeriod(held) ?? usual}
        zone={zone ?? own}
        whenever={usual === null}
        onChange={(period) => set(writePeriod(period))}
      />
      <ZoneMenu value={zone} own={own} onChange={(next) => set({ zone: next === null ? undefined : [next] })} />
    </>
  )
}
