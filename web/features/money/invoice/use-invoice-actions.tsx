import {
  IconArrowBackUp,
  IconBan,
  IconCash,
  IconCheck,
  IconCircleCheck,
  IconEdit,
  IconFileTypeCsv,
  IconFileTypePdf,
  IconSend,
  IconTrash,
  IconX,
  type Icon,
} from '@tabler/icons-react'
import { useState, type ReactNode } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { z } from 'zod'
import { ERRORS } from '#contract/errors.ts'
import type { InvoicePayment } from '#contract/money/invoice-payment.ts'
import { invoiceApi, type InvoiceDetail, type invoiceRow } from '#contract/money/invoice.ts'
import { CallError } from '#web/api/call-error.ts'
import { useSave } from '#web/api/query.ts'
import { money } from '#web/format.ts'
import { isFinal } from '#web/features/money/invoice/invoice-words.tsx'
import { OutcomeDialog } from '#web/features/money/invoice/outcome-dialog.tsx'
import { PaymentDialog } from '#web/features/money/invoice/payment-dialog.tsx'
import { SHOW_INVOICES } from '#web/features/money/invoice/show-invoices.ts'
import { saveDocument, saveLines } from '#web/features/money/invoice/save-document.ts'
import { useAskRate } from '#web/invoice/use-ask-rate.ts'
import { confirm } from '#web/kit/feedback/confirm.tsx'
import { LongTextField } from '#web/kit/fields/long-text-field.tsx'
import { DialogForm } from '#web/kit/form/dialog-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import type { RowAction } from '#web/kit/table/column.ts'
import { notify } from '#web/notify.ts'
import { useCan, useGo } from '#web/shell/access.ts'

type Invoice = z.output<typeof invoiceRow> & { payments?: readonly InvoicePayment[]; act?: boolean; objected?: boolean }
type Reasoned = 'decline' | 'cancel' | 'creditChanges'
type Outcome = { payment: InvoicePayment; step: 'settle' | 'fail' | 'giveBack' }

