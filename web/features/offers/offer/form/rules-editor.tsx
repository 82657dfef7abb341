import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { deadRows } from '#contract/offers/payout-row.ts'
import { fieldText } from '#web/i18n/language.ts'
import { blankRule, type OfferValues, type RuleValues } from '#web/features/offers/offer/form/offer-values.ts'
import { forgetRefusals } from '#web/features/offers/offer/form/rule-conditions.tsx'
import { RuleRow } from '#web/features/offers/offer/form/rule-row.tsx'
import { FormSection } from '#web/kit/form/form-section.tsx'
import { fieldId, focusField, type SaveForm } from '#web/kit/form/use-save-form.ts'
import classes from '#web/features/offers/offer/form/offer-form.module.css'

/** Who earns what: for each goal a table edited in place, whose rows are dragged or moved by Alt and the arrow keys. */
export function RulesEditor({ of }: { of: SaveForm<OfferValues> }) {
  const { t } = useTranslation('offer')
  return (
    <FormSection title={t('section.rules')} text={t('section.rulesText')}>
      <div className={classes.rows} data-wide>
        {of.values.goals.map((goal, index) => (
          <GoalRules key={goal.key} of={of} goal={index} />
        ))}
      </div>
    </FormSection>
  )
}

function GoalRules({ of, goal: index }: { of: SaveForm<OfferValues>; goal: number }) {
  const { t } = useTranslation('offer')
  const [dragged, setDragged] = useState<number | undefined>()
  const goal = of.values.goals[index]
  if (goal === undefined) return null
  const path = `goals.${index}.rules`
  const name = goal.title || goal.code || t('goal.unnamed')
  const error = of.form.errors[path]
  of.labels.set(path, t('rule.rowsOf', { goal: name }))
  const dead = new Map(deadRows([{ rules: goal.rules.map(namedRow) }]).map(({ position, text }) => [position, text]))

  const move = (from: number, to: number) => {
    if (to < 0 || to >= goal.rules.length || to === from) return
    of.form.reorderListItem(path, { from, to })
    forgetRefusals(of, path)
  }
  return (
    <div className={classes.goalRules}>
      <h2 className={classes.goalName}>{name}</h2>
      {goal.rules.length > 0 && (
        <div className={classes.ruleHead} aria-hidden>
          <span />
          <span>{t('rule.applies')}</span>
          <span>{t('rule.payout', { unit: of.values.currency })}</span>
          <span>{t('rule.payout', { unit: '%' })}</span>
          <span>{t('rule.revenue', { unit: of.values.currency })}</span>
          <span>{t('rule.revenue', { unit: '%' })}</span>
          <span>{t('rule.margin')}</span>
        </div>
      )}
      {goal.rules.map((rule, position) => (
        <RuleRow
          key={rule.key}
          of={of}
          goal={index}
          position={position}
          dead={dead.get(position)}
          dragged={dragged === position}
          onDrag={setDragged}
          onDrop={() => {
            if (dragged !== undefined) move(dragged, position)
            setDragged(undefined)
          }}
          onMove={(by) => move(position, position + by)}
        />
      ))}
      {goal.rules.length === 0 && <p className={classes.none}>{t('rule.none')}</p>}
      {typeof error === 'string' && <p className={classes.error}>{fieldText(error)}</p>}
      <Button
        id={fieldId(of.id, path)}
        size="compact-md"
        variant="default"
        leftSection={<IconPlus size={15} aria-hidden />}
        aria-label={t('rule.addTo', { goal: name })}
        disabled={goal.rules.length >= 200}
        onClick={() => {
          of.form.insertListItem(path, blankRule())
          requestAnimationFrame(() => focusField(of.id, `${path}.${goal.rules.length}`))
        }}
        style={{ alignSelf: 'start' }}
      >
        {t('rule.add')}
      </Button>
    </div>
  )
}

function namedRow(rule: RuleValues) {
  return { ...rule, affiliate_uuids: rule.affiliate_uuids.map(({ uuid }) => uuid) }
}
