import { ActionIcon, Button } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { CONDITION_OPS, type ResponseSpec } from '#contract/leads/integration-spec.ts'
import { LongTextField } from '#web/kit/fields/long-text-field.tsx'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import { TextField } from '#web/kit/fields/text-field.tsx'
import type { SaveForm } from '#web/kit/form/use-save-form.ts'
import type { SpecValues } from './spec-values.ts'
import classes from './spec.module.css'

type Props = {
  of: SaveForm<SpecValues>
  path: `rules.${number}.when` | `steps.${number}.rules.${number}.when` | `pull.error_when.${number}` | 'pull.sale_when'
  conditions: ResponseSpec['rules'][number]['when']
  /** So many have to stay. */
  least: 0 | 1
  most: number
  add: string
  /** What an empty place stands for; '' = it has to be named. */
  placeholder: string
}

/** What a condition of these compares with nothing. */
const ALONE: ReadonlySet<string> = new Set(['exists', 'absent', 'truthy', 'falsy'])

/** Conditions on what stands somewhere in an answer. */
export function ConditionRows({ of, path, conditions, least, most, add, placeholder }: Props) {
  const { t } = useTranslation('integration')
  return (
    <>
      {conditions.map((condition, place) => (
        // conditions have no name of their own while they are typed
        // oxlint-disable-next-line react/no-array-index-key
        <div key={place} className={classes.condition}>
          <TextField of={of} name={`${path}.${place}.at`} label={t('rule.at')} placeholder={placeholder} />
          <SelectField
            of={of}
            name={`${path}.${place}.op`}
            label={t('rule.op')}
            options={CONDITION_OPS.map((value) => ({ value, label: t(`op.${value}`) }))}
          />
          {ALONE.has(condition.op) ? (
            <span />
          ) : condition.op === 'in' ? (
            <LongTextField of={of} name={`${path}.${place}.value`} label={t('rule.values')} rows={1} />
          ) : (
            <TextField of={of} name={`${path}.${place}.value`} label={t('rule.value')} />
          )}
          <ActionIcon
            variant="subtle"
            color="gray"
            size={34}
            mt={27}
            aria-label={t('rule.removeCondition')}
            title={t('rule.removeCondition')}
            disabled={conditions.length <= least}
            onClick={() => of.form.removeListItem(path, place)}
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
          disabled={conditions.length >= most}
          onClick={() => of.form.insertListItem(path, { at: '', op: 'exists', value: '' })}
        >
          {add}
        </Button>
      </div>
    </>
  )
}
