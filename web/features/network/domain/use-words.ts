import { useTranslation } from '#web/i18n/use-translation.ts'
import type { z } from 'zod'
import type { domainUses } from '#contract/network/domain.ts'
import { integer } from '#web/format.ts'

/** Says in one line what uses a domain. */
export function useUseWords(): (uses: z.output<typeof domainUses>) => string {
  const { t } = useTranslation('domain')
  return ({ default: usual, assignments, affiliates, offers, short_links }) =>
    [
      ...(usual ? [t('uses.default')] : []),
      ...(assignments > 0 ? [t('use.assigned', { count: assignments, number: integer(assignments) })] : []),
      ...(affiliates > 0 ? [t('uses.affiliates', { count: affiliates, number: integer(affiliates) })] : []),
      ...(offers > 0 ? [t('uses.offers', { count: offers, number: integer(offers) })] : []),
      ...(short_links > 0 ? [t('uses.links', { count: short_links, number: integer(short_links) })] : []),
    ].join(', ')
}
