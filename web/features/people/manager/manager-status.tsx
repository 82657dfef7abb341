import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { managerApi, type managerStatus } from '#contract/people/manager.ts'
import { useStatusChange } from '#web/kit/list/use-status-change.ts'
import { StatusBadge, type Tone } from '#web/kit/show/status-badge.tsx'
import { integer } from '#web/format.ts'

export type ManagerStatus = z.output<typeof managerStatus>

const TONES: Record<ManagerStatus, Tone> = { active: 'good', blocked: 'bad', deleted: 'muted' }

/** Where a manager stands. */
export function ManagerStatusBadge({ status }: { status: ManagerStatus }) {
  const { t } = useTranslation('manager')
  return <StatusBadge tone={TONES[status]} label={t(`status.${status}`)} />
}

/** Gives managers a status and offers to take it back. */
export function useManagerStatus() {
  const { t } = useTranslation('manager')
  return useStatusChange<ManagerStatus>(managerApi.setStatus, {
    refresh: [managerApi.list, managerApi.get],
    said: (count, status) => t('statusChanged', { count, number: integer(count), status: t(`status.${status}`) }),
  })
}
