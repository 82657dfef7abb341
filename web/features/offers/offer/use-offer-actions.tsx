import { IconArchive, IconCopyPlus, IconPencil, IconPlayerPause, IconPlayerPlay, IconPlayerStop, IconTrash } from '@tabler/icons-react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { offerApi } from '#contract/offers/offer.ts'
import { OFFER_TRANSITIONS, type OfferStatus } from '#contract/offers/offer-fields.ts'
import { confirm } from '#web/kit/feedback/confirm.tsx'
import { useSave } from '#web/api/query.ts'
import { OFFER_SCREENS } from '#web/features/offers/offer/offer-screens.ts'
import { useOfferStatus } from '#web/features/offers/offer/use-offer-status.ts'
import type { RowAction } from '#web/kit/table/column.ts'
import { useCan, useGo } from '#web/shell/access.ts'
import { notify } from '#web/notify.ts'

type Target = { uuid: string; title: string; type: 'direct' | 'api'; status: OfferStatus; editable: boolean }

const ICONS = {
  draft: undefined,
  active: <IconPlayerPlay size={16} aria-hidden />,
  paused: <IconPlayerPause size={16} aria-hidden />,
  stopped: <IconPlayerStop size={16} aria-hidden />,
  archived: <IconArchive size={16} aria-hidden />,
} as const

/** What can be done with one offer, for its row and its page. */
export function useOfferActions(): (offer: Target) => RowAction[] {
  const { t } = useTranslation('offer')
  const mayWrite = useCan()('offer.write')
  const go = useGo()
  const setStatus = useOfferStatus()
  const duplicate = useSave(offerApi.duplicate, {
    invalidate: [offerApi.list],
    onSuccess: ({ uuid }) => {
      notify.success(t('duplicated'))
      // whichever type it is: the page leads on to that of its own
      go('offerEditDirect', { uuid })
    },
  })
  const deleted = useSave(offerApi.remove, {
    invalidate: [offerApi.list],
    onSuccess: () => {
      notify.success(t('deleted'))
      go('offers')
    },
  })
  const remove = async (uuid: string, name: string) => {
    if (await confirm({ title: t('delete.title', { name }), text: t('delete.text'), action: t('delete.action'), danger: true }))
      deleted.mutate({ params: { uuid } })
  }
  return ({ uuid, title, type, status, editable }) =>
    !mayWrite || !editable
      ? []
      : [
          {
            id: 'edit',
            label: t('edit'),
            icon: <IconPencil size={16} aria-hidden />,
            onClick: () => go(OFFER_SCREENS[type].edit, { uuid }),
          },
          ...OFFER_TRANSITIONS[status].map((next) => ({
            id: `move.${next}`,
            label: t(`move.${next}`),
            icon: ICONS[next],
            danger: next === 'stopped' || next === 'archived',
            onClick: () => void setStatus([{ uuid, title }], next),
          })),
          {
            id: 'duplicate',
            label: t('duplicate'),
            icon: <IconCopyPlus size={16} aria-hidden />,
            onClick: () => duplicate.mutate({ params: { uuid } }),
          },
          ...(status === 'draft'
            ? [
                {
                  id: 'delete',
                  label: t('delete'),
                  icon: <IconTrash size={16} aria-hidden />,
                  danger: true,
                  onClick: () => void remove(uuid, title),
                },
              ]
            : []),
        ]
}
