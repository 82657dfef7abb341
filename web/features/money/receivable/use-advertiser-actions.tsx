import {
  IconBell,
  IconCash,
  IconCheck,
  IconEdit,
  IconFileMinus,
  IconFileTypeCsv,
  IconFileTypePdf,
  IconPlusMinus,
  IconRefresh,
  IconTrash,
  IconX,
  type Icon,
} from '@tabler/icons-react'
import { useState, type ReactNode } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { ERRORS } from '#contract/errors.ts'
import { advertiserInvoiceApi, type AdvertiserInvoiceDetail, type AdvertiserInvoiceRow } from '#contract/money/advertiser-invoice.ts'
import { CallError } from '#web/api/call-error.ts'
import { useSave } from '#web/api/query.ts'
import { money } from '#web/format.ts'
import { AdjustAdvertiserDialog } from '#web/features/money/receivable/adjust-advertiser-dialog.tsx'
import { CreditDialog, hasChanged } from '#web/features/money/receivable/credit-dialog.tsx'
import { EditAdvertiserDialog } from '#web/features/money/receivable/edit-advertiser-dialog.tsx'
import { ReceiptDialog } from '#web/features/money/receivable/receipt-dialog.tsx'
import { WriteOffDialog } from '#web/features/money/receivable/write-off-dialog.tsx'
import { saveAdvertiserInvoice, saveAdvertiserLines } from '#web/features/money/receivable/save-advertiser-document.ts'
import { isNone, SHOW_RECEIVABLES } from '#web/features/money/receivable/receivable-words.ts'
import { useAskRate } from '#web/invoice/use-ask-rate.ts'
import { confirm } from '#web/kit/feedback/confirm.tsx'
import type { RowAction } from '#web/kit/table/column.ts'
import { notify } from '#web/notify.ts'
import { useCan, useGo } from '#web/shell/access.ts'

type Invoice = AdvertiserInvoiceRow | AdvertiserInvoiceDetail
type Asked = { one: Invoice; step: 'receipt' | 'credit' | 'writeOff' | 'edit' | 'adjust' }

