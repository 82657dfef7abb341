import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { advertiserInvoiceApi } from '#contract/money/advertiser-invoice.ts'
import { query } from '#web/api/query.ts'
import { InvoiceScreen } from '#web/features/money/invoice/invoice-detail.tsx'
import { ProposalAlert } from '#web/features/money/invoice/payout/proposal-alert.tsx'
import { AdvertiserInvoiceScreen } from '#web/features/money/receivable/advertiser-invoice-detail.tsx'

/** /billing/invoice-detail serves both sides: an affiliate's invoice, or an advertiser's. */
export function EitherInvoiceScreen() {
  const { uuid = '' } = useParams()
  const found = useQuery({ ...query(advertiserInvoiceApi.side, { params: { uuid } }), staleTime: Infinity })
  if (found.isPending) return <Skeleton height={240} />
  return (
    <>
      {/* a number in the address is corrected to its uuid */}
      {uuid.includes('-') && <ProposalAlert invoice={{ uuid }} />}
      {found.data?.side === 'advertiser' ? <AdvertiserInvoiceScreen /> : <InvoiceScreen />}
    </>
  )
}
