import { Alert } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { z } from 'zod'
import { addAmounts } from '#contract/money/amount.ts'
import { invoiceApi, type invoiceRow } from '#contract/money/invoice.ts'
import { ownDocumentApi } from '#contract/money/own-document.ts'
import { proposalApi } from '#contract/money/proposal.ts'
import { amountMistakes } from '#web/invoice/amount-mistakes.ts'
import { query } from '#web/api/query.ts'
import { money } from '#web/format.ts'
import { ExchangeField } from '#web/exchange-field.tsx'
import { heldBy } from '#web/held-by.ts'
import { FeeFields } from '#web/features/money/invoice/fee-fields.tsx'
import { SourceField } from '#web/features/money/invoice/source-field.tsx'
import { useProposed } from '#web/invoice/use-proposed.tsx'
import { DayField } from '#web/kit/fields/day/day-field.tsx'
import { readAmount } from '#web/kit/fields/decimal.ts'
import { NumberField } from '#web/kit/fields/number-field.tsx'
import { SwitchField } from '#web/kit/fields/switch-field.tsx'
import { TextField } from '#web/kit/fields/text-field.tsx'
import { DialogForm } from '#web/kit/form/dialog-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import { useZone } from '#web/kit/show/zone.tsx'
import { notify } from '#web/notify.ts'
import { usePresetSource } from '#web/use-preset-source.ts'
import { todayIn } from '#web/zone-time.ts'

type PaymentDialogProps = { of: z.output<typeof invoiceRow>; onClose: () => void }

/** Books a payment by hand: who gets how much stands above. */
export function PaymentDialog({ of, onClose }: PaymentDialogProps) {
  const { t } = useTranslation('invoice')
  const { t: request } = useTranslation('request')
  const zone = useZone()
  // the same payment, however often it is sent
  const [key] = useState(() => crypto.randomUUID())
  const { data } = useQuery(query(invoiceApi.sources, {}))
  const lacks = useQuery(query(ownDocumentApi.list, { params: { uuid: of.uuid } }, { quiet: true })).data?.due === true
  const owed = useQuery(query(invoiceApi.get, { params: { uuid: of.uuid } }, { quiet: true })).data?.owed ?? null
  const sources = data?.list ?? []
  const heldIn = (source: string | null) => sources.find(({ id }) => String(id) === source)?.currency ?? of.currency
  const form = useSaveForm({
    endpoint: invoiceApi.pay,
    check: (values) => amountMistakes(values, { amount: of.currency, charged: of.currency, fee: heldIn(values.source_id) }),
    initial: {
      amount: of.open.replace(/(\.\d\d)\d*?0*$/, '$1'),
      day: todayIn(zone) as string | null,
      source_id: '1' as string | null,
      external_id: '',
      note: '',
      settled: true,
      in_advance: false,
      without_own_invoice: false,
      leave_debt: false,
      moved: '',
      moved_sure: false,
      charged: '',
      fee: '',
      fee_sure: false,
    },
    toInput: ({ day, source_id, moved, moved_sure, charged, fee, ...values }) => ({
      params: { uuid: of.uuid },
      body: {
        ...values,
        day: day ?? '',
        source_id: Number(source_id),
        charged: charged || '0',
        fee: fee || '0',
        moved: heldBy(sources, source_id, of.currency, { moved, moved_sure }),
        key,
        revision: of.revision,
      },
    }),
    invalidate: [invoiceApi.list, invoiceApi.get, proposalApi.list],
    savedText: '',
    onSaved: ({ history }) => {
      const isProposed = history.at(0)?.event === 'payment_proposed' || history.at(-1)?.event === 'payment_proposed'
      notify.success(isProposed ? request('proposed.toast') : t('pay.done'))
      onClose()
    },
  })
  usePresetSource(sources, form.values.source_id, (source) => form.form.setFieldValue('source_id', source))
  const held = heldIn(form.values.source_id)
  const paid = readAmount(form.values.amount)
  // what is more than open is paid in advance
  const more = paid === null ? '0' : addAmounts(paid, `-${of.open}`)
  const ahead = form.values.in_advance && !more.startsWith('-') ? more : '0'
  const says = useProposed(
    { kind: 'prepayment', amount: ahead, currency: of.currency, affiliate_uuid: of.affiliate.uuid },
    { title: t('pay.title', { name: of.affiliate.name }), action: t('pay') },
  )
  return (
    <DialogForm
      of={form}
      title={says.title}
      text={t('pay.text', { sum: money(of.open, of.currency) })}
      action={says.action}
      careful
      onClose={onClose}
    >
      {lacks && (
        <Alert color="var(--ohma-waiting)" role="status">
          {t('ownDoc.missing')}
        </Alert>
      )}
      {lacks && <SwitchField of={form} name="without_own_invoice" label={t('ownDoc.payWithout')} />}
      {owed !== null && (
        <Alert color="var(--ohma-waiting)" role="status">
          {t('debt.title', { name: of.affiliate.name, sum: money(owed, of.currency) })}
        </Alert>
      )}
      {owed !== null && <SwitchField of={form} name="leave_debt" label={t('debt.pay')} />}
      <NumberField of={form} name="amount" label={t('pay.amount')} unit={of.currency} required />
      <DayField of={form} name="day" label={t('pay.day')} required />
      <SourceField of={form} sources={sources} />
      {held !== of.currency && (
        <ExchangeField
          of={form}
          amount={form.values.amount}
          currency={of.currency}
          to={held}
          day={form.values.day}
          label={t('pay.moved')}
        />
      )}
      <TextField of={form} name="external_id" label={t('pay.external')} help={t('pay.externalHelp')} />
      <TextField of={form} name="note" label={t('pay.note')} />
      <FeeFields of={form} amount={form.values.amount} currency={of.currency} booked={held} />
      <NumberField of={form} name="charged" label={t('pay.charged')} help={t('pay.chargedHelp')} unit={of.currency} />
      <SwitchField of={form} name="settled" label={t('pay.settled')} help={t('pay.settledHelp')} />
      <SwitchField of={form} name="in_advance" label={t('pay.advance')} help={t('pay.advanceHelp')} />
      {says.note}
    </DialogForm>
  )
}
