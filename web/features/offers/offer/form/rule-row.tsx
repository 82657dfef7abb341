import { ActionIcon } from '@mantine/core'
import { IconAlertTriangle, IconCopy, IconGripVertical, IconTrash } from '@tabler/icons-react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { blankRule, landingNames, type OfferValues } from '#web/features/offers/offer/form/offer-values.ts'
import { forgetRefusals, RuleConditions } from '#web/features/offers/offer/form/rule-conditions.tsx'
import { RuleMargin } from '#web/features/offers/offer/form/rule-margin.tsx'
import { ruleSentence } from '#web/features/offers/offer/rule-words.ts'
import { fieldText } from '#web/i18n/language.ts'
import { NumberField } from '#web/kit/fields/number-field.tsx'
import type { SaveForm } from '#web/kit/form/use-save-form.ts'
import classes from '#web/features/offers/offer/form/offer-form.module.css'

type RuleRowProps = {
  of: SaveForm<OfferValues>
  goal: number
  position: number
  /** Why it can never win, should it be so. */
  dead: string | undefined
  dragged: boolean
  onDrag: (position: number | undefined) => void
  onDrop: () => void
  onMove: (by: -1 | 1) => void
}

const AMOUNTS = ['payout_fixed', 'payout_percent', 'revenue_fixed', 'revenue_percent'] as const

/** One payout row: whom it concerns, what is paid, what is left, and all of it in plain words. */
export function RuleRow({ of, goal: goalIndex, position, dead, dragged, onDrag, onDrop, onMove }: RuleRowProps) {
  const { t } = useTranslation('offer')
  const { currency, goals } = of.values
  const goal = goals[goalIndex]
  const rule = goal?.rules[position]
  if (goal === undefined || rule === undefined) return null
  const list = `goals.${goalIndex}.rules`
  const path = `${list}.${position}`
  const terms = { ...rule, affiliates: rule.affiliate_uuids.map(({ id }) => id), landings: landingNames(of.values, rule) }
  const row = t('rule.row', { goal: goal.title, number: position + 1 })
  return (
    // a drop target; moving by keyboard is the handle's business
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      role="group"
      aria-label={row}
      className={classes.rule}
      data-dragged={dragged || undefined}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault()
        onDrop()
      }}
    >
      <ActionIcon
        className={classes.handle}
        variant="subtle"
        color="gray"
        size={30}
        draggable
        aria-label={t('rule.move')}
        title={t('rule.move')}
        aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown"
        onDragStart={(event) => {
          event.dataTransfer.effectAllowed = 'move'
          onDrag(position)
        }}
        onDragEnd={() => onDrag(undefined)}
        onKeyDown={(event) => {
          if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return
          event.preventDefault()
          onMove(event.key === 'ArrowUp' ? -1 : 1)
        }}
      >
        <IconGripVertical size={16} aria-hidden />
      </ActionIcon>
      <RuleConditions of={of} name={path} label={row} rows={list} landings={of.values.landings.filter(({ type }) => type === 'landing')} />
      {AMOUNTS.map((amount) => (
        <div key={amount} className={classes.amount} data-begins={amount.endsWith('fixed') || undefined}>
          <NumberField
            of={of}
            name={`${path}.${amount}`}
            label={t(amount.startsWith('payout') ? 'rule.payout' : 'rule.revenue', { unit: amount.endsWith('percent') ? '%' : currency })}
            placeholder="0"
          />
        </div>
      ))}
      <RuleMargin rule={terms} currency={currency} />
      <span className={classes.rowActions}>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={32}
          aria-label={t('rule.duplicate')}
          onClick={() => of.form.insertListItem(list, blankRule(rule), position + 1)}
        >
          <IconCopy size={16} aria-hidden />
        </ActionIcon>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={32}
          aria-label={t('rule.remove')}
          onClick={() => {
            of.form.removeListItem(list, position)
            forgetRefusals(of, list)
          }}
        >
          <IconTrash size={16} aria-hidden />
        </ActionIcon>
      </span>
      {dead !== undefined && of.form.errors[path] === undefined && (
        <p className={classes.dead}>
          <IconAlertTriangle size={14} aria-hidden />
          {fieldText(dead)}
        </p>
      )}
      <p className={classes.words}>
        {position + 1}. {ruleSentence(t, terms, goal.title || goal.code, currency)}
      </p>
    </div>
  )
}
