import { FILTER_IDS } from '#contract/traffic/dimension.ts'
import type { ReportState } from '#web/features/traffic/report/use-report.ts'
import { Conditions } from '#web/kit/list/conditions.tsx'
import { periodBody } from '#web/kit/list/asked-period.ts'
import { useForeignFilters, useTrafficFilters } from '#web/traffic-filters.ts'

/** What the report is narrowed to, and a menu to narrow it by anything it could be grouped by. */
export function ReportFilters({ report: { address, go, nameOf } }: { report: ReportState }) {
  const filters = { ...useForeignFilters(), ...useTrafficFilters(FILTER_IDS, periodBody(address.period)) }
  return (
    <Conditions
      filters={filters}
      held={address.filters}
      nameOf={nameOf}
      set={(change) => go({ filters: { ...address.filters, ...change } })}
    />
  )
}
