import { useTranslation } from '#web/i18n/use-translation.ts'
import { PRODUCT_MEASURES } from '#contract/leads/product.ts'
import { fieldText } from '#web/i18n/language.ts'
import { SwitchField } from '#web/kit/fields/switch-field.tsx'
import { FormSection } from '#web/kit/form/form-section.tsx'
import type { SaveForm } from '#web/kit/form/use-save-form.ts'
import { DayHours } from '#web/opening/day-hours.tsx'
import { LimitRows } from '#web/opening/limit-rows.tsx'
import classes from './product.module.css'
import type { ProductValues } from './product-values.ts'

const DAYS = [0, 1, 2, 3, 4, 5, 6] as const

/** When a product takes leads and how many, whichever offer they come by. */
export function ProductOpening<Values extends ProductValues>({ of }: { of: SaveForm<Values> }) {
  const { t } = useTranslation('product')
  const wrong = of.form.errors['hours']
  of.labels.set('hours', t('hours'))
  return (
    <FormSection title={t('opening')} text={t('openingText')}>
      <SwitchField of={of} name="always" label={t('hours.always')} help={t('hours.alwaysHelp')} wide />
      {!of.values.always && <DayHours of={of} path="days" days={DAYS.map((day) => t(`hours.day.${day}`))} closed={t('hours.closed')} />}
      {typeof wrong === 'string' && (
        <p className={classes.error} data-wide>
          {fieldText(wrong)}
        </p>
      )}
      <LimitRows
        of={of}
        path="caps"
        words={{
          title: t('limits'),
          text: t('limits.text'),
          row: (number) => t('limits.row', { number }),
          limit: t('limits.leads'),
          measure: t('limits.measure'),
          period: t('limits.period'),
          remove: t('limits.remove'),
          add: t('limits.add'),
        }}
        measures={PRODUCT_MEASURES.map((value) => ({ value, label: t(`limits.${value}`) }))}
        most={10}
      />
    </FormSection>
  )
}
