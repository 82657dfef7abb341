import { useState, type ReactNode } from 'react'
import { IconCheck, IconX } from '@tabler/icons-react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { adjustmentApi } from '#contract/money/adjustment.ts'
import { advertiserBillingApi } from '#contract/money/advertiser-billing.ts'
import { receiptApi } from '#contract/money/receipt.ts'
import { billingApi } from '#contract/money/billing.ts'
import { advertiserInvoiceApi } from '#contract/money/advertiser-invoice.ts'
import { invoiceApi } from '#contract/money/invoice.ts'
import { ledgerApi } from '#contract/money/ledger.ts'
import { proposalApi, type ProposalRow } from '#contract/money/proposal.ts'
import { useSave } from '#web/api/query.ts'
import { day, money } from '#web/format.ts'
import { LongTextField } from '#web/kit/fields/long-text-field.tsx'
import { confirm } from '#web/kit/feedback/confirm.tsx'
import { DialogForm } from '#web/kit/form/dialog-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import type { RowAction } from '#web/kit/table/column.ts'
import { wordsOf, type Words } from '#web/kit/status/status-look.ts'
import { notify } from '#web/notify.ts'

/** Endpoints whose answers a decided proposal changes. */
const SHOW_PROPOSALS = [
  proposalApi.list,
  invoiceApi.list,
  invoiceApi.get,
  invoiceApi.lines,
  advertiserInvoiceApi.list,
  advertiserInvoiceApi.get,
  adjustmentApi.list,
  receiptApi.list,
  advertiserBillingApi.list,
  ledgerApi.accounts,
  ledgerApi.entries,
  billingApi.rules,
]

/** What a second person can do with a proposal; `dialog` belongs somewhere on the screen. */
export function useProposals(): { actionsFor: (one: ProposalRow) => RowAction[]; dialog: ReactNode } {
  const { t } = useTranslation('request')
  const [refused, setRefused] = useState<ProposalRow>()
  const save = useSave(proposalApi.confirm, { invalidate: SHOW_PROPOSALS, onSuccess: () => notify.success(t('confirm.toast')) })
  const confirmIt = async (one: ProposalRow) => {
    const kind = t(`confirm.kind.${one.kind}`)
    if (
      await confirm({
        title: t('confirm.ask', { kind }),
        text: t(
          one.kind === 'rules' ? 'rules.text' : one.kind === 'receipt' ? 'confirm.received' : 'confirm.text',
          toldBy(one, wordsOf(t)),
        ),
        action: t('confirm'),
        careful: true,
      })
    )
      save.mutate({ params: { uuid: one.uuid } })
  }
  const actionsFor = (one: ProposalRow): RowAction[] => [
    ...(one.may.confirm
      ? [{ id: 'confirm', label: t('confirm'), icon: <IconCheck size={16} aria-hidden />, onClick: () => void confirmIt(one) }]
      : []),
    ...(one.may.refuse
      ? [
          {
            id: 'refuse',
            label: t(one.may.confirm ? 'refuse' : 'refuse.back'),
            icon: <IconX size={16} aria-hidden />,
            danger: true as const,
            onClick: () => setRefused(one),
          },
        ]
      : []),
  ]
  return { actionsFor, dialog: refused && <RefuseDialog of={refused} onClose={() => setRefused(undefined)} /> }
}

/**
 * What it is for; of the rule of two people what becomes of it, and of a payment what left which account when: who confirms it sees what
 * is booked.
 */
export function noteOf(one: ProposalRow, t: Words): string {
  if (one.four_eyes === null) {
    const { source, external_id, moved } = one.payment ?? { source: '', external_id: '', moved: null }
    const left = moved && money(moved.amount, moved.currency)
    return [one.note, source, left, one.payment && day(one.payment.day), external_id].filter(Boolean).join(' · ')
  }
  return one.four_eyes ? t('rules.limit', { note: one.note }) : t('rules.off')
}

/** Who gets how much for what, by whom. */
function toldBy(one: ProposalRow, t: Words) {
  const what = noteOf(one, t)
  return { sum: money(one.amount, one.currency), name: one.whose?.name ?? '', note: what, what, by: one.made_by }
}

function RefuseDialog({ of, onClose }: { of: ProposalRow; onClose: () => void }) {
  const { t } = useTranslation('request')
  const form = useSaveForm({
    endpoint: proposalApi.refuse,
    initial: { reason: '' },
    toInput: ({ reason }) => ({ params: { uuid: of.uuid }, body: { reason } }),
    invalidate: SHOW_PROPOSALS,
    savedText: t('refuse.toast'),
    onSaved: onClose,
  })
  const action = t(of.may.confirm ? 'refuse' : 'refuse.back')
  return (
    <DialogForm
      of={form}
      title={action}
      text={t(of.kind === 'rules' ? 'rules.refuse' : 'refuse.text', toldBy(of, wordsOf(t)))}
      action={action}
      danger
      careful
      onClose={onClose}
    >
      <LongTextField of={form} name="reason" label={t('reason')} required />
    </DialogForm>
  )
}
