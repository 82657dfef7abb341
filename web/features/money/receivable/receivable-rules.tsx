import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { PAYOUT_SCHEDULES, PERIOD_ENDS } from '#contract/money/payment.ts'
import { receivableSettingApi } from '#contract/money/advertiser-billing.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { query } from '#web/api/query.ts'
import { NumberField } from '#web/kit/fields/number-field.tsx'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import { SwitchField } from '#web/kit/fields/switch-field.tsx'
import { TextField } from '#web/kit/fields/text-field.tsx'
import { CurrencyAmounts } from '#web/features/money/receivable/currency-amounts.tsx'
import { typed } from '#web/features/money/receivable/receivable-words.ts'
import { typedNumber } from '#web/kit/fields/typed-number.ts'
import { FormSection } from '#web/kit/form/form-section.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import { QueryPage } from '#web/kit/page/query-page.tsx'
import { SettingForm } from '#web/setting-form.tsx'

/** When advertisers pay and are reminded, and when their credit ends. */
export function ReceivableRules() {
  const { t } = useTranslation('receivable')
  return (
    <QueryPage query={useQuery(query(receivableSettingApi.rules, {}))} failed={t('failedList')}>
      {(rules) => <RulesForm rules={rules} />}
    </QueryPage>
  )
}

function RulesForm({ rules }: { rules: CallOutput<typeof receivableSettingApi.rules> }) {
  const { t } = useTranslation('receivable')
  const form = useSaveForm({
    endpoint: receivableSettingApi.updateRules,
    record: rules,
    valuesOf: ({ schedule, makes, hold_days, minimums, net_days, include_hold, reminder_days, warn_percent, short_percent }) => ({
      schedule: schedule as string,
      makes: makes as string,
      hold_days: String(hold_days),
      minimums: minimums.map(({ currency, amount }) => ({ currency, amount: typed(amount) })),
      short_percent: String(short_percent),
      net_days: String(net_days),
      include_hold,
      reminder_days: reminder_days.join(', '),
      warn_percent: String(warn_percent),
    }),
    toInput: (
      { schedule, makes, hold_days, minimums, net_days, include_hold, reminder_days, warn_percent, short_percent },
      { version },
    ) => ({
      body: {
        schedule: schedule as 'monthly',
        makes: makes as 'propose',
        hold_days: typedNumber(hold_days),
        minimums: minimums.map(({ currency, amount }) => ({ currency, amount: amount || '0' })),
        short_percent: typedNumber(short_percent),
        net_days: typedNumber(net_days),
        include_hold,
        reminder_days: reminder_days
          .split(/[\s,;]+/)
          .filter(Boolean)
          .map(Number),
        warn_percent: typedNumber(warn_percent),
        version,
      },
    }),
    invalidate: [receivableSettingApi.rules],
  })
  return (
    <SettingForm of={form} section="receivables" label={t('rules.title')} changed={rules.changed}>
      <FormSection title={t('rules.runs')} text={t('rules.runsText')}>
        <SelectField
          of={form}
          name="schedule"
          label={t('schedule')}
          options={PAYOUT_SCHEDULES.map((value) => ({ value, label: t(`schedule.${value}`) }))}
          required
        />
        <SelectField
          of={form}
          name="makes"
          label={t('makes')}
          help={t('makesHelp')}
          options={PERIOD_ENDS.map((value) => ({ value, label: t(`makes.${value}`) }))}
          required
        />
        <NumberField of={form} name="hold_days" label={t('hold_days')} help={t('hold_daysHelp')} whole />
        <CurrencyAmounts
          label={t('minimums')}
          help={t('minimumsHelp')}
          add={t('minimums.add')}
          list={form.values.minimums}
          onChange={(minimums) => form.form.setFieldValue('minimums', minimums)}
        />
      </FormSection>
      <FormSection title={t('rules.title')} text={t('rules.text')}>
        <NumberField of={form} name="net_days" label={t('net_days')} help={t('net_daysHelp')} whole />
        <SwitchField of={form} name="include_hold" label={t('include_hold.yes')} help={t('include_holdHelp')} />
        <TextField of={form} name="reminder_days" label={t('reminder_days')} help={t('reminder_daysHelp')} />
        <NumberField of={form} name="short_percent" label={t('short_percent')} help={t('short_percentHelp')} unit="%" whole />
        <NumberField of={form} name="warn_percent" label={t('warn_percent')} help={t('warn_percentHelp')} unit="%" whole />
      </FormSection>
    </SettingForm>
  )
}
