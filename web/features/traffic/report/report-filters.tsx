import { useSearchParams } from 'react-router'
import { dimensionOf, FILTER_IDS } from '#contract/traffic/dimension.ts'
import type { ReportState } from '#web/features/traffic/report/use-report.ts'
import { Conditions } from '#web/kit/list/conditions.tsx'
import { PERIOD_KEYS, periodBody } from '#web/kit/list/asked-period.ts'
import { unknownKeys } from '#web/kit/list/list-url.ts'
import { UnusedPill } from '#web/kit/list/unused-pill.tsx'
import { REPORT_KEYS, TRAFFIC_KEYS } from '#web/traffic-address.ts'
import { useStatisticPart } from '#web/statistic-part.ts'
import { useForeignFilters, useTrafficFilters } from '#web/traffic-filters.ts'

/** What the report is narrowed to, and a menu to narrow it by anything it could be grouped by. */
export function ReportFilters({ report: { address, go, nameOf } }: { report: ReportState }) {
  const [search, setSearch] = useSearchParams()
  // direct links bring no leads
  const own = useStatisticPart().type === 'api' ? FILTER_IDS : FILTER_IDS.filter((id) => dimensionOf(id).side !== 'lead')
  const filters = { ...useForeignFilters(), ...useTrafficFilters(own, periodBody(address.period)) }
  return (
    <>
      <Conditions
        filters={filters}
        held={address.filters}
        nameOf={nameOf}
        set={(change) => go({ filters: { ...address.filters, ...change } })}
      />
      {unknownKeys(search, [...TRAFFIC_KEYS, ...PERIOD_KEYS, 'trail'], REPORT_KEYS).map((key) => (
        <UnusedPill
          key={key}
          label={key}
          onRemove={() => setSearch((before) => new URLSearchParams([...before].filter(([name]) => name !== key)), { replace: true })}
        />
      ))}
    </>
  )
}
