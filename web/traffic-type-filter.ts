import { useTranslation } from '#web/i18n/use-translation.ts'
import { useSearchParams } from 'react-router'
import { TRAFFIC_CHOICES } from '#contract/leads/traffic-type.ts'
import { choiceFilter, type Filter } from '#web/kit/list/filter.ts'
import { useCan } from '#web/shell/access.ts'

/** Warm leads, cold ones or both, for staff; while the address says nothing its name says which it is. `both`: what else of an address means both. */
export function useTrafficTypeFilter(...both: readonly string[]): { traffic?: Filter } {
  // pages of direct-link offers neither bring these texts nor show them, and must not wait for them
  const { t } = useTranslation('userSession', { useSuspense: false })
  const [search] = useSearchParams()
  if (!useCan()('report.money')) return {}
  const said = ['traffic', ...both].some((key) => search.getAll(key).some(Boolean))
  const options = TRAFFIC_CHOICES.map((value) => ({ value, label: t(`traffic.${value}`) }))
  return { traffic: choiceFilter(said ? t('traffic') : `${t('traffic')}: ${t('traffic.warm')}`, options, false) }
}
