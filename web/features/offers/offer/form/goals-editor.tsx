import { ActionIcon, Autocomplete, Button, Radio, Switch } from '@mantine/core'
import { IconCopy, IconPlus, IconTrash } from '@tabler/icons-react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { goalType } from '#contract/offers/offer-fields.ts'
import { useConstants } from '#web/api/constants.ts'
import { blankGoal, blankRule, type GoalValues, type OfferValues } from '#web/features/offers/offer/form/offer-values.ts'
import { fieldProps } from '#web/kit/fields/field.ts'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import { TextField } from '#web/kit/fields/text-field.tsx'
import { FormSection } from '#web/kit/form/form-section.tsx'
import { fieldId, focusField, type SaveForm } from '#web/kit/form/use-save-form.ts'
import classes from '#web/features/offers/offer/form/offer-form.module.css'

/** What is paid for: a table edited in place, one goal of which is the default. */
export function GoalsEditor({ of }: { of: SaveForm<OfferValues> }) {
  const { t } = useTranslation('offer')
  const { goals } = of.values
  const { insertListItem, removeListItem, setFieldValue } = of.form
  of.labels.set('goals', t('section.goals'))

  const usual = new Map(useConstants().goals.map(({ value, label }) => [label, value]))
  /** The code follows the title until somebody writes it, but that of a stored goal stays: advertisers' postbacks name it. */
  const name = (title: string, index: number) => {
    const goal = goals[index]
    if (goal === undefined) return
    setFieldValue(`goals.${index}.title`, title)
    const others = goals.filter((_goal, other) => other !== index)
    const codeOf = (text: string) => freeCode(usual.get(text.trim()) ?? codeFrom(text), others)
    if (goal.uuid === undefined && goal.code === codeOf(goal.title)) setFieldValue(`goals.${index}.code`, codeOf(title))
  }

  const makeDefault = (chosen: number) => goals.forEach((_goal, index) => setFieldValue(`goals.${index}.is_default`, index === chosen))
  const remove = (index: number) => {
    const wasDefault = goals[index]?.is_default
    removeListItem('goals', index)
    if (wasDefault) setFieldValue('goals.0.is_default', true)
  }
  const duplicate = ({ uuid: _uuid, ...goal }: GoalValues, index: number) =>
    insertListItem(
      'goals',
      blankGoal({ ...goal, code: freeCode(goal.code, goals), is_default: false, rules: goal.rules.map((rule) => blankRule(rule)) }),
      index + 1,
    )

  return (
    <FormSection title={t('section.goals')} text={t('section.goalsText')}>
      <div className={classes.rows} data-wide>
        {goals.map((goal, index) => (
          <div key={goal.key} role="group" aria-label={t('goal.row', { number: index + 1, title: goal.title })} className={classes.goal}>
            <Radio
              name={`${of.id}-default-goal`}
              label={t('goal.default')}
              checked={goal.is_default}
              onChange={() => makeDefault(index)}
              className={classes.tick}
            />
            <Autocomplete
              {...fieldProps({ of, name: `goals.${index}.title`, label: t('goal.title'), required: true })}
              data={[...usual.keys()]}
              value={goal.title}
              onChange={(title) => name(title, index)}
            />
            <TextField of={of} name={`goals.${index}.code`} label={t('goal.code')} required />
            <SelectField
              of={of}
              name={`goals.${index}.type`}
              label={t('goal.type')}
              options={goalType.options.map((value) => ({ value, label: t(`goalType.${value}`) }))}
            />
            <Switch
              label={t('goal.hidden')}
              checked={goal.hidden}
              onChange={(event) => setFieldValue(`goals.${index}.hidden`, event.currentTarget.checked)}
              className={classes.tick}
            />
            <Switch
              label={t('goal.repeatable')}
              checked={goal.repeatable}
              onChange={(event) => setFieldValue(`goals.${index}.repeatable`, event.currentTarget.checked)}
              className={classes.tick}
            />
            <span className={classes.rowActions}>
              <ActionIcon variant="subtle" color="gray" size={34} aria-label={t('goal.duplicate')} onClick={() => duplicate(goal, index)}>
                <IconCopy size={16} aria-hidden />
              </ActionIcon>
              <ActionIcon
                variant="subtle"
                color="gray"
                size={34}
                disabled={goals.length === 1}
                aria-label={t('goal.remove')}
                onClick={() => remove(index)}
              >
                <IconTrash size={16} aria-hidden />
              </ActionIcon>
            </span>
          </div>
        ))}
        <Button
          id={fieldId(of.id, 'goals')}
          variant="default"
          leftSection={<IconPlus size={16} aria-hidden />}
          disabled={goals.length >= 30}
          onClick={() => {
            insertListItem('goals', blankGoal())
            requestAnimationFrame(() => focusField(of.id, `goals.${goals.length}.title`))
          }}
          style={{ alignSelf: 'start' }}
        >
          {t('goal.add')}
        </Button>
      </div>
    </FormSection>
  )
}

/** A title as a code, as far as it is Latin: "First deposit" → `first-deposit`. */
function codeFrom(title: string): string {
  const words = title.toLowerCase().match(/[a-z0-9]+/g) ?? []
  return words.join('-').slice(0, 40)
}

/** The code itself, or with a number where another goal has it. */
function freeCode(code: string, goals: readonly { code: string }[]): string {
  if (code === '' || !goals.some((goal) => goal.code === code)) return code
  for (let number = 2; ; number += 1) {
    const next = `${code.slice(0, 36)}-${number}`
    if (!goals.some((goal) => goal.code === next)) return next
  }
}
