import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { affiliateApi, type affiliateStatus } from '#contract/people/affiliate.ts'
import { useStatusChange } from '#web/kit/list/use-status-change.ts'
import { integer } from '#web/format.ts'

export type AffiliateStatus = z.output<typeof affiliateStatus>

/** Gives affiliates a status and offers to take it back. */
export function useAffiliateStatus() {
  const { t } = useTranslation('affiliate')
  return useStatusChange<AffiliateStatus>(affiliateApi.setStatus, {
    refresh: [affiliateApi.list, affiliateApi.get],
    said: (count, status) => t('statusChanged', { count, number: integer(count), status: t(`status.${status}`) }),
  })
}
