import { IconCheck, IconPlayerPause, IconPlayerPlay, IconTrash, IconX } from '@tabler/icons-react'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { landingApi, type landing } from '#contract/offers/landing.ts'
import { LANDING_STATUSES, landingType } from '#contract/offers/offer-landing.ts'
import { useSave } from '#web/api/query.ts'
import { integer } from '#web/format.ts'
import { LandingCheck } from '#web/features/offers/landing/landing-check.tsx'
import { RejectLanding } from '#web/features/offers/landing/reject-landing.tsx'
import { confirm } from '#web/kit/feedback/confirm.tsx'
import { choice, column, copied, count, idColumn, moment, reference, status, tags, text, type Columns } from '#web/kit/list/columns.tsx'
import { statusSet } from '#web/kit/status/status-look.ts'
import { useStatus } from '#web/kit/status/use-status.tsx'
import type { RowAction } from '#web/kit/table/column.ts'
import { notify } from '#web/notify.ts'
import { useCan } from '#web/shell/access.ts'

type Landing = z.output<typeof landing>

/** What shows landings and where they stand. */
export const LANDING_ANSWERS = [landingApi.list, landingApi.get, landingApi.waiting] as const

/** Where a landing stands, and what staff make of it. */
export const LANDING_STATUS = statusSet({
  texts: 'landing',
  values: LANDING_STATUSES,
  tones: { moderation: 'waiting', active: 'good', stopped: 'muted', deleted: 'bad' },
  endpoint: landingApi.setStatus,
  refresh: LANDING_ANSWERS,
  moves: [
    { text: 'stop', to: 'stopped', from: ['active'], icon: IconPlayerPause },
    { text: 'activate', to: 'active', from: ['stopped', 'deleted'], icon: IconPlayerPlay },
    { text: 'delete', to: 'deleted', from: ['moderation', 'active', 'stopped'], icon: IconTrash, danger: true },
  ],
})

/** The columns of landings, wherever they are listed. */
export const LANDING_COLUMNS: Columns<Landing, 'landing'> = [
  idColumn(),
  text('name', { sort: true, width: 200, grow: true, card: 'title' }),
  status(LANDING_STATUS, { sort: true, width: 130 }),
  choice('type', landingType.options, { width: 115, card: 'field' }),
  column<Landing, 'check'>('check', {
    width: 150,
    card: 'field',
    cell: (one) => <LandingCheck of={one} />,
    csv: (one) => one.check_error || one.check_status,
  }),
  count('offers', { width: 80, card: 'field' }),
  text('language', { width: 95 }),
  reference('advertiser', { width: 160 }),
  copied('url', { width: 220, hidden: true }),
  tags('tags', { hidden: true }),
  text('proposed_by', { width: 130, hidden: true }),
  moment('checked_at', { sort: true, hidden: true }),
  moment('created_at', { sort: true, hidden: true }),
]

/** What can be done with one landing, for its row and its page; `dialog` belongs somewhere on the screen. */
export function useLandingActions(): { actionsFor: (one: Landing) => RowAction[]; dialog: ReactNode } {
  const { t } = useTranslation('landing')
  const mayWrite = useCan()('landing.write')
  const { actionsFor } = useStatus(LANDING_STATUS)
  const [rejected, setRejected] = useState<Landing>()
  const decide = useSave(landingApi.decide, { invalidate: LANDING_ANSWERS, onSuccess: () => notify.success(t('approved')) })

  /** Visitors of running offers notice at once. */
  const asked = (one: Landing, { onClick, ...action }: RowAction): RowAction => ({
    ...action,
    onClick: () => void sure(one).then((yes) => yes && onClick()),
  })
  const sure = ({ active_offers: used }: Landing) =>
    confirm({
      title: t('used.title'),
      text: t('used.text', { count: used, number: integer(used) }),
      action: t('used.action'),
      danger: true,
    })

  return {
    actionsFor: (one) => [
      ...(mayWrite && one.status === 'moderation'
        ? [
            {
              label: t('approve'),
              icon: <IconCheck size={16} aria-hidden />,
              onClick: () => decide.mutate({ body: { uuids: [one.uuid], approve: true } }),
            },
            { label: t('reject'), icon: <IconX size={16} aria-hidden />, onClick: () => setRejected(one) },
          ]
        : []),
      ...(mayWrite
        ? actionsFor(one).map((action) => (one.status === 'active' && one.active_offers > 0 ? asked(one, action) : action))
        : []),
    ],
    dialog: rejected !== undefined && <RejectLanding landing={rejected} onClose={() => setRejected(undefined)} />,
  }
}
