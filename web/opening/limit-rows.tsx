import { ActionIcon, Button } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { CAP_PERIODS, type CapPeriod } from '#contract/offers/offer-cap.ts'
import { changeAt, valueAt } from '#web/kit/fields/field.ts'
import { NumberField } from '#web/kit/fields/number-field.tsx'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import { focusField, type SaveForm } from '#web/kit/form/use-save-form.ts'
import classes from './opening.module.css'

type Limit = { period: CapPeriod; measure: string }
type LimitRowsProps<Values> = {
  of: SaveForm<Values>
  /** Where the limits stand in the form. */
  path: string
  words: Record<'title' | 'text' | 'limit' | 'measure' | 'period' | 'remove' | 'add', string> & { row: (number: number) => string }
  measures: { value: string; label: string }[]
  most: number
  /** What a new one holds beside its period, measure and number. */
  blank?: object
  /** What else is asked of one. */
  children?: (limit: Limit, at: number) => ReactNode
}

/** How much is taken in each period. */
export function LimitRows<Values>({ of, path, words, measures, most, blank, children }: LimitRowsProps<Values>) {
  const { t: word } = useTranslation('cap')
  const limits = valueAt<Values, Limit[]>(of, path)
  const free = (['day', 'week', 'month', 'total', 'hour'] as const).find(
    (period) => !limits.some((limit) => limit.period === period && limit.measure === 'accepted'),
  )
  return (
    <div className={classes.limits} data-wide>
      <strong>{words.title}</strong>
      <p className="ohma-soft">{words.text}</p>
      {limits.map((limit, at) => (
        <div key={at} role="group" aria-label={words.row(at + 1)} className={classes.limit}>
          <NumberField of={of} name={`${path}.${at}.limit`} label={words.limit} whole required />
          <SelectField of={of} name={`${path}.${at}.measure`} label={words.measure} options={measures} />
          {children?.(limit, at)}
          <SelectField
            of={of}
            name={`${path}.${at}.period`}
            label={words.period}
            options={CAP_PERIODS.map((value) => ({ value, label: word(`period.${value}`) }))}
          />
          <ActionIcon variant="subtle" color="gray" size={34} aria-label={words.remove} onClick={() => of.form.removeListItem(path, at)}>
            <IconTrash size={16} aria-hidden />
          </ActionIcon>
        </div>
      ))}
      <Button
        size="compact-md"
        variant="default"
        leftSection={<IconPlus size={15} aria-hidden />}
        disabled={limits.length >= most}
        onClick={() => {
          changeAt(of, path, [...limits, { ...blank, period: free ?? 'day', measure: 'accepted', limit: '' }])
          requestAnimationFrame(() => focusField(of.id, `${path}.${limits.length}.limit`))
        }}
      >
        {words.add}
      </Button>
    </div>
  )
}
