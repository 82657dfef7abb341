import { useTranslation } from '#web/i18n/use-translation.ts'
import { useSearchParams } from 'react-router'
import { CONVERSION_FILTERS, CONVERSION_STATUSES } from '#contract/traffic/conversion.ts'
import { periodBody, readPeriod } from '#web/kit/list/asked-period.ts'
import { heldIn } from '#web/kit/list/condition.ts'
import { choiceFilter, periodFilter, searchFilter, textsFilter } from '#web/kit/list/filter.ts'
import { useForeignFilters, useTrafficFilters } from '#web/traffic-filters.ts'

/** Where values to narrow by are looked for while rows of whenever are shown. */
const USUAL = { preset: 'last_30_days', from: null, to: null } as const

/** What conversions are narrowed by, wherever they are listed. */
export function useConversionFilters() {
  const { t } = useTranslation('conversion')
  const [search] = useSearchParams()
  return {
    search: searchFilter(t('search')),
    ...useForeignFilters(),
    _period: periodFilter(t('received'), null),
    status: choiceFilter(
      t('status'),
      CONVERSION_STATUSES.map((value) => ({ value, label: t(`status.${value}`) })),
    ),
    // by its code, which addresses of before asked for
    goal: { ...textsFilter(t('goalCode')), rare: true as const },
    ...useTrafficFilters(CONVERSION_FILTERS, periodBody(readPeriod(heldIn(search)) ?? USUAL)),
  }
}
