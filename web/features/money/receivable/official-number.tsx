import { useTranslation } from '#web/i18n/use-translation.ts'
import { advertiserInvoiceApi, type AdvertiserInvoiceDetail } from '#contract/money/advertiser-invoice.ts'
import { SHOW_RECEIVABLES } from '#web/features/money/receivable/receivable-words.ts'
import { saveAdvertiserInvoice, saveCreditNote } from '#web/features/money/receivable/save-advertiser-document.ts'
import { OfficialNumbers, papersOf } from '#web/invoice/official-numbers.tsx'

/** The official numbers of an invoice to an advertiser and its notes. */
export function AdvertiserOfficialNumbers({ invoice }: { invoice: AdvertiserInvoiceDetail }) {
  const { t } = useTranslation('receivable')
  return (
    <OfficialNumbers
      of={papersOf(invoice)}
      entry={{ invoice, endpoint: advertiserInvoiceApi.number, invalidate: SHOW_RECEIVABLES, saved: t('toast.number') }}
      onCopy={({ note, number }) =>
        void (note === null ? saveAdvertiserInvoice(invoice, 'copy') : saveCreditNote({ uuid: note, number }, 'copy'))
      }
    />
  )
}
