import { ActionIcon, Button } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { CONDITION_OPS, OUTCOMES, type ResponseSpec } from '#contract/leads/integration-spec.ts'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import { TextField } from '#web/kit/fields/text-field.tsx'
import type { SaveForm } from '#web/kit/form/use-save-form.ts'
import { Rows } from './rows.tsx'
import type { SpecValues } from './spec-values.ts'
import classes from './spec.module.css'

type Props = { of: SaveForm<SpecValues>; path: 'rules' | `steps.${number}.rules`; rules: ResponseSpec['rules'] }

const BLANK = { when: [{ at: '', op: 'eq', value: '200' }], outcome: 'accepted', reason: '' }
/** What a condition of these compares with nothing. */
const ALONE: ReadonlySet<string> = new Set(['exists', 'absent', 'truthy', 'falsy'])

/** What an answer means: the first rule all of whose conditions hold decides. */
export function RuleFields({ of, path, rules }: Props) {
  const { t } = useTranslation('integration')
  return (
    <Rows of={of} path={path} label={t('rules')} count={rules.length} blank={BLANK} most={50} add={t('rules.add')} ordered columns={2}>
      {(index) => (
        <div className={classes.box} style={{ gridColumn: 'span 2' }}>
          {(rules[index]?.when ?? []).map((condition, place) => (
            // conditions have no name of their own while they are typed
            // oxlint-disable-next-line react/no-array-index-key
            <div
              key={place}
              className={classes.boxHead}
              style={{ gridTemplateColumns: 'minmax(0, 2fr) minmax(0, 1.4fr) minmax(0, 2fr) auto' }}
            >
              <TextField of={of} name={`${path}.${index}.when.${place}.at`} label={t('rule.at')} placeholder={t('rule.status')} />
              <SelectField
                of={of}
                name={`${path}.${index}.when.${place}.op`}
                label={t('rule.op')}
                options={CONDITION_OPS.map((value) => ({ value, label: t(`op.${value}`) }))}
              />
              {ALONE.has(condition.op) ? (
                <span />
              ) : (
                <TextField of={of} name={`${path}.${index}.when.${place}.value`} label={t('rule.value')} />
              )}
              <ActionIcon
                variant="subtle"
                color="gray"
                size={34}
                mt={27}
                aria-label={t('rule.removeCondition')}
                title={t('rule.removeCondition')}
                disabled={(rules[index]?.when.length ?? 0) < 2}
                onClick={() => of.form.removeListItem(`${path}.${index}.when`, place)}
              >
                <IconX size={16} aria-hidden />
              </ActionIcon>
            </div>
          ))}
          <div>
            <Button
              size="compact-sm"
              variant="subtle"
              leftSection={<IconPlus size={14} aria-hidden />}
              onClick={() => of.form.insertListItem(`${path}.${index}.when`, { at: '', op: 'exists', value: '' })}
            >
              {t('rule.and')}
            </Button>
          </div>
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
