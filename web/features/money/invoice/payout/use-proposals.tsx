import { useState, type ReactNode } from 'react'
import { IconCheck, IconX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { adjustmentApi } from '#contract/money/adjustment.ts'
import { advertiserInvoiceApi } from '#contract/money/advertiser-invoice.ts'
import { invoiceApi } from '#contract/money/invoice.ts'
import { ledgerApi } from '#contract/money/ledger.ts'
import { proposalApi, type ProposalRow } from '#contract/money/proposal.ts'
import { useSave } from '#web/api/query.ts'
import { money } from '#web/format.ts'
import { LongTextField } from '#web/kit/fields/long-text-field.tsx'
import { confirm } from '#web/kit/feedback/confirm.tsx'
import { DialogForm } from '#web/kit/form/dialog-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import type { RowAction } from '#web/kit/table/column.ts'
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
  ledgerApi.accounts,
  ledgerApi.entries,
]

/** What a second person can do with a proposal; `dialog` belongs somewhere on the screen. */
export function useProposals(): { actionsFor: (one: ProposalRow) => RowAction[]; dialog: ReactNode } {
  const { t } = useTranslation('request')
  const [refused, setRefused] = useState<ProposalRow>()
  const save = useSave(proposalApi.confirm, { invalidate: SHOW_PROPOSALS, onSuccess: () => notify.success(t('confirm.toast')) })
  const confirmIt = async (one: ProposalRow) => {
    const kind = t(`confirm.kind.${one.kind}`)
    if (await confirm({ title: t('confirm.ask', { kind }), text: t('confirm.text', wordsOf(one)), action: t('confirm'), careful: true }))
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

/** Who gets how much for what, by whom. */
function wordsOf(one: ProposalRow) {
  return { sum: money(one.amount, one.currency, { exact: true }), name: one.whose.name, note: one.note, by: one.made_by }
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
    <DialogForm of={form} title={action} text={t('refuse.text', wordsOf(of))} action={action} danger careful onClose={onClose}>
      <LongTextField of={form} name="reason" label={t('reason')} required />
    </DialogForm>
  )
}