/** What can be done with an advertiser's invoice, for its row and its page; `dialog` belongs somewhere on the screen. Each names sum, currency and receiver. */
export function useAdvertiserActions(): { actionsFor: (one: Invoice) => RowAction[]; dialog: ReactNode } {
  const { t } = useTranslation('receivable')
  const can = useCan()
  const go = useGo()
  const isRate = useAskRate()
  const [asked, setAsked] = useState<Asked>()
  const told = (step: 'issue' | 'takeVat' | 'refresh' | 'remind') => ({
    invalidate: SHOW_RECEIVABLES,
    onSuccess: ({ number, advertiser }: AdvertiserInvoiceDetail) =>
      notify.success(t(`toast.${step}`, { number: number ?? '', name: advertiser.name })),
  })
  const issue = useSave(advertiserInvoiceApi.issue, { ...told('issue'), form: true })
  const takeVat = useSave(advertiserInvoiceApi.takeVat, told('takeVat'))
  const refresh = useSave(advertiserInvoiceApi.refresh, told('refresh'))
  const remind = useSave(advertiserInvoiceApi.remind, told('remind'))
  const remove = useSave(advertiserInvoiceApi.remove, {
    invalidate: SHOW_RECEIVABLES,
    onSuccess: () => {
      notify.success(t('toast.delete'))
      go('billing')
    },
  })
  const callOf = ({ uuid, revision }: Invoice) => ({ params: { uuid }, body: { revision } })
  const sumOf = (one: Invoice) => money('now' in one ? one.now.total : one.total, one.currency)
  const words = (one: Invoice) => ({ name: one.advertiser.name, sum: sumOf(one) })

  const takeItsVat = async (one: Invoice) => {
    if (await confirm({ title: t('takeVat.ask'), text: t('takeVat.text', words(one)), action: t('takeVat'), careful: true }))
      takeVat.mutate(callOf(one))
  }
  const issueIt = async (one: Invoice) => {
    const text = t('issue.text', words(one))
    if (!(await confirm({ title: t('issue.ask'), text, action: t('issue'), careful: true }))) return
    const { uuid, revision } = one
    try {
      await issue.mutateAsync({ params: { uuid }, body: { revision, net: 'now' in one ? one.now.net : one.net } })
    } catch (error) {
      if ((await isRate(error)) || !(error instanceof CallError)) return
      // what changed since, or is missing, stands on its page
      if (error.has(ERRORS.vat_changed.code)) return takeItsVat(one)
      if (error.has(ERRORS.lines_changed.code) || error.has(ERRORS.profile_incomplete.code)) go('invoiceDetail', { uuid })
    }
  }
  const removeIt = async (one: Invoice) => {
    if (await confirm({ title: t('delete.ask'), text: t('delete.text', words(one)), action: t('delete'), danger: true }))
      remove.mutate(callOf(one))
  }
  const remindIt = async (one: Invoice) => {
    const text = t('remind.text', { name: one.advertiser.name, sum: money(one.open, one.currency) })
    if (await confirm({ title: t('remind.ask'), text, action: t('remind') })) remind.mutate(callOf(one))
  }
  const entry = (id: string, label: string, Sign: Icon, onClick: () => void, danger?: true): RowAction => ({
    id,
    label,
    icon: <Sign size={16} aria-hidden />,
    onClick,
    ...(danger && { danger }),
  })
  const actionsFor = (one: Invoice): RowAction[] => {
    if (one.deleted_at !== null) return []
    const { status } = one
    const isDraft = status === 'draft'
    const isOwed = status === 'issued' || status === 'partly_paid'
    const ask = (step: Asked['step']) => () => setAsked({ one, step })
    return [
      ...(isDraft && can('billing.approve') ? [entry('issue', t('issue'), IconCheck, () => void issueIt(one))] : []),
      ...((isOwed || status === 'written_off') && can('billing.pay')
        ? [entry('receipt', t('receipt.book'), IconCash, ask('receipt'))]
        : []),
      ...(one.overdue_days !== null && can('billing.write') ? [entry('remind', t('remind'), IconBell, () => void remindIt(one))] : []),
      entry('pdf', t('pdf'), IconFileTypePdf, () => void saveAdvertiserInvoice(one)),
      entry('linesCsv', t('linesCsv'), IconFileTypeCsv, () => void saveAdvertiserLines(one)),
      ...(can('billing.write') ? [entry('edit', t('edit'), IconEdit, ask('edit'))] : []),
      ...(isDraft && can('billing.write')
        ? [
            entry('adjust', t('adjust'), IconPlusMinus, ask('adjust')),
            entry('refresh', t('refresh'), IconRefresh, () => refresh.mutate(callOf(one))),
            entry('delete', t('delete'), IconTrash, () => void removeIt(one), true),
          ]
        : []),
      ...((isOwed || status === 'paid' || (!isDraft && hasChanged(one))) && can('billing.approve')
        ? [entry('credit', t('creditNote'), IconFileMinus, ask('credit'), true)]
        : []),
      ...(isOwed && !isNone(one.open) && can('billing.approve') ? [entry('writeOff', t('writeOff'), IconX, ask('writeOff'), true)] : []),
    ]
  }
  const close = () => setAsked(undefined)
  return { actionsFor, dialog: asked && <Dialog asked={asked} onClose={close} /> }
}

function Dialog({ asked: { one, step }, onClose }: { asked: Asked; onClose: () => void }) {
  switch (step) {
    case 'receipt':
      return (
        <ReceiptDialog
          advertiser={one.advertiser}
          currency={one.currency}
          {...(!isNone(one.open) && { amount: one.open })}
          onClose={onClose}
        />
      )
    case 'credit':
      return <CreditDialog of={one} onClose={onClose} />
    case 'writeOff':
      return <WriteOffDialog of={one} onClose={onClose} />
    case 'edit':
      return <EditAdvertiserDialog of={one} onClose={onClose} />
    case 'adjust':
      return <AdjustAdvertiserDialog of={one} onClose={onClose} />
  }
}
