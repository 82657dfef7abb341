import { IconKey, IconPencil, IconPlayerPause, IconPlayerPlay, IconRefresh, IconSend, IconTrash } from '@tabler/icons-react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { ownWebhookApi, type OwnWebhook } from '#contract/traffic/own-webhook.ts'
import { useSave } from '#web/api/query.ts'
import { confirm } from '#web/kit/feedback/confirm.tsx'
import type { RowAction } from '#web/kit/table/column.ts'
import { notify } from '#web/notify.ts'

/** What can be done with one webhook. */
export function useWebhookActions({ onEdit, onRotate }: Record<'onEdit' | 'onRotate', (webhook: OwnWebhook) => void>): {
  actionsFor: (webhook: OwnWebhook) => RowAction[]
  resume: (webhook: OwnWebhook) => void
} {
  const { t } = useTranslation('webhook')
  const invalidate = [ownWebhookApi.list, ownWebhookApi.deliveries]
  const status = useSave(ownWebhookApi.setStatus, { invalidate })
  const test = useSave(ownWebhookApi.test, { invalidate, onSuccess: () => notify.success(t('test.done')) })
  const again = useSave(ownWebhookApi.replayFailed, {
    invalidate,
    onSuccess: ({ queued }) => notify.success(t('replayFailed.done', { count: queued })),
  })
  const remove = useSave(ownWebhookApi.remove, { invalidate })
  const set = ({ uuid }: OwnWebhook, next: 'active' | 'paused') => status.mutate({ params: { uuid }, body: { status: next } })
  const ask = async ({ uuid, url, held }: OwnWebhook) => {
    const text = held > 0 ? `${url}\n${t('remove.held', { count: held })}` : url
    if (await confirm({ title: t('remove.title'), text, action: t('remove.action'), danger: true })) remove.mutate({ params: { uuid } })
  }
  return {
    resume: (webhook) => set(webhook, 'active'),
    actionsFor: (webhook) => {
      const params = { uuid: webhook.uuid }
      return [
        { id: 'edit', label: t('edit'), icon: <IconPencil size={16} aria-hidden />, onClick: () => onEdit(webhook) },
        { id: 'test', label: t('test'), icon: <IconSend size={16} aria-hidden />, onClick: () => test.mutate({ params }) },
        { id: 'rotate', label: t('rotate'), icon: <IconKey size={16} aria-hidden />, onClick: () => onRotate(webhook) },
        webhook.status === 'active'
          ? { id: 'pause', label: t('pause'), icon: <IconPlayerPause size={16} aria-hidden />, onClick: () => set(webhook, 'paused') }
          : { id: 'resume', label: t('resume'), icon: <IconPlayerPlay size={16} aria-hidden />, onClick: () => set(webhook, 'active') },
        ...(webhook.failed > 0
          ? [
              {
                id: 'again',
                label: t('replayFailed', { count: webhook.failed }),
                icon: <IconRefresh size={16} aria-hidden />,
                onClick: () => again.mutate({ params }),
              },
            ]
          : []),
        {
          id: 'remove',
          label: t('remove.action'),
          icon: <IconTrash size={16} aria-hidden />,
          danger: true,
          onClick: () => void ask(webhook),
        },
      ]
    },
  }
}
