import { IconPencil, IconPlayerPause, IconPlayerPlay, IconSignature, IconTrash } from '@tabler/icons-react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { ownPostbackApi } from '#contract/traffic/own-postback.ts'
import { useSave } from '#web/api/query.ts'
import type { OwnPostback } from '#web/features/traffic/postback/own-postback-columns.tsx'
import { confirm } from '#web/kit/feedback/confirm.tsx'
import type { RowAction } from '#web/kit/table/column.ts'

/** What can be done with one postback. Resuming sends what was held meanwhile. */
export function useOwnPostbackActions({
  onEdit,
  onSign,
}: {
  onEdit: (postback: OwnPostback) => void
  onSign: (postback: OwnPostback) => void
}): {
  actionsFor: (postback: OwnPostback) => RowAction[]
  resume: (postback: OwnPostback) => void
} {
  const { t } = useTranslation('postback')
  const { t: late } = useTranslation('postbackMessage')
  const stale = [ownPostbackApi.list, ownPostbackApi.deliveries]
  const status = useSave(ownPostbackApi.setStatus, { invalidate: stale })
  const remove = useSave(ownPostbackApi.remove, { invalidate: stale })
  const set = ({ uuid }: OwnPostback, next: 'active' | 'paused') => status.mutate({ params: { uuid }, body: { status: next } })
  const ask = async ({ uuid, url }: OwnPostback) => {
    if (await confirm({ title: t('remove.title'), text: url, action: t('remove.action'), danger: true }))
      remove.mutate({ params: { uuid } })
  }
  return {
    resume: (postback) => set(postback, 'active'),
    actionsFor: (postback) => [
      { id: 'edit', label: t('edit'), icon: <IconPencil size={16} aria-hidden />, onClick: () => onEdit(postback) },
      ...(postback.method === 'POST'
        ? [{ id: 'sign', label: late('sign'), icon: <IconSignature size={16} aria-hidden />, onClick: () => onSign(postback) }]
        : []),
      postback.status === 'active'
        ? { id: 'pause', label: t('pause'), icon: <IconPlayerPause size={16} aria-hidden />, onClick: () => set(postback, 'paused') }
        : { id: 'resume', label: t('resume'), icon: <IconPlayerPlay size={16} aria-hidden />, onClick: () => set(postback, 'active') },
      {
        id: 'remove',
        label: t('remove.action'),
        icon: <IconTrash size={16} aria-hidden />,
        danger: true,
        onClick: () => void ask(postback),
      },
    ],
  }
}
