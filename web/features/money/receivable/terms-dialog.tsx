import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { advertiserBillingApi, receivableSettingApi } from '#contract/money/advertiser-billing.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { PAYOUT_SCHEDULES, PERIOD_ENDS } from '#contract/money/payment.ts'
import { VAT_CATEGORIES } from '#contract/money/vat.ts'
import { query } from '#web/api/query.ts'
import { CurrencyAmounts } from '#web/features/money/receivable/currency-amounts.tsx'
import { SHOW_RECEIVABLES, typed } from '#web/features/money/receivable/receivable-words.ts'
import { NumberField } from '#web/kit/fields/number-field.tsx'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import { SwitchField } from '#web/kit/fields/switch-field.tsx'
import { TextField } from '#web/kit/fields/text-field.tsx'
import { typedNumberOrNull } from '#web/kit/fields/typed-number.ts'
import { DialogForm } from '#web/kit/form/dialog-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import { QueryPage } from '#web/kit/page/query-page.tsx'
import { Modal } from '#web/kit/page/modal.tsx'

type TermsDialogProps = { advertiser: { uuid: string; name: string }; onClose: () => void }

/** On what terms an advertiser pays: days, where letters go, VAT, and how much it may owe. */
export function TermsDialog({ advertiser, onClose }: TermsDialogProps) {
  const { t } = useTranslation('receivable')
  const found = useQuery(query(advertiserBillingApi.terms, { params: { uuid: advertiser.uuid } }))
  if (found.data !== undefined) return <TermsForm advertiser={advertiser} terms={found.data} onClose={onClose} />
  return (
    <Modal opened onClose={onClose} title={t('terms.title', { name: advertiser.name })} centered size={520}>
      <QueryPage query={found} failed={t('failedList')}>
        {() => null}
      </QueryPage>
    </Modal>
  )
}

function TermsForm({ advertiser, terms, onClose }: TermsDialogProps & { terms: CallOutput<typeof advertiserBillingApi.terms> }) {
  const { t } = useTranslation('receivable')
  const form = useSaveForm({
    endpoint: advertiserBillingApi.updateTerms,
    initial: {
      schedule: terms.schedule ?? 'network',
      makes: terms.makes ?? 'network',
      hold_days: terms.hold_days === null ? '' : String(terms.hold_days),
      minimums: (terms.minimums ?? []).map(({ currency, amount }) => ({ currency, amount: typed(amount) })),
      net_days: terms.net_days === null ? '' : String(terms.net_days),
      include_hold: terms.include_hold === null ? 'network' : terms.include_hold ? 'yes' : 'no',
      email: terms.email,
      language: terms.language as string,
      document_language: terms.document_language ?? 'network',
      vat_category: terms.vat_category as string,
      vat_rate: terms.vat_rate.replace(/\.?0+$/, '') || '0',
      remind: terms.remind,
      limits: terms.limits.map(({ currency, amount }) => ({ currency, amount: typed(amount) })),
    },
    toInput: ({
      schedule,
      makes,
      hold_days,
      minimums,
      net_days,
      include_hold,
      language,
      document_language,
      vat_category,
      vat_rate,
      ...values
    }) => ({
      params: { uuid: advertiser.uuid },
      body: {
        ...values,
        schedule: schedule === 'network' ? null : (schedule as 'monthly'),
        makes: makes === 'network' ? null : (makes as 'propose'),
        hold_days: typedNumberOrNull(hold_days),
        // in currencies that are not named those of the network hold
        minimums: minimums.length === 0 ? null : minimums.map(({ currency, amount }) => ({ currency, amount: amount || '0' })),
        net_days: typedNumberOrNull(net_days),
        include_hold: include_hold === 'network' ? null : include_hold === 'yes',
        language: language as 'en',
        document_language: document_language === 'network' ? null : (document_language as 'en'),
        vat_category: vat_category as 'O',
        vat_rate: vat_rate || '0',
        limits: values.limits.map(({ currency, amount }) => ({ currency, amount: amount || '0' })),
        revision: terms.revision,
      },
    }),
    invalidate: [...SHOW_RECEIVABLES, advertiserBillingApi.terms, receivableSettingApi.rules],
    onSaved: onClose,
  })
  const { network } = terms
  return (
    <DialogForm
      of={form}
      title={t('terms.title', { name: advertiser.name })}
      action={t('save', { ns: 'common' })}
      size={560}
      onClose={onClose}
    >
      <CurrencyAmounts
        label={t('limits')}
        help={t('limitsHelp')}
        add={t('limits.add')}
        list={form.values.limits}
        onChange={(limits) => form.form.setFieldValue('limits', limits)}
      />
      <SelectField
        of={form}
        name="schedule"
        label={t('schedule')}
        options={[
          { value: 'network', label: t('asNetwork', { what: t(`schedule.${network.schedule}`) }) },
          ...PAYOUT_SCHEDULES.map((value) => ({ value, label: t(`schedule.${value}`) })),
        ]}
        required
      />
      <SelectField
        of={form}
        name="makes"
        label={t('makes')}
        help={t('makesHelp')}
        options={[
          { value: 'network', label: t('asNetwork', { what: t(`makes.${network.makes}`) }) },
          ...PERIOD_ENDS.map((value) => ({ value, label: t(`makes.${value}`) })),
        ]}
        required
      />
      <NumberField of={form} name="hold_days" label={t('hold_days')} help={t('hold_daysOwn', { days: network.hold_days })} whole />
      <CurrencyAmounts
        label={t('minimums')}
        help={t('minimumsOwn')}
        add={t('minimums.add')}
        list={form.values.minimums}
        onChange={(minimums) => form.form.setFieldValue('minimums', minimums)}
      />
      <NumberField of={form} name="net_days" label={t('net_days')} help={t('net_daysOwn', { days: network.net_days })} whole />
      <SelectField
        of={form}
        name="include_hold"
        label={t('include_hold')}
        options={[
          { value: 'network', label: t(network.include_hold ? 'asNetwork.yes' : 'asNetwork.no') },
          { value: 'no', label: t('include_hold.no') },
          { value: 'yes', label: t('include_hold.yes') },
        ]}
        required
      />
      <TextField of={form} name="email" label={t('email')} help={t('emailHelp')} />
      <SelectField
        of={form}
        name="language"
        label={t('language')}
        options={[
          { value: 'en', label: 'English' },
          { value: 'uk', label: 'Українська' },
        ]}
        required
      />
      <SelectField
        of={form}
        name="document_language"
        label={t('document_language')}
        options={[
          { value: 'network', label: t('document_language.network') },
          { value: 'en', label: 'English' },
          { value: 'uk', label: 'Українська' },
          { value: 'both', label: t('document_language.both') },
        ]}
        required
      />
      <SelectField
        of={form}
        name="vat_category"
        label={t('vat_category')}
        options={VAT_CATEGORIES.map((value) => ({ value, label: t(`vat.${value}`) }))}
        required
      />
      {form.values.vat_category === 'S' && <NumberField of={form} name="vat_rate" label={t('vat_rate')} unit="%" />}
      <SwitchField of={form} name="remind" label={t('remindThem')} help={t('remindHelp')} />
    </DialogForm>
  )
}
