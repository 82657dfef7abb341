import { IconCheck, IconCopy, IconPencil, IconPlayerPause, IconPlayerPlay, IconTrash } from '@tabler/icons-react'
import { useState, type ReactNode } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { recoldApi, type RecoldRow } from '#contract/leads/recold.ts'
import { useSave } from '#web/api/query.ts'
import { ResumeRecold } from '#web/features/leads/recold/resume-recold.tsx'
import { confirm } from '#web/kit/feedback/confirm.tsx'
import type { RowAction } from '#web/kit/table/column.ts'
import { fieldText } from '#web/i18n/language.ts'
import { notify } from '#web/notify.ts'
import { useCan, useGo } from '#web/shell/access.ts'

/** What shows how a distribution is. */
export const RECOLD_CHANGED = [recoldApi.list, recoldApi.get, recoldApi.live, recoldApi.items, recoldApi.figures]

type Row = Pick<RecoldRow, 'uuid' | 'status' | 'title'>

/** What is done with a distribution as a whole, in its row and on its page. `onRemoved`: it was put away. */
export function useRecoldActions({ onRemoved, onEdit }: { onRemoved?: () => void; onEdit?: (uuid: string) => void } = {}): {
  actionsFor: (row: Row) => RowAction[]
  dialog: ReactNode
} {
  const { t } = useTranslation('recold')
  const can = useCan()
  const go = useGo()
  const [resuming, setResuming] = useState<Row>()
  const said = (text: string) => ({ invalidate: RECOLD_CHANGED, onSuccess: () => notify.success(text) })
  const start = useSave(recoldApi.start, { ...said(t('started')), form: true })
  /** No form stands here to say what keeps it. */
  const begin = (uuid: string) =>
    start.mutate(
      { params: { uuid } },
      {
        onError: ({ fields }) => {
          const reasons = Object.values(fields).map(fieldText)
          if (reasons.length > 0) notify.error(reasons.join(' '))
        },
      },
    )
  const pause = useSave(recoldApi.pause, said(t('paused')))
  const done = useSave(recoldApi.done, said(t('ended')))
  const duplicate = useSave(recoldApi.duplicate, {
    invalidate: RECOLD_CHANGED,
    onSuccess: ({ uuid }) => {
      notify.success(t('duplicated'))
      go('recold', { uuid })
    },
  })
  const remove = useSave(recoldApi.remove, {
    invalidate: RECOLD_CHANGED,
    onSuccess: () => {
      notify.success(t('removed'))
      onRemoved?.()
    },
  })
  const icon = (Sign: typeof IconPencil) => <Sign size={16} aria-hidden />
  const actionsFor = (row: Row): RowAction[] => {
    const { uuid, status } = row
    if (!can('cold.write') || status === 'deleted') return []
    const ask = async (what: 'start' | 'done' | 'remove', run: () => void) => {
      const question = { title: t(`${what}.title`, { title: row.title }), text: t(`${what}.text`), action: t(what) }
      if (await confirm({ ...question, danger: what !== 'start' })) run()
    }
    const open = status === 'active' || status === 'paused'
    return [
      ...(status === 'draft'
        ? [
            {
              id: 'start',
              label: t('start'),
              icon: icon(IconPlayerPlay),
              onClick: () => void ask('start', () => begin(uuid)),
            },
          ]
        : []),
      ...(status === 'active'
        ? [{ id: 'pause', label: t('pause'), icon: icon(IconPlayerPause), onClick: () => pause.mutate({ params: { uuid } }) }]
        : []),
      ...(status === 'paused' ? [{ id: 'resume', label: t('resume'), icon: icon(IconPlayerPlay), onClick: () => setResuming(row) }] : []),
      ...(open
        ? [
            {
              id: 'done',
              label: t('done'),
              icon: icon(IconCheck),
              onClick: () => void ask('done', () => done.mutate({ params: { uuid } })),
            },
          ]
        : []),
      ...(onEdit !== undefined && (status === 'draft' || status === 'paused')
        ? [{ id: 'edit', label: t('edit'), icon: icon(IconPencil), onClick: () => onEdit(uuid) }]
        : []),
      { id: 'duplicate', label: t('duplicate'), icon: icon(IconCopy), onClick: () => duplicate.mutate({ params: { uuid } }) },
      {
        id: 'remove',
        label: t('remove'),
        icon: icon(IconTrash),
        danger: true,
        onClick: () => void ask('remove', () => remove.mutate({ params: { uuid } })),
      },
    ]
  }
  return {
    actionsFor,
    dialog: resuming !== undefined && <ResumeRecold uuid={resuming.uuid} onClose={() => setResuming(undefined)} />,
  }
}
