import { Select } from '@mantine/core'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { TRAFFIC_CHOICES } from '#contract/leads/traffic-type.ts'
import type { ReportAddress } from '#web/features/traffic/report/report-address.ts'

/** Whether a report of leads counts them as they came, as they were sold again, or both; on pages that bring the texts of leads. */
export function TrafficTypeSelect({
  value,
  onChange,
}: {
  value: ReportAddress['traffic']
  onChange(value: ReportAddress['traffic']): void
}) {
  const { t } = useTranslation('userSession')
  return (
    <Select
      size="xs"
      w={140}
      aria-label={t('traffic')}
      data={TRAFFIC_CHOICES.map((one) => ({ value: one, label: t(`traffic.${one}`) }))}
      value={value ?? 'warm'}
      onChange={(chosen) => onChange(chosen === 'cold' || chosen === 'all' ? chosen : null)}
      allowDeselect={false}
    />
  )
}
