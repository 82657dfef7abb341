import { Alert, Text } from '@mantine/core'
import { IconAlertTriangle, IconUsers } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { billingApi } from '#contract/money/billing.ts'
import { proposalApi } from '#contract/money/proposal.ts'
import { query } from '#web/api/query.ts'
import { NumberField } from '#web/kit/fields/number-field.tsx'
import { SwitchField } from '#web/kit/fields/switch-field.tsx'
import { typedNumber } from '#web/kit/fields/typed-number.ts'
import { FormSection } from '#web/kit/form/form-section.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import { QueryPage } from '#web/kit/page/query-page.tsx'
import { notify } from '#web/notify.ts'
import { SettingForm } from '#web/setting-form.tsx'

/** Who approves invoices, and when they are due. */
export function BillingRules() {
  const { t } = useTranslation('invoice')
  return (
    <QueryPage query={useQuery(query(billingApi.rules, {}))} failed={t('failedList')}>
      {(rules) => <RulesForm rules={rules} />}
    </QueryPage>
  )
}

function RulesForm({ rules }: { rules: CallOutput<typeof billingApi.rules> }) {
  const { t } = useTranslation('invoice')
  const { t: kit } = useTranslation('kit')
  const waits = useQuery(query(proposalApi.list, { body: { kind: ['rules'], state: ['open'] } }, { quiet: true })).data?.list[0]
  const second = useQuery(query(proposalApi.second, {}, { quiet: true }))
  const form = useSaveForm({
    endpoint: billingApi.updateRules,
    record: rules,
    valuesOf: ({ four_eyes, four_eyes_limit, receipt_limit, object_days, own_invoice, ask_first }) => ({
      four_eyes,
      four_eyes_limit,
      receipt_limit,
      object_days: String(object_days),
      own_invoice,
      ask_first,
    }),
    toInput: ({ four_eyes_limit, receipt_limit, object_days, ...values }, { version }) => ({
      body: {
        ...values,
        four_eyes_limit: four_eyes_limit || '0',
        receipt_limit: receipt_limit || '0',
        object_days: typedNumber(object_days),
        version,
      },
    }),
    invalidate: [billingApi.rules, proposalApi.list],
    savedText: '',
    onSaved: (kept, { four_eyes, four_eyes_limit, receipt_limit }) => {
      const isKept =
        kept.four_eyes === four_eyes &&
        Number(kept.four_eyes_limit) === Number(four_eyes_limit) &&
        Number(kept.receipt_limit) === Number(receipt_limit)
      notify.success(isKept ? kit('form.saved') : t('four_eyes_proposed'))
    },
  })
  return (
    <SettingForm of={form} section="billing" label={t('rules.title')} changed={rules.changed}>
      <FormSection title={t('rules.title')} text={t('rules.text')}>
        <SwitchField of={form} name="four_eyes" label={t('four_eyes')} help={t('four_eyesHelp')} />
        {waits && (
          <Alert color="var(--ohma-waiting)" icon={<IconUsers size={18} aria-hidden />} role="status">
            {t('four_eyes_waits', { by: waits.made_by })}
          </Alert>
        )}
        {rules.four_eyes && second.data?.exists === true && !waits && (
          <Text fz={14} c="dimmed">
            {t('four_eyes_two')}
          </Text>
        )}
        {form.values.four_eyes && second.data?.exists === false && (
          <Alert color="var(--ohma-waiting)" icon={<IconAlertTriangle size={18} aria-hidden />} role="status">
            {t('four_eyes_alone')}
          </Alert>
        )}
        {form.values.four_eyes && (
          <>
            <NumberField of={form} name="four_eyes_limit" label={t('four_eyes_limit')} help={t('four_eyes_limitHelp')} />
            <NumberField of={form} name="receipt_limit" label={t('receipt_limit')} help={t('receipt_limitHelp')} />
          </>
        )}
      </FormSection>
      <FormSection title={t('rules.affiliates')} text={t('rules.affiliatesText')}>
        <NumberField of={form} name="object_days" label={t('object_days')} help={t('object_daysHelp')} whole />
        <SwitchField of={form} name="own_invoice" label={t('own_invoice')} help={t('own_invoiceHelp')} />
      </FormSection>
      <FormSection title={t('rules.paid')} text={t('rules.paidText')}>
        <SwitchField of={form} name="ask_first" label={t('ask_first')} help={t('ask_firstHelp')} />
      </FormSection>
    </SettingForm>
  )
}
