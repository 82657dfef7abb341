import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { advertiserInvoiceApi, type AdvertiserInvoiceDetail, type AdvertiserInvoiceRow } from '#contract/money/advertiser-invoice.ts'
import { addAmounts, negated } from '#contract/money/amount.ts'
import { query } from '#web/api/query.ts'
import { money } from '#web/format.ts'
import { creditSums } from '#web/features/money/receivable/credit-sums.ts'
import { isNone, SHOW_RECEIVABLES } from '#web/features/money/receivable/receivable-words.ts'
import { LongTextField } from '#web/kit/fields/long-text-field.tsx'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import { DialogForm } from '#web/kit/form/dialog-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import { Facts } from '#web/kit/page/facts.tsx'

type DialogProps = { of: AdvertiserInvoiceRow | AdvertiserInvoiceDetail; onClose: () => void }

/** Whether conversions of an invoice have become something else since. */
export function hasChanged(of: DialogProps['of']): boolean {
  return of.changed !== null || ('changes' in of && (of.changes?.rows ?? 0) > 0)
}

/** Takes an issued invoice back by a credit note: all of it, or what its conversions have lost; one that has ended only that. */
export function CreditDialog({ of, onClose }: DialogProps) {
  const { t } = useTranslation('receivable')
  const isEnded = of.status === 'credited' || of.status === 'written_off'
  const form = useSaveForm({
    endpoint: advertiserInvoiceApi.credit,
    initial: { kind: (hasChanged(of) ? 'changed' : 'whole') as string, reason: '' },
    toInput: ({ kind, reason }) => ({ params: { uuid: of.uuid }, body: { kind: kind as 'whole', reason, revision: of.revision } }),
    invalidate: SHOW_RECEIVABLES,
    savedText: t('toast.credit'),
    onSaved: onClose,
  })
  return (
    <DialogForm
      of={form}
      title={t('creditNote')}
      text={t('credit.text', { name: of.advertiser.name })}
      action={t('creditNote')}
      danger
      careful
      onClose={onClose}
    >
      <SelectField
        of={form}
        name="kind"
        label={t('credit.kind')}
        options={(isEnded ? (['changed'] as const) : (['whole', 'changed'] as const)).map((value) => ({
          value,
          label: t(`credit.${value}`),
        }))}
        required
      />
      <Follows of={of.uuid} kind={form.values.kind} />
      <LongTextField of={form} name="reason" label={t('reason')} required />
    </DialogForm>
  )
}

/** What the note comes to, and what of the invoice is left after it, in figures. */
function Follows({ of, kind }: { of: string; kind: string }) {
  const { t } = useTranslation('receivable')
  const { data: invoice } = useQuery(query(advertiserInvoiceApi.get, { params: { uuid: of } }))
  if (invoice === undefined) return null
  const sum = (amount: string) => money(amount, invoice.currency)
  const sums = creditSums(invoice)
  const some = (name: string, amount: string) => (isNone(amount) ? [] : [[name, sum(amount)] as const])
  if (kind === 'changed') {
    const note = invoice.changes?.note ?? null
    if (note === null) return <p className="ohma-soft">{t('credit.rounding')}</p>
    return (
      <Facts
        of={[
          ...some(t('credit.before'), sums.before),
          [t('net'), sum(note.net)],
          ...some(t('vat'), note.vat),
          [t('total'), sum(note.total)],
          [t('credit.left'), sum(addAmounts(sums.total, negated(note.total)))],
        ]}
      />
    )
  }
  if (isNone(sums.total)) return <p className="ohma-soft">{t('credit.nothing')}</p>
  return (
    <Facts
      of={[
        ...some(t('credit.before'), sums.before),
        [t('net'), sum(sums.net)],
        [t('vat'), sum(sums.vat)],
        [t('total'), sum(sums.total)],
        ...some(t('credit.noLongerOwed'), sums.open),
        ...some(t('credit.noLoss'), sums.forgiven),
        ...some(t('credit.ahead'), sums.ahead),
        [t('credit.left'), sum('0')],
      ]}
    />
  )
}