/** What can be done with an invoice, for its row and its page; `dialog` belongs somewhere on the screen. Each names sum, currency and receiver. */
export function useInvoiceActions(): {
  actionsFor: (one: Invoice) => RowAction[]
  /** Opens what is asked where the bank gave back a payment by hand. */
  giveBack: (one: Invoice, payment: InvoicePayment) => void
  dialog: ReactNode
} {
  const { t } = useTranslation('invoice')
  const can = useCan()
  const go = useGo()
  const isRate = useAskRate()
  const [asked, setAsked] = useState<{ one: Invoice; step: Reasoned | 'pay' }>()
  const [outcome, setOutcome] = useState<Outcome & { one: Invoice }>()
  const told = (step: 'send' | 'takeVat' | 'takeBack' | 'approve') => ({
    invalidate: SHOW_INVOICES,
    onSuccess: ({ number, affiliate }: InvoiceDetail) => notify.success(t(`toast.${step}`, { number: number ?? '', name: affiliate.name })),
  })
  const send = useSave(invoiceApi.send, { ...told('send'), form: true })
  const takeVat = useSave(invoiceApi.takeVat, told('takeVat'))
  const takeBack = useSave(invoiceApi.takeBack, told('takeBack'))
  const approve = useSave(invoiceApi.approve, { ...told('approve'), form: true })
  const words = (one: Invoice, amount = one.total) => ({ name: one.affiliate.name, sum: money(amount, one.currency) })
  const callOf = ({ uuid, revision }: Invoice) => ({ params: { uuid }, body: { revision } })

  /** A VAT that was decided anew is taken by a click, never in silence. */
  const isVat = async (one: Invoice, error: unknown) => {
    if (!(error instanceof CallError) || !error.has(ERRORS.vat_changed.code)) return false
    if (await confirm({ title: t('takeVat.ask'), text: t('takeVat.text', words(one)), action: t('takeVat'), careful: true }))
      takeVat.mutate(callOf(one))
    return true
  }
  const sendIt = async (one: Invoice) => {
    if (!(await confirm({ title: t('send.ask'), text: t('send.text', words(one)), action: t('send'), careful: true }))) return
    try {
      await send.mutateAsync(callOf(one))
    } catch (error) {
      await isVat(one, error)
    }
  }
  const takeItBack = async (one: Invoice) => {
    if (await confirm({ title: t('takeBack'), text: t('takeBack.text', words(one)), action: t('takeBack'), careful: true }))
      takeBack.mutate(callOf(one))
  }
  const approveIt = async (one: Invoice) => {
    if (await confirm({ title: t('approve.ask'), text: t('approve.text', words(one)), action: t('approve'), careful: true }))
      await approveLeaving(one, {})
  }
  /** What changed since, and what its affiliate owes beside it, is asked about, never left in silence. */
  const approveLeaving = async (one: Invoice, left: { leave_changed?: true; leave_debt?: true }): Promise<void> => {
    try {
      await approve.mutateAsync({ params: { uuid: one.uuid }, body: { revision: one.revision, ...left } })
    } catch (error) {
      if ((await isVat(one, error)) || (await isRate(error)) || !(error instanceof CallError)) return
      if (error.has(ERRORS.lines_changed.code) && left.leave_changed === undefined) {
        const text = t('leave.text', words(one, one.changed ?? '0'))
        if (await confirm({ title: t('leave.ask'), text, action: t('leave'), careful: true }))
          await approveLeaving(one, { ...left, leave_changed: true })
      } else if (error.has(ERRORS.affiliate_owes.code) && left.leave_debt === undefined) {
        const text = t('debt.approve', { debts: error.values['debts'] ?? '' })
        if (await confirm({ title: t('debt.ask'), text, action: t('debt.approveEvenSo'), careful: true }))
          await approveLeaving(one, { ...left, leave_debt: true })
      }
    }
  }
  const entry = (id: string, label: string, Sign: Icon, onClick: () => void, danger?: true): RowAction => ({
    id,
    label,
    icon: <Sign size={16} aria-hidden />,
    onClick,
    ...(danger && { danger }),
  })

  const actionsFor = (one: Invoice): RowAction[] => {
    const { status } = one
    if (one.deleted_at !== null) return []
    const isOwed = status === 'approved' || status === 'partly_paid'
    // one of a payout file is said to have arrived there
    const underWay = one.payments?.find(({ state, in_file }) => state === 'sent' && !in_file)
    return [
      ...(can('billing.write') && status === 'draft' ? [entry('send', t('send'), IconSend, () => void sendIt(one))] : []),
      ...(can('billing.approve') && status === 'waiting'
        ? [
            {
              ...entry('approve', t('approve'), IconCheck, () => void approveIt(one)),
              ...(one.objected && { why: t('objection.first') }),
            },
          ]
        : []),
      ...(can('billing.pay') && underWay
        ? [entry('settle', t('settle'), IconCircleCheck, () => setOutcome({ one, payment: underWay, step: 'settle' }))]
        : []),
      ...(can('billing.pay') && isOwed && !/^0(\.0*)?$/.test(one.open)
        ? [entry('pay', t('pay'), IconCash, () => setAsked({ one, step: 'pay' }))]
        : []),
      entry('pdf', t('pdf'), IconFileTypePdf, () => void saveDocument(one, 'invoice', false)),
      ...(one.act ? [entry('act', t('act'), IconFileTypePdf, () => void saveDocument(one, 'act', false))] : []),
      ...(status === 'cancelled'
        ? [entry('notePdf', t('notePdf'), IconFileTypePdf, () => void saveDocument(noteOf(one), 'credit_note', false))]
        : []),
      entry('linesCsv', t('linesCsv'), IconFileTypeCsv, () => void saveLines(one, false)),
      ...(can('billing.write')
        ? [entry('edit', t(isFinal(status) ? 'editNote' : 'edit'), IconEdit, () => go('invoiceEdit', { uuid: one.uuid }))]
        : []),
      ...(can('billing.write') && status === 'waiting'
        ? [entry('takeBack', t('takeBack'), IconArrowBackUp, () => void takeItBack(one))]
        : []),
      ...(can('billing.pay') && underWay
        ? [entry('fail', t('fail'), IconX, () => setOutcome({ one, payment: underWay, step: 'fail' }), true)]
        : []),
      ...(can('billing.approve') && status === 'waiting'
        ? [entry('decline', t('decline'), IconX, () => setAsked({ one, step: 'decline' }), true)]
        : []),
      ...(can('billing.approve') && status === 'approved' && underWay === undefined && isNone(one.planned) && isNone(one.sent)
        ? [entry('cancel', t('cancelNote'), IconBan, () => setAsked({ one, step: 'cancel' }), true)]
        : []),
      ...(can('billing.write') && ['draft', 'waiting', 'declined'].includes(status)
        ? [entry('delete', t('delete'), IconTrash, () => go('invoiceDelete', { uuid: one.uuid }), true)]
        : []),
    ]
  }
  return {
    actionsFor,
    giveBack: (one, payment) => setOutcome({ one, payment, step: 'giveBack' }),
    dialog:
      outcome !== undefined ? (
        <OutcomeDialog invoice={outcome.one} payment={outcome.payment} step={outcome.step} onClose={() => setOutcome(undefined)} />
      ) : asked === undefined ? null : asked.step === 'pay' ? (
        <PaymentDialog of={asked.one} onClose={() => setAsked(undefined)} />
      ) : (
        <ReasonDialog of={asked.one} step={asked.step} onClose={() => setAsked(undefined)} />
      ),
  }
}

const isNone = (amount: string) => /^0(\.0*)?$/.test(amount)
const noteOf = ({ uuid, number }: Invoice) => ({ uuid, number: number === null ? null : `${number}-credit-note` })

const TITLES = { decline: 'decline', cancel: 'cancelNote', creditChanges: 'creditChanges' } as const

type ReasonDialogProps = {
  of: Invoice
  step: Reasoned
  onClose: () => void
  /** Instead of the usual ones. */ words?: { title: string; text: string }
}

/** Asks why, and takes a step of an invoice. */
export function ReasonDialog({ of, step, onClose, words }: ReasonDialogProps) {
  const { t } = useTranslation('invoice')
  const form = useSaveForm({
    endpoint: invoiceApi[step],
    initial: { reason: '' },
    toInput: ({ reason }) => ({ params: { uuid: of.uuid }, body: { revision: of.revision, reason } }),
    invalidate: SHOW_INVOICES,
    savedText: t(`toast.${step}`),
    onSaved: onClose,
  })
  const sum = money(of.total, of.currency)
  return (
    <DialogForm
      of={form}
      title={words?.title ?? t(TITLES[step])}
      text={words?.text ?? t(`${step}.text`, { name: of.affiliate.name, sum })}
      action={words?.title ?? t(TITLES[step])}
      danger
      careful
      onClose={onClose}
    >
      <LongTextField of={form} name="reason" label={t('reason')} rows={2} required />
    </DialogForm>
  )
}
