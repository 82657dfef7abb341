import { Switch } from '@mantine/core'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { useRuleTurn, type RuleState } from '#web/features/leads/cold-rule/use-rule-turn.ts'
import { useCan } from '#web/shell/access.ts'

/** Starts a rule or lets it stand still, in its row. What was never run dry is, first, on its panel. */
export function RuleSwitch({ of: rule }: { of: RuleState }) {
  const { t } = useTranslation('coldRule')
  const can = useCan()
  const turn = useRuleTurn()
  const untried = rule.status !== 'active' && !rule.tried
  return (
    <Switch
      aria-label={t('on.of', { title: rule.title })}
      checked={rule.status === 'active'}
      disabled={!can('cold.write') || rule.status === 'archived' || untried}
      title={untried ? t('on.untried', { number: rule.number }) : undefined}
      onChange={(event) => turn(rule, event.currentTarget.checked)}
      onClick={(event) => event.stopPropagation()}
    />
  )
}
