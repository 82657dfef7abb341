import { Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { invoiceApi, type InvoiceDetail } from '#contract/money/invoice.ts'
import { VAT_CATEGORIES } from '#contract/money/vat.ts'
import { useConstants } from '#web/api/constants.ts'
import { useSave } from '#web/api/query.ts'
import { money } from '#web/format.ts'
import { AdjustDialog } from '#web/features/money/invoice/adjust-dialog.tsx'
import { InvoiceLines } from '#web/features/money/invoice/invoice-lines.tsx'
import { INVOICE_STATUS, isFinal, nameOf } from '#web/features/money/invoice/invoice-words.tsx'
import { SHOW_INVOICES } from '#web/features/money/invoice/show-invoices.ts'
import { DayField } from '#web/kit/fields/day/day-field.tsx'
import { LongTextField } from '#web/kit/fields/long-text-field.tsx'
import { NumberField } from '#web/kit/fields/number-field.tsx'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import { FormSection } from '#web/kit/form/form-section.tsx'
import { PageForm } from '#web/kit/form/page-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import { DetailPage } from '#web/kit/page/detail-page.tsx'
import { PageHeader } from '#web/kit/page/page-header.tsx'
import { UrlTabs } from '#web/kit/page/url-tabs.tsx'
import { Status } from '#web/kit/status/status.tsx'
import { ScreenLink } from '#web/shell/screen-link.tsx'

/** All that can be changed of an invoice: what it says, and its lines. */
export function InvoiceEdit() {
  const { t } = useTranslation('invoice')
  return (
    <DetailPage screen="invoiceEdit" endpoint={invoiceApi.get} failed={t('failed')} uuidOf={({ uuid }) => uuid}>
      {(invoice) => (
        <>
          <PageHeader
            title={nameOf(invoice, t)}
            id={invoice.id}
            status={<Status of={INVOICE_STATUS} value={invoice.status} />}
            facts={[invoice.affiliate.name, money(invoice.total, invoice.currency)]}
            actions={
              <Button component={ScreenLink} to="invoiceDetail" params={{ uuid: invoice.uuid }} variant="default">
                {t('back')}
              </Button>
            }
          />
          {isFinal(invoice.status) ? (
            <Form invoice={invoice} />
          ) : (
            <UrlTabs
              label={nameOf(invoice, t)}
              tabs={[
                { id: 'form', label: t('section.what'), content: <Form invoice={invoice} /> },
                { id: 'lines', label: t('section.lines'), content: <Lines invoice={invoice} /> },
              ]}
            />
          )}
        </>
      )}
    </DetailPage>
  )
}

function Form({ invoice }: { invoice: InvoiceDetail }) {
  const { t } = useTranslation('invoice')
  const { payment_systems } = useConstants()
  const form = useSaveForm({
    endpoint: invoiceApi.update,
    record: invoice,
    valuesOf: ({ period_from, period_to, payment_system, due_day, vat_category, vat_rate, note, internal_note }) => ({
      period_from,
      period_to: period_to as string | null,
      payment_system: payment_system as string | null,
      due_day,
      vat_category: vat_category as (typeof VAT_CATEGORIES)[number] | null,
      vat_rate: vat_rate.replace(/\.?0+$/, '') || '0',
      note,
      internal_note,
    }),
    toInput: ({ period_to, payment_system, vat_category, vat_rate, ...values }, { revision }) => ({
      params: { uuid: invoice.uuid },
      body: {
        ...values,
        period_to: period_to ?? '',
        payment_system: payment_system ?? '',
        vat_category: vat_category ?? 'O',
        vat_rate: vat_rate || '0',
        revision,
      },
    }),
    invalidate: SHOW_INVOICES,
  })
  return (
    <PageForm of={form} label={nameOf(invoice, t)} action={t('save', { ns: 'common' })}>
      {isFinal(invoice.status) ? (
        <FormSection title={t('section.what')} text={t(invoice.status === 'declined' ? 'declinedFinal' : 'issued')}>
          <LongTextField of={form} name="internal_note" label={t('internal_note')} wide />
        </FormSection>
      ) : (
        <>
          <FormSection title={t('section.what')}>
            <DayField of={form} name="period_from" label={t('period_from')} help={t('period_fromHelp')} />
            <DayField of={form} name="period_to" label={t('period_to')} required />
            <SelectField of={form} name="payment_system" label={t('payment_system')} options={payment_systems} clearable />
            <DayField of={form} name="due_day" label={t('due_day')} />
            <LongTextField of={form} name="note" label={t('note')} wide />
            <LongTextField of={form} name="internal_note" label={t('internal_note')} wide />
          </FormSection>
          <FormSection title={t('section.vat')}>
            <SelectField
              of={form}
              name="vat_category"
              label={t('vat_category')}
              options={VAT_CATEGORIES.map((value) => ({ value, label: t(`vat.${value}`) }))}
              required
            />
            {form.values.vat_category === 'S' && <NumberField of={form} name="vat_rate" label={t('vat_rate')} unit="%" />}
          </FormSection>
        </>
      )}
    </PageForm>
  )
}

function Lines({ invoice }: { invoice: InvoiceDetail }) {
  const { t } = useTranslation('invoice')
  const [adjusting, setAdjusting] = useState(false)
  const options = { invalidate: SHOW_INVOICES }
  const refresh = useSave(invoiceApi.refresh, options)
  const add = useSave(invoiceApi.addLines, options)
  const remove = useSave(invoiceApi.removeLines, options)
  const { uuid, revision } = invoice
  const step = { params: { uuid }, body: { revision } }
  return (
    <Stack>
      <Group>
        <Button variant="default" title={t('addLinesText')} loading={add.isPending} onClick={() => add.mutate(step)}>
          {t('addLines')}
        </Button>
        <Button variant="default" title={t('refreshText')} loading={refresh.isPending} onClick={() => refresh.mutate(step)}>
          {t('refresh')}
        </Button>
        <Button variant="default" onClick={() => setAdjusting(true)}>
          {t('adjust')}
        </Button>
        <Text fz={13} c="dimmed">
          {t('total')}: {money(invoice.total, invoice.currency)}
        </Text>
      </Group>
      <InvoiceLines invoice={invoice} onRemove={(lines) => remove.mutate({ params: { uuid }, body: { lines, revision } })} />
      {adjusting && <AdjustDialog invoice={invoice} onClose={() => setAdjusting(false)} />}
    </Stack>
  )
}
