import { IconArchive, IconPencil, IconPlayerPause, IconPlayerPlay, IconPlayerTrackNext } from '@tabler/icons-react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { coldRuleApi } from '#contract/leads/cold-rule.ts'
import { useSave } from '#web/api/query.ts'
import { RULES_CHANGED } from '#web/features/leads/cold-rule/rules-changed.ts'
import { useRuleTurn, type RuleState } from '#web/features/leads/cold-rule/use-rule-turn.ts'
import { confirm } from '#web/kit/feedback/confirm.tsx'
import type { RowAction } from '#web/kit/table/column.ts'
import { notify } from '#web/notify.ts'
import { useCan } from '#web/shell/access.ts'

/** Whether its latest settings are in force. */
export function isCurrent({ number, live_number: live }: RuleState): boolean {
  return number === live
}

/** What is done with a rule as a whole. */
export function useRuleActions(onEdit: (uuid: string) => void): { actionsFor: (rule: RuleState) => RowAction[] } {
  const { t } = useTranslation('coldRule')
  const can = useCan()
  const turn = useRuleTurn()
  const said = (text: string) => ({ invalidate: RULES_CHANGED, onSuccess: () => notify.success(text) })
  const archive = useSave(coldRuleApi.archive, said(t('archived')))
  const run = useSave(coldRuleApi.run, said(t('asked')))
  const askArchive = async ({ uuid, title }: RuleState) => {
    if (await confirm({ title: t('archive.title', { title }), text: t('archive.text'), action: t('archive'), danger: true }))
      archive.mutate({ params: { uuid } })
  }
  const icon = (Sign: typeof IconPencil) => <Sign size={16} aria-hidden />
  return {
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
                onClick: () => turn(rule, true),
              },
            ]
          : []),
        ...(status === 'active'
          ? [
              { id: 'run', label: t('run'), icon: icon(IconPlayerTrackNext), onClick: () => run.mutate({ params: { uuid } }) },
              { id: 'pause', label: t('pause'), icon: icon(IconPlayerPause), onClick: () => turn(rule, false) },
            ]
          : []),
        { id: 'edit', label: t('edit'), icon: icon(IconPencil), onClick: () => onEdit(uuid) },
        { id: 'archive', label: t('archive'), icon: icon(IconArchive), danger: true, onClick: () => void askArchive(rule) },
      ]
    },
  }
}
