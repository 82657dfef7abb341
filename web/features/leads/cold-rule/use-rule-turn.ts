import { useTranslation } from '#web/i18n/use-translation.ts'
import { coldRuleApi, type ColdRuleRow } from '#contract/leads/cold-rule.ts'
import { useSave } from '#web/api/query.ts'
import { RULES_CHANGED } from '#web/features/leads/cold-rule/rules-changed.ts'
import { confirm } from '#web/kit/feedback/confirm.tsx'
import { notify } from '#web/notify.ts'

export type RuleState = Pick<ColdRuleRow, 'uuid' | 'title' | 'status' | 'number' | 'live_number' | 'tried'>

/** Starts a rule, or puts its latest version in force, once somebody has said so again; or lets it stand still. */
export function useRuleTurn(): (rule: RuleState, on: boolean) => void {
  const { t } = useTranslation('coldRule')
  const said = (text: string) => ({ invalidate: RULES_CHANGED, onSuccess: () => notify.success(text) })
  const activate = useSave(coldRuleApi.activate, said(t('activated')))
  const pause = useSave(coldRuleApi.pause, said(t('paused')))
  const start = async ({ uuid, title }: RuleState) => {
    const question = { title: t('activate.title', { title }), text: t('activate.text'), action: t('activate') }
    if (await confirm(question)) activate.mutate({ params: { uuid } })
  }
  return (rule, on) => {
    if (on) void start(rule)
    else pause.mutate({ params: { uuid: rule.uuid } })
  }
}
