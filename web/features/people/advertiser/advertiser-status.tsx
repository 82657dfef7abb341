import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { advertiserApi, type advertiserStatus } from '#contract/people/advertiser.ts'
import { useStatusChange } from '#web/kit/list/use-status-change.ts'
import { StatusBadge, type Tone } from '#web/kit/show/status-badge.tsx'
import { integer } from '#web/format.ts'

export type AdvertiserStatus = z.output<typeof advertiserStatus>

const TONES: Record<AdvertiserStatus, Tone> = { active: 'good', inactive: 'muted', deleted: 'bad' }

/** Where an advertiser stands. */
export function AdvertiserStatusBadge({ status }: { status: AdvertiserStatus }) {
  const { t } = useTranslation('advertiser')
  return <StatusBadge tone={TONES[status]} label={t(`status.${status}`)} />
}

/** Gives advertisers a status and offers to take it back. */
export function useAdvertiserStatus() {
  const { t } = useTranslation('advertiser')
  return useStatusChange<AdvertiserStatus>(advertiserApi.setStatus, {
    refresh: [advertiserApi.list, advertiserApi.get],
    said: (count, status) => t('statusChanged', { count, number: integer(count), status: t(`status.${status}`) }),
  })
}
