import { ActionIcon, Button } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useCountryOptions } from '#web/kit/fields/country-field.tsx'
import { changeAt, valueAt } from '#web/kit/fields/field.ts'
import { MultiSelectField } from '#web/kit/fields/multi-select-field.tsx'
import { NumberField } from '#web/kit/fields/number-field.tsx'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import { focusField, type SaveForm } from '#web/kit/form/use-save-form.ts'
import classes from './price.module.css'

type PriceRowsProps<Values> = {
  of: SaveForm<Values>
  /** Where the prices stand in the form. */
  path: string
  words: Record<'title' | 'text' | 'goal' | 'geos' | 'others' | 'price' | 'add', string> &
    Record<'row' | 'remove', (number: number) => string>
  goals: { value: string; label: string }[]
  /** What a new one is for. */
  goal: string
  currency: string
  /** Where a row says what affiliates get too, what that is called and what stands there without one. */
  payout?: { label: string; placeholder: string }
}

/** What is paid for a goal by country: rows edited in place. */
export function PriceRows<Values>({ of, path, words, goals, goal, currency, payout }: PriceRowsProps<Values>) {
  const countries = useCountryOptions()
  const prices = valueAt<Values, object[]>(of, path)
  const add = () => {
    changeAt(of, path, [...prices, { goal, geos: [], price: '', ...(payout !== undefined && { payout: '' }) }])
    requestAnimationFrame(() => focusField(of.id, `${path}.${prices.length}.price`))
  }
  return (
    <div className={classes.rows} data-wide>
      <strong>{words.title}</strong>
      <p className="ohma-soft">{words.text}</p>
      {prices.map((_row, at) => (
        <div key={at} role="group" aria-label={words.row(at + 1)} className={classes.row}>
          <SelectField of={of} name={`${path}.${at}.goal`} label={words.goal} options={goals} />
          <div className={classes.geos}>
            <MultiSelectField of={of} name={`${path}.${at}.geos`} label={words.geos} options={countries} placeholder={words.others} />
          </div>
          <NumberField of={of} name={`${path}.${at}.price`} label={words.price} unit={currency} required />
          {payout !== undefined && (
            <NumberField of={of} name={`${path}.${at}.payout`} label={payout.label} unit={currency} placeholder={payout.placeholder} />
          )}
          <ActionIcon
            variant="subtle"
            color="gray"
            size={34}
            aria-label={words.remove(at + 1)}
            onClick={() => of.form.removeListItem(path, at)}
          >
            <IconTrash size={16} aria-hidden />
          </ActionIcon>
        </div>
      ))}
      <Button
        size="compact-md"
        variant="default"
        leftSection={<IconPlus size={15} aria-hidden />}
        disabled={prices.length >= 300}
        onClick={add}
      >
        {words.add}
      </Button>
    </div>
  )
}
