import { useTranslation } from '#web/i18n/use-translation.ts'
import type { IntegrationType } from '#contract/leads/integration-type.ts'
import { lackingOf } from './lead-values.ts'

/** What an advertiser needs and leads of a kind need not bring, in words; '' = nothing. */
export function useLackingWords(): (type: IntegrationType, needs: readonly string[]) => string {
  const { t } = useTranslation('offer')
  // fields of their own have no word here: they stay as they are called
  return (type, needs) =>
    lackingOf(type, needs)
      .map((name) => t(`lead.field.${name}` as 'lead.field.email', { defaultValue: name }))
      .join(', ')
}
