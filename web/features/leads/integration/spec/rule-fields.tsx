import { useTranslation } from '#web/i18n/use-translation.ts'
import { OUTCOMES, type ResponseSpec } from '#contract/leads/integration-spec.ts'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import { TextField } from '#web/kit/fields/text-field.tsx'
import type { SaveForm } from '#web/kit/form/use-save-form.ts'
import { ConditionRows } from './condition-rows.tsx'
import { Rows } from './rows.tsx'
import type { SpecValues } from './spec-values.ts'
import classes from './spec.module.css'

type Props = { of: SaveForm<SpecValues>; path: 'rules' | `steps.${number}.rules`; rules: ResponseSpec['rules'] }

const BLANK = { when: [{ at: '', op: 'eq', value: '200' }], outcome: 'accepted', reason: '' }

/** What an answer means: the first rule all of whose conditions hold decides. */
export function RuleFields({ of, path, rules }: Props) {
  const { t } = useTranslation('integration')
  return (
    <Rows of={of} path={path} label={t('rules')} count={rules.length} blank={BLANK} most={50} add={t('rules.add')} ordered columns={2}>
      {(index) => (
        <div className={classes.box} style={{ gridColumn: 'span 2' }}>
          <ConditionRows
            of={of}
            path={`${path}.${index}.when`}
            conditions={rules[index]?.when ?? []}
            least={1}
            most={10}
            add={t('rule.and')}
            placeholder={t('rule.status')}
          />
          <div className={classes.fields}>
            <SelectField
              of={of}
              name={`${path}.${index}.outcome`}
              label={t('rule.outcome')}
              options={OUTCOMES.map((value) => ({ value, label: t(`outcome.${value}`) }))}
              help={t(`outcomeHelp.${rules[index]?.outcome ?? 'accepted'}`)}
            />
            <TextField of={of} name={`${path}.${index}.reason`} label={t('rule.reason')} help={t('rule.reasonHelp')} />
          </div>
        </div>
      )}
    </Rows>
  )
}
