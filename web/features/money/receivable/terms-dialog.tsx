import { Button, Group, Modal, Select, TextInput } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { advertiserBillingApi, receivableSettingApi } from '#contract/money/advertiser-billing.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { VAT_CATEGORIES } from '#contract/money/vat.ts'
import { useConstants } from '#web/api/constants.ts'
import { query } from '#web/api/query.ts'
import { SHOW_RECEIVABLES, typed } from '#web/features/money/receivable/receivable-words.ts'
import { NumberField } from '#web/kit/fields/number-field.tsx'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import { SwitchField } from '#web/kit/fields/switch-field.tsx'
import { TextField } from '#web/kit/fields/text-field.tsx'
import { DialogForm } from '#web/kit/form/dialog-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import { QueryPage } from '#web/kit/page/query-page.tsx'

type TermsDialogProps = { advertiser: { uuid: string; name: string }; onClose: () => void }
type Limit = { currency: string; amount: string }

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
      net_days: terms.net_days === null ? '' : String(terms.net_days),
      include_hold: terms.include_hold === null ? 'network' : terms.include_hold ? 'yes' : 'no',
      email: terms.email,
      language: terms.language as string,
      document_language: terms.document_language ?? 'network',
      vat_category: terms.vat_category as string,
      vat_rate: terms.vat_rate.replace(/\.?0+$/, '') || '0',
      remind: terms.remind,
      limits: terms.limits.map(({ currency, amount }): Limit => ({ currency, amount: typed(amount) })),
    },
    toInput: ({ net_days, include_hold, language, document_language, vat_category, vat_rate, ...values }) => ({
      params: { uuid: advertiser.uuid },
      body: {
        ...values,
        net_days: net_days.trim() === '' ? null : Number(net_days),
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
      <Limits limits={form.values.limits} onChange={(limits) => form.form.setFieldValue('limits', limits)} />
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

/** A limit for each currency; nothing = the advertiser pays in advance. */
function Limits({ limits, onChange }: { limits: readonly Limit[]; onChange: (limits: Limit[]) => void }) {
  const { t } = useTranslation('receivable')
  const { currency } = useConstants()
  const free = currency.find(({ value }) => !limits.some((one) => one.currency === value))
  const put = (at: number, change: Partial<Limit>) => onChange(limits.map((one, index) => (index === at ? { ...one, ...change } : one)))
  return (
    <fieldset style={{ border: 0, padding: 0, margin: 0 }}>
      <legend style={{ fontSize: 14, fontWeight: 500, padding: 0 }}>{t('limits')}</legend>
      <p className="ohma-soft" style={{ margin: '2px 0 8px' }}>
        {t('limitsHelp')}
      </p>
      {limits.map((one, at) => (
        <Group key={one.currency} gap={8} mb={8} wrap="nowrap">
          <Select
            aria-label={t('currency', { ns: 'common' })}
            data={currency.filter(({ value }) => value === one.currency || !limits.some((other) => other.currency === value))}
            value={one.currency}
            allowDeselect={false}
            w={130}
            onChange={(value) => value !== null && put(at, { currency: value })}
          />
          <TextInput
            aria-label={`${t('limits')}, ${one.currency}`}
            inputMode="decimal"
            value={one.amount}
            onChange={(event) => put(at, { amount: event.currentTarget.value.replace(',', '.').replaceAll(' ', '') })}
            style={{ flex: 1 }}
          />
          <Button
            variant="subtle"
            color="gray"
            px={8}
            aria-label={t('limits.remove', { currency: one.currency })}
            onClick={() => onChange(limits.filter((_other, index) => index !== at))}
          >
            <IconX size={16} aria-hidden />
          </Button>
        </Group>
      ))}
      {free !== undefined && (
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => onChange([...limits, { currency: free.value, amount: '' }])}
        >
          {t('limits.add')}
        </Button>
      )}
    </fieldset>
  )
}
