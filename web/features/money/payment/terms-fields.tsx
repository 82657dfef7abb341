import { ActionIcon, Button } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { NET_DAYS, PAYOUT_SCHEDULES, PERIOD_ENDS } from '#contract/money/payment.ts'
import { useConstants } from '#web/api/constants.ts'
import { changeAt } from '#web/kit/fields/field.ts'
import { NumberField } from '#web/kit/fields/number-field.tsx'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import { fieldId, type SaveForm } from '#web/kit/form/use-save-form.ts'
import type { TermsValues } from './terms-values.ts'
import classes from './payment.module.css'

/** When affiliates are paid, and from which sum on: the network's terms, or those of one of them. */
export function TermsFields<Values extends TermsValues>({ of: whole }: { of: SaveForm<Values> }) {
  const { t } = useTranslation('payment')
  const { currency } = useConstants()
  // the form has more fields; these are all that is drawn and changed here
  const of = whole as unknown as SaveForm<TermsValues>
  const { minimums } = of.values
  return (
    <>
      <SelectField
        of={of}
        name="schedule"
        label={t('schedule')}
        options={PAYOUT_SCHEDULES.map((value) => ({ value, label: t(`schedule.${value}`) }))}
        required
      />
      <SelectField of={of} name="net" label={t('net')} options={NET_DAYS.map((value) => ({ value, label: t(`net.${value}`) }))} required />
      <SelectField
        of={of}
        name="makes"
        label={t('makes')}
        help={t('makesHelp')}
        options={PERIOD_ENDS.map((value) => ({ value, label: t(`makes.${value}`) }))}
        required
      />
      <NumberField of={of} name="hold_days" label={t('holdDays')} help={t('holdDaysHelp')} unit={t('daysUnit')} whole />
      <div data-wide id={fieldId(of.id, 'minimums')} tabIndex={-1}>
        <p className={classes.label}>{t('minimums')}</p>
        <p className="ohma-soft">{t('minimumsHelp')}</p>
        {minimums.map((_one, place) => (
          // the place is what stays while somebody chooses
          // oxlint-disable-next-line react/no-array-index-key
          <div key={place} className={classes.minimum}>
            <SelectField of={of} name={`minimums.${place}.currency`} label={t('currency', { ns: 'common' })} options={currency} required />
            <NumberField of={of} name={`minimums.${place}.amount`} label={t('minimum')} required />
            <ActionIcon
              variant="subtle"
              color="red"
              aria-label={t('remove')}
              onClick={() =>
                changeAt(
                  of,
                  'minimums',
                  minimums.filter((_other, other) => other !== place),
                )
              }
            >
              <IconTrash size={16} aria-hidden />
            </ActionIcon>
          </div>
        ))}
        <Button
          variant="default"
          size="compact-sm"
          mt={8}
          leftSection={<IconPlus size={14} aria-hidden />}
          disabled={minimums.length >= 20}
          onClick={() => changeAt(of, 'minimums', [...minimums, { currency: null, amount: '' }])}
        >
          {t('addMinimum')}
        </Button>
      </div>
    </>
  )
}
