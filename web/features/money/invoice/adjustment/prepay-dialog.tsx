import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { adjustmentApi } from '#contract/money/adjustment.ts'
import { invoiceApi } from '#contract/money/invoice.ts'
import { amountMistakes } from '#web/invoice/amount-mistakes.ts'
import { useConstants } from '#web/api/constants.ts'
import { query } from '#web/api/query.ts'
import { ExchangeField } from '#web/exchange-field.tsx'
import { SHOW_GIVEN } from '#web/features/money/invoice/adjustment/adjustment-words.ts'
import type { GiveDialogProps } from '#web/features/money/invoice/adjustment/give-dialog.tsx'
import { sumTyped } from '#web/features/money/invoice/adjustment/sum-typed.ts'
import { SourceField } from '#web/features/money/invoice/source-field.tsx'
import { heldBy } from '#web/held-by.ts'
import { useProposed } from '#web/invoice/use-proposed.tsx'
import { DayField } from '#web/kit/fields/day/day-field.tsx'
import { NumberField } from '#web/kit/fields/number-field.tsx'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import { TextField } from '#web/kit/fields/text-field.tsx'
import { DialogForm } from '#web/kit/form/dialog-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import { useZone } from '#web/kit/show/zone.tsx'
import { notify } from '#web/notify.ts'
import { usePresetSource } from '#web/use-preset-source.ts'
import { todayIn } from '#web/zone-time.ts'

/** Books money that an affiliate was given before there was an invoice for it. */
export function PrepayDialog({ affiliate, currency, onClose }: GiveDialogProps) {
  const { t } = useTranslation('invoice')
  const zone = useZone()
  const { currency: currencies } = useConstants()
  const [key] = useState(() => crypto.randomUUID())
  const sources = useQuery(query(invoiceApi.sources, {})).data?.list ?? []
  const form = useSaveForm({
    endpoint: adjustmentApi.prepay,
    check: (values) => amountMistakes(values, { amount: values.currency }),
    initial: {
      currency: currency as string | null,
      amount: '',
      day: todayIn(zone) as string | null,
      source_id: '1' as string | null,
      external_id: '',
      note: '',
      internal_note: '',
      moved: '',
      moved_sure: false,
    },
    toInput: ({ day, currency: chosen, source_id, moved, moved_sure, ...values }) => ({
      body: {
        ...values,
        key,
        affiliate_uuid: affiliate.uuid,
        day: day ?? '',
        currency: chosen ?? '',
        source_id: Number(source_id),
        moved: heldBy(sources, source_id, chosen ?? '', { moved, moved_sure }),
      },
    }),
    invalidate: SHOW_GIVEN,
    savedText: '',
    onSaved: ({ proposed }) => {
      notify.success(t(proposed ? 'given.proposed' : 'pay.done'))
      onClose()
    },
  })
  const { currency: chosen, source_id, amount, day } = form.values
  usePresetSource(sources, source_id, (source) => form.form.setFieldValue('source_id', source))
  const held = sources.find(({ id }) => String(id) === source_id)?.currency ?? chosen ?? ''
  const says = useProposed(
    { kind: 'prepayment', amount, currency: chosen, affiliate_uuid: affiliate.uuid },
    { title: t('given.prepay'), action: t('given.book') },
  )
  return (
    <DialogForm
      of={form}
      title={says.title}
      text={t('given.prepayText', { name: [affiliate.name, sumTyped(amount, chosen)].filter(Boolean).join(' · ') })}
      action={says.action}
      careful
      onClose={onClose}
    >
      <SelectField of={form} name="currency" label={t('given.currency')} options={currencies} required />
      <NumberField of={form} name="amount" label={t('pay.amount')} unit={chosen ?? ''} required />
      <DayField of={form} name="day" label={t('pay.day')} required />
      <SourceField of={form} sources={sources} />
      {held !== chosen && chosen !== null && (
        <ExchangeField of={form} amount={amount} currency={chosen} to={held} day={day} label={t('pay.moved')} />
      )}
      <TextField of={form} name="external_id" label={t('pay.external')} help={t('pay.externalHelp')} />
      <TextField of={form} name="note" label={t('given.note')} help={t('given.prepayNote')} required />
      <TextField of={form} name="internal_note" label={t('internal_note')} />
      {says.note}
    </DialogForm>
  )
}
