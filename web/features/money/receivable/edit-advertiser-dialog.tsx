import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { advertiserInvoiceApi, type AdvertiserInvoiceDetail, type AdvertiserInvoiceRow } from '#contract/money/advertiser-invoice.ts'
import { VAT_CATEGORIES } from '#contract/money/vat.ts'
import { query } from '#web/api/query.ts'
import { SHOW_RECEIVABLES } from '#web/features/money/receivable/receivable-words.ts'
import { DayField } from '#web/kit/fields/day/day-field.tsx'
import { LongTextField } from '#web/kit/fields/long-text-field.tsx'
import { NumberField } from '#web/kit/fields/number-field.tsx'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import { DialogForm } from '#web/kit/form/dialog-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import { QueryPage } from '#web/kit/page/query-page.tsx'
import { Modal } from '#web/kit/page/modal.tsx'

type DialogProps = { of: AdvertiserInvoiceRow; onClose: () => void }

/** What a draft says; of an issued one the internal note alone. */
export function EditAdvertiserDialog({ of, onClose }: DialogProps) {
  const { t } = useTranslation('receivable')
  const found = useQuery(query(advertiserInvoiceApi.get, { params: { uuid: of.uuid } }))
  if (found.data !== undefined) return <EditForm invoice={found.data} onClose={onClose} />
  return (
    <Modal opened onClose={onClose} title={t('edit')} centered>
      <QueryPage query={found} failed={t('failed')}>
        {() => null}
      </QueryPage>
    </Modal>
  )
}

function EditForm({ invoice, onClose }: { invoice: AdvertiserInvoiceDetail; onClose: () => void }) {
  const { t } = useTranslation('receivable')
  const isDraft = invoice.status === 'draft'
  const form = useSaveForm({
    endpoint: advertiserInvoiceApi.update,
    initial: {
      period_from: invoice.period_from,
      due_day: invoice.due_day as string | null,
      vat_category: invoice.vat_category as string,
      vat_rate: invoice.vat_rate.replace(/\.?0+$/, '') || '0',
      note: invoice.note,
      internal_note: invoice.internal_note,
    },
    toInput: ({ due_day, vat_category, vat_rate, ...values }) => ({
      params: { uuid: invoice.uuid },
      body: { ...values, due_day: due_day ?? '', vat_category: vat_category as 'O', vat_rate: vat_rate || '0', revision: invoice.revision },
    }),
    invalidate: SHOW_RECEIVABLES,
    onSaved: onClose,
  })
  return (
    <DialogForm
      of={form}
      title={t('edit')}
      text={isDraft ? invoice.advertiser.name : t('edit.issued')}
      action={t('save', { ns: 'common' })}
      onClose={onClose}
    >
      {isDraft && (
        <>
          <DayField of={form} name="period_from" label={t('period_from')} />
          <DayField of={form} name="due_day" label={t('due_day')} required />
          <SelectField
            of={form}
            name="vat_category"
            label={t('vat_category')}
            options={VAT_CATEGORIES.map((value) => ({ value, label: t(`vat.${value}`) }))}
            required
          />
          {form.values.vat_category === 'S' && <NumberField of={form} name="vat_rate" label={t('vat_rate')} unit="%" />}
          <LongTextField of={form} name="note" label={t('noteToThem')} />
        </>
      )}
      <LongTextField of={form} name="internal_note" label={t('internal_note')} />
    </DialogForm>
  )
}
