import { IconArchive, IconArchiveOff, IconArrowMerge, IconArrowsSplit, IconPencil, IconTrash } from '@tabler/icons-react'
import { useState, type ReactNode } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { leadListApi, type LeadList } from '#contract/leads/lead-list.ts'
import { useSave } from '#web/api/query.ts'
import { LeadListEdit } from '#web/features/leads/lead-list/lead-list-form.tsx'
import { MergeLeadList } from '#web/features/leads/lead-list/merge-lead-list.tsx'
import { SplitLeadList } from '#web/features/leads/lead-list/split-lead-list.tsx'
import { confirm } from '#web/kit/feedback/confirm.tsx'
import type { RowAction } from '#web/kit/table/column.ts'
import { notify } from '#web/notify.ts'
import { useCan } from '#web/shell/access.ts'

const CHANGED = [leadListApi.list, leadListApi.get, leadListApi.options]

/** What is done with a list as a whole, in its row and on its page, and the dialog that is open for it. `onRemoved`: it is gone. */
export function useListActions(onRemoved?: () => void): { actionsFor: (list: LeadList) => RowAction[]; dialog: ReactNode } {
  const { t } = useTranslation('leadList')
  const can = useCan()
  const [open, setOpen] = useState<{ what: 'edit' | 'merge' | 'split'; list: LeadList }>()
  const archive = useSave(leadListApi.archive, {
    invalidate: CHANGED,
    onSuccess: ({ status }) => notify.success(t(status === 'archived' ? 'archived' : 'unarchived')),
  })
  const remove = useSave(leadListApi.remove, {
    invalidate: [leadListApi.list, leadListApi.options],
    onSuccess: () => {
      notify.success(t('removed'))
      onRemoved?.()
    },
  })
  const askArchive = async ({ uuid }: LeadList) => {
    if (await confirm({ title: t('archive.title'), text: t('archive.text'), action: t('archive') }))
      archive.mutate({ params: { uuid }, body: { archived: true } })
  }
  const askRemove = async ({ uuid }: LeadList) => {
    if (await confirm({ title: t('remove.title'), text: t('remove.text'), action: t('remove'), danger: true }))
      remove.mutate({ params: { uuid } })
  }
  const icon = (Sign: typeof IconPencil) => <Sign size={16} aria-hidden />
  const actionsFor = (list: LeadList): RowAction[] =>
    !can('cold.write')
      ? []
      : [
          { id: 'edit', label: t('edit'), icon: icon(IconPencil), onClick: () => setOpen({ what: 'edit', list }) },
          ...(list.status === 'archived'
            ? []
            : [{ id: 'merge', label: t('merge'), icon: icon(IconArrowMerge), onClick: () => setOpen({ what: 'merge', list }) }]),
          ...(list.total > 1
            ? [{ id: 'split', label: t('split'), icon: icon(IconArrowsSplit), onClick: () => setOpen({ what: 'split', list }) }]
            : []),
          list.status === 'archived'
            ? {
                id: 'unarchive',
                label: t('unarchive'),
                icon: icon(IconArchiveOff),
                onClick: () => archive.mutate({ params: { uuid: list.uuid }, body: { archived: false } }),
              }
            : { id: 'archive', label: t('archive'), icon: icon(IconArchive), onClick: () => void askArchive(list) },
          { id: 'remove', label: t('remove'), icon: icon(IconTrash), danger: true, onClick: () => void askRemove(list) },
        ]
  const close = () => setOpen(undefined)
  return {
    actionsFor,
    dialog: (
      <>
        {open?.what === 'edit' && <LeadListEdit of={open.list} onClose={close} />}
        {open?.what === 'merge' && <MergeLeadList of={open.list} onClose={close} />}
        {open?.what === 'split' && <SplitLeadList of={open.list} onClose={close} />}
      </>
    ),
  }
}
