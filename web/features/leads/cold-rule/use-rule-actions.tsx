import { IconArchive, IconPencil, IconPlayerPause, IconPlayerPlay, IconPlayerTrackNext } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { coldRuleApi, type ColdRuleRow } from '#contract/leads/cold-rule.ts'
import { useSave } from '#web/api/query.ts'
import { RULES_CHANGED } from '#web/features/leads/cold-rule/cold-rule-form.tsx'
import { confirm } from '#web/kit/feedback/confirm.tsx'
import type { RowAction } from '#web/kit/table/column.ts'
import { notify } from '#web/notify.ts'
import { useCan } from '#web/shell/access.ts'

export type RuleState = Pick<ColdRuleRow, 'uuid' | 'title' | 'status' | 'number' | 'live_number' | 'tried'>

/** Whether its latest settings are in force. */
export function isCurrent({ number, live_number: live }: RuleState): boolean {
  return number === live
}

/** What is done with a rule as a whole. */
export function useRuleActions(onEdit: (uuid: string) => void): {
  actionsFor: (rule: RuleState) => RowAction[]
  /** The switch of its row: starts it, or lets it stand still. */
  turn: (rule: RuleState, on: boolean) => void
} {
  const { t } = useTranslation('coldRule')
  const can = useCan()
  const said = (text: string) => ({ invalidate: RULES_CHANGED, onSuccess: () => notify.success(text) })
  const activate = useSave(coldRuleApi.activate, said(t('activated')))
  const pause = useSave(coldRuleApi.pause, said(t('paused')))
  const archive = useSave(coldRuleApi.archive, said(t('archived')))
  const run = useSave(coldRuleApi.run, said(t('asked')))
  const start = async (rule: RuleState) => {
    const question = { title: t('activate.title', { title: rule.title }), text: t('activate.text'), action: t('activate') }
    if (await confirm(question)) activate.mutate({ params: { uuid: rule.uuid } })
  }
  const askArchive = async ({ uuid, title }: RuleState) => {
    if (await confirm({ title: t('archive.title', { title }), text: t('archive.text'), action: t('archive'), danger: true }))
      archive.mutate({ params: { uuid } })
  }
  const icon = (Sign: typeof IconPencil) => <Sign size={16} aria-hidden />
  return {
    turn: (rule, on) => {
      if (on) void start(rule)
      else pause.mutate({ params: { uuid: rule.uuid } })
    },
    actionsFor: (rule) => {
      const { uuid, status } = rule
      if (!can('cold.write') || status === 'archived') return []
      return [
        ...(status !== 'active' || !isCurrent(rule)
          ? [
              {
                id: 'activate',
                label: status === 'active' ? t('activate.version', { number: rule.number }) : t('activate'),
                icon: icon(IconPlayerPlay),
                disabled: !rule.tried,
                onClick: () => void start(rule),
              },
            ]
          : []),
        ...(status === 'active'
          ? [
              { id: 'run', label: t('run'), icon: icon(IconPlayerTrackNext), onClick: () => run.mutate({ params: { uuid } }) },
              { id: 'pause', label: t('pause'), icon: icon(IconPlayerPause), onClick: () => pause.mutate({ params: { uuid } }) },
            ]
          : []),
        { id: 'edit', label: t('edit'), icon: icon(IconPencil), onClick: () => onEdit(uuid) },
        { id: 'archive', label: t('archive'), icon: icon(IconArchive), danger: true, onClick: () => void askArchive(rule) },
      ]
    },
  }
}
