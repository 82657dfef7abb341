import { useTranslation } from '#web/i18n/use-translation.ts'
import { landingApi } from '#contract/offers/landing.ts'
import { offerApi } from '#contract/offers/offer.ts'
import { advertiserApi } from '#contract/people/advertiser.ts'
import { affiliateApi } from '#contract/people/affiliate.ts'
import { managerApi } from '#contract/people/manager.ts'
import { CLICK_COLUMNS } from '#contract/traffic/click-column.ts'
import { CLICK_KINDS } from '#contract/traffic/click.ts'
import { CONVERSION_STATUSES } from '#contract/traffic/conversion.ts'
import { dimensionOf, DIMENSIONS, isFilter } from '#contract/traffic/dimension.ts'
import { STORED_REFUSALS } from '#contract/traffic/refusal.ts'
import { reportApi, type ReportInput } from '#contract/traffic/report.ts'
import { call } from '#web/api/call.ts'
import { useConstants } from '#web/api/constants.ts'
import { useCountryOptions } from '#web/kit/fields/country-field.tsx'
import { choiceFilter, referenceFilter, textsFilter, type Filter, type Option, type ValueSource } from '#web/kit/list/filter.ts'
import { useCan } from '#web/shell/access.ts'
import { TRAFFIC_FILTERS, type TrafficFilter } from '#web/traffic-address.ts'

const DEVICES = ['desktop', 'mobile', 'tablet', 'tv', 'console', 'bot', 'unknown'] as const
const CONNECTIONS = ['cellular', 'hosting', 'unknown'] as const

/**
 * The filters that the three screens of statistics have in common, those of `own` to be used and the others to be named where an address
 * holds them; `period` is where their values are looked for.
 */
export function useTrafficFilters(own: readonly TrafficFilter[], period: ReportInput['period']): Record<`_${string}`, Filter> {
  const { t: dimension } = useTranslation('dimension')
  const { t: click } = useTranslation('click')
  const { t: report } = useTranslation('report')
  const can = useCan()
  const { oss, browsers, languages } = useConstants()
  const countries = useCountryOptions()
  const coded = (codes: readonly ((typeof DEVICES)[number] | (typeof CONNECTIONS)[number] | (typeof STORED_REFUSALS)[number])[]) =>
    codes.map((value) => ({ value, label: report(`code.${value}`) }))
  const options: Partial<Record<TrafficFilter, readonly Option[]>> = {
    geo: countries,
    device: coded(DEVICES),
    connection: coded(CONNECTIONS),
    reason: coded(STORED_REFUSALS),
    os: oss,
    browser: browsers,
    language: languages,
  }
  const permitted = (id: TrafficFilter) => {
    const permission = isFilter(id) ? dimensionOf(id).permission : undefined
    return permission === undefined || can(permission)
  }
  return Object.fromEntries(
    TRAFFIC_FILTERS.filter(permitted).map((id): [string, Filter] => {
      const label = isFilter(id) ? dimension(id) : click(id)
      const known = options[id]
      return [
        `_${id}`,
        {
          kind: 'condition',
          label,
          group: report(`kind.${isFilter(id) ? DIMENSIONS[id].group : CLICK_COLUMNS[id].group}`),
          values: known === undefined ? sourceOf(id, label, period) : (choiceFilter(label, known) as ValueSource), // a choice is one
          partly: !isFilter(id) || DIMENSIONS[id].type === 'text',
          ...(own.includes(id) ? {} : { foreign: true as const }),
        },
      ]
    }),
  )
}

/** The filters of the other lists, for a screen to name: those it has of its own come after them. */
export function useForeignFilters(): { status: Filter; kinds: Filter } {
  const { t: conversion } = useTranslation('conversion')
  const { t: click } = useTranslation('click')
  return {
    status: {
      foreign: true,
      ...choiceFilter(
        conversion('status'),
        CONVERSION_STATUSES.map((value) => ({ value, label: conversion(`status.${value}`) })),
      ),
    },
    kinds: {
      foreign: true,
      ...choiceFilter(
        click('kind'),
        CLICK_KINDS.map((value) => ({ value, label: click(`kind.${value}`) })),
      ),
    },
  }
}

/** People and things are found by name, what clicks carried among what they did carry in the period. */
function sourceOf(id: TrafficFilter, label: string, period: ReportInput['period']): ValueSource {
  switch (id) {
    case 'offer':
      return referenceFilter(label, offerApi.options) as ValueSource // each is a reference
    case 'affiliate':
      return referenceFilter(label, affiliateApi.list) as ValueSource
    case 'advertiser':
      return referenceFilter(label, advertiserApi.options) as ValueSource
    case 'manager':
      return referenceFilter(label, managerApi.options) as ValueSource
    case 'landing':
    case 'prelanding':
      return referenceFilter(label, landingApi.options, { type: [id] }) as ValueSource
  }
  if (!isFilter(id)) return textsFilter(label) as ValueSource
  const { side } = dimensionOf(id)
  const metric = side === 'conversion' ? 'conversions' : side === 'lead' ? 'sends' : 'clicks'
  return {
    kind: 'found',
    find: (search) => ({
      queryKey: [reportApi.run.path, 'values', id, period, search],
      queryFn: async () => {
        const body = { period, group: [id], metrics: [metric], sort: metric, search: search.slice(0, 100), count: 50 } satisfies ReportInput
        const { list } = await call(reportApi.run, { body }, { quiet: true })
        return list.flatMap(({ keys: [key] }) => (key === undefined ? [] : [{ value: key.id, label: key.label }]))
      },
    }),
  }
}
