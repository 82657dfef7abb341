import type { FilterId } from '#contract/traffic/dimension.ts'
import { isFilter } from '#contract/traffic/dimension.ts'
import { readReport, writeReport, type ReportAddress } from '#web/features/traffic/report/report-address.ts'
import { compared } from '#web/kit/list/condition.ts'
import type { Preset } from '#web/period.ts'
import { screenHref } from '#web/shell/access.ts'

/** A thing whose figures are shown: the dimension that is narrowed to it. */
export type Performer = {
  is: 'offer' | 'affiliate' | 'advertiser' | 'manager'
  uuid: string
  /** It is an offer of leads: told in leads, and its lines lead to their statistics. */
  leads?: boolean
}

/** What its largest lines can be by, the one shown first in front. */
export const TOPS = {
  offer: ['affiliate', 'geo', 'landing', 'sub1', 'day'],
  affiliate: ['offer', 'geo', 'sub1', 'landing', 'day'],
  advertiser: ['offer', 'affiliate', 'geo', 'day'],
  manager: ['affiliate', 'offer', 'geo', 'day'],
} as const satisfies Record<Performer['is'], readonly (FilterId | 'day')[]>
export type Top = (typeof TOPS)[Performer['is']][number]

/** The address of the report on a thing; one of its lines narrows it further, a day to its hours. */
export function statisticsHref(
  { is, uuid, leads = false }: Performer,
  { preset, group, line }: Pick<ReportAddress, 'group'> & { preset: Preset; line?: { by: Top; id: string } },
): string {
  const period = { preset, from: null, to: null }
  const blank = { ...readReport(new URLSearchParams(), []), period, group, filters: { [`is.${is}`]: [uuid] }, compare: 'previous' as const }
  return `${screenHref(leads ? 'statisticApiGeneral' : 'statisticDirectGeneral')}?${writeReport(line === undefined ? blank : narrowed(blank, line), [])}`
}

function narrowed(report: ReportAddress, { by, id }: { by: Top; id: string }): ReportAddress {
  if (!isFilter(by)) return { ...report, period: { preset: 'custom', from: id, to: id }, group: ['hour'] }
  return { ...report, group: ['day'], filters: { ...report.filters, ...compared(by, 'is', id, report.filters) } }
}
