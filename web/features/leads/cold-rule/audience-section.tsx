import { ActionIcon, Button, Stack } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { MOST_CONDITIONS, MOST_GROUPS } from '#contract/leads/cold-audience.ts'
import { ConditionRow } from '#web/features/leads/cold-rule/condition-row.tsx'
import { blankCondition, type RuleValues } from '#web/features/leads/cold-rule/rule-values.ts'
import { NumberField } from '#web/kit/fields/number-field.tsx'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import { changeAt } from '#web/kit/fields/field.ts'
import { FormSection } from '#web/kit/form/form-section.tsx'
import type { SaveForm } from '#web/kit/form/use-save-form.ts'
import classes from './audience.module.css'

/** Whom a rule takes: groups of conditions. */
export function AudienceSection({ of }: { of: SaveForm<RuleValues> }) {
  const { t } = useTranslation('coldRule')
  const { groups } = of.values.audience
  const conditions = groups.reduce((sum, group) => sum + group.conditions.length, 0)
  const matches = (['all', 'any'] as const).map((value) => ({ value, label: t(`match.${value}`) }))
  const full = conditions >= MOST_CONDITIONS
  return (
    <FormSection title={t('step.who')} text={t('step.whoText')}>
      <NumberField of={of} name="within_days" label={t('within_days')} help={t('within_days.help')} unit={t('days')} whole required />
      {groups.length > 1 && <SelectField of={of} name="audience.match" label={t('match.groups')} options={matches} />}
      <Stack gap={12} data-wide>
        {groups.length === 0 && <p className="ohma-soft">{t('audience.everybody')}</p>}
        {groups.map((group, place) => (
          // groups have no names, and are not moved
          // oxlint-disable-next-line react/no-array-index-key
          <section key={place} className={classes.group} aria-label={t('group', { number: place + 1 })}>
            <div className={classes.head}>
              <SelectField of={of} name={`audience.groups.${place}.match`} label={t('group', { number: place + 1 })} options={matches} />
              <ActionIcon
                variant="subtle"
                color="gray"
                size={36}
                aria-label={t('group.remove', { number: place + 1 })}
                title={t('group.remove', { number: place + 1 })}
                onClick={() => changeAt(of, 'audience.groups', groups.toSpliced(place, 1))}
              >
                <IconTrash size={16} aria-hidden />
              </ActionIcon>
            </div>
            {group.conditions.map((condition, at) => (
              <ConditionRow
                // oxlint-disable-next-line react/no-array-index-key
                key={`${at} ${condition.field}`}
                of={of}
                group={place}
                at={at}
                onRemove={() => changeAt(of, `audience.groups.${place}.conditions`, group.conditions.toSpliced(at, 1))}
              />
            ))}
            <Button
              variant="default"
              size="compact-md"
              disabled={full}
              leftSection={<IconPlus size={14} aria-hidden />}
              onClick={() => changeAt(of, `audience.groups.${place}.conditions`, [...group.conditions, blankCondition('country')])}
            >
              {t('condition.add')}
            </Button>
          </section>
        ))}
        <div>
          <Button
            variant="default"
            disabled={full || groups.length >= MOST_GROUPS}
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() => changeAt(of, 'audience.groups', [...groups, { match: 'all', conditions: [blankCondition('country')] }])}
          >
            {t('group.add')}
          </Button>
        </div>
      </Stack>
    </FormSection>
  )
}
