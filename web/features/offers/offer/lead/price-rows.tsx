import { ActionIcon, Button } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { useCountryOptions } from '#web/kit/fields/country-field.tsx'
import { MultiSelectField } from '#web/kit/fields/multi-select-field.tsx'
import { NumberField } from '#web/kit/fields/number-field.tsx'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import { focusField } from '#web/kit/form/use-save-form.ts'
import classes from './lead.module.css'
import { memberAt, type MemberProps } from './member-at.ts'

/** What a product pays and costs by goal and country: rows edited in place. */
export function PriceRows({ of, path }: MemberProps) {
  const { t } = useTranslation('offer')
  const countries = useCountryOptions()
  const prices = memberAt(of, path)?.prices ?? []
  const { goals, currency } = of.values
  const list = `${path}.prices` as const
  const options = goals.filter(({ code }) => code !== '').map(({ code, title }) => ({ value: code, label: title || code }))
  const add = () => {
    of.form.insertListItem(list, {
      goal: (goals.find(({ is_default }) => is_default) ?? goals[0])?.code ?? '',
      geos: [],
      price: '',
      payout: '',
    })
    requestAnimationFrame(() => focusField(of.id, `${list}.${prices.length}.price`))
  }
  return (
    <div className={classes.rows} data-wide>
      <strong>{t('lead.prices')}</strong>
      <p className="ohma-soft">{t('lead.pricesText')}</p>
      {prices.map((_row, index) => (
        <div key={index} role="group" aria-label={t('lead.priceRow', { number: index + 1 })} className={classes.price}>
          <SelectField of={of} name={`${list}.${index}.goal`} label={t('lead.goal')} options={options} />
          <MultiSelectField
            of={of}
            name={`${list}.${index}.geos`}
            label={t('lead.geos')}
            options={countries}
            placeholder={t('lead.otherGeos')}
          />
          <NumberField of={of} name={`${list}.${index}.price`} label={t('lead.price')} unit={currency} required />
          <NumberField of={of} name={`${list}.${index}.payout`} label={t('lead.payout')} unit={currency} placeholder={t('lead.asGoal')} />
          <ActionIcon
            variant="subtle"
            color="gray"
            size={34}
            aria-label={t('lead.priceRemove', { number: index + 1 })}
            onClick={() => of.form.removeListItem(list, index)}
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
        {t('lead.priceAdd')}
      </Button>
    </div>
  )
}
