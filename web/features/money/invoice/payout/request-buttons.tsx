import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { z } from 'zod'
import { payoutRequestApi, type requestRow } from '#contract/money/payout-request.ts'
import { useSave } from '#web/api/query.ts'
import { money } from '#web/format.ts'
import { SHOW_INVOICES } from '#web/features/money/invoice/show-invoices.ts'
import { DeclineRequest } from '#web/features/money/invoice/payout/decline-request.tsx'
import { RowButtons } from '#web/features/money/invoice/payout/row-buttons.tsx'
import { confirm } from '#web/kit/feedback/confirm.tsx'
import { notify } from '#web/notify.ts'
import { useCan } from '#web/shell/access.ts'

/** Accepts or declines an open request, at once from its row; accepted, its draft stands in the row. */
export function RequestButtons({ of }: { of: z.output<typeof requestRow> }) {
  const { t } = useTranslation('request')
  const can = useCan()
  const [declining, setDeclining] = useState(false)
  const accept = useSave(payoutRequestApi.accept, {
    invalidate: [payoutRequestApi.list, ...SHOW_INVOICES],
    onSuccess: () => notify.success(t('accepted.toast')),
  })
  if (of.state !== 'open' || !can('billing.write')) return null
  const acceptIt = async () => {
    const text = t('accept.text', { name: of.affiliate.name, sum: money(of.available, of.currency) })
    if (await confirm({ title: t('accept.ask'), text, action: t('accept'), careful: true })) accept.mutate({ params: { uuid: of.uuid } })
  }
  return (
    <>
      <RowButtons
        busy={accept.isPending}
        actions={[
          { id: 'accept', label: t('accept'), onClick: () => void acceptIt() },
          { id: 'decline', label: t('decline'), danger: true, onClick: () => setDeclining(true) },
        ]}
      />
      {declining && <DeclineRequest of={of} onClose={() => setDeclining(false)} />}
    </>
  )
}
