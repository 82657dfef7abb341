import { Button } from '@mantine/core'
import { IconUsersGroup } from '@tabler/icons-react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { coldRuleApi } from '#contract/leads/cold-rule.ts'
import { useSave } from '#web/api/query.ts'
import { Counted } from '#web/features/leads/cold-rule/counted.tsx'
import type { RuleBody } from '#web/features/leads/cold-rule/rule-values.ts'
import { Panel } from '#web/kit/page/panel.tsx'

/** Counts whom the rule would take as its form stands; what was counted stays until it is counted again. `uuid`: of a rule that is changed. */
export function CountPanel({ of, uuid }: { of: RuleBody; uuid: string | null }) {
  const { t } = useTranslation('coldRule')
  const counting = useSave(coldRuleApi.count)
  const { title: _title, action, ...settings } = of
  const chosen = (action.kind === 'list' ? action.list_uuid : action.template_uuid) !== ''
  const body = { ...settings, action: chosen ? action : null, uuid }
  const whole = coldRuleApi.count.body.safeParse(body).success
  const counted = counting.variables?.body
  const stale = counted !== undefined && JSON.stringify(counted) !== JSON.stringify(body)
  return (
    <Panel
      title={t('count')}
      text={t('count.text')}
      actions={
        <Button
          variant="default"
          leftSection={<IconUsersGroup size={16} aria-hidden />}
          loading={counting.isPending}
          disabled={!whole}
          onClick={() => counting.mutate({ body })}
        >
          {t('count.action')}
        </Button>
      }
    >
      {!whole && <p className="ohma-soft">{t('count.incomplete')}</p>}
      {stale && counting.data !== undefined && (
        <p className="ohma-soft" role="status">
          {t('count.stale')}
        </p>
      )}
      {counting.data !== undefined && <Counted of={counting.data} by={(counted ?? body).trigger.kind} />}
    </Panel>
  )
}
