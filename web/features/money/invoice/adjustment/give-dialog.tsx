import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { adjustmentApi, WRITE_OFF_KINDS } from '#contract/money/adjustment.ts'
import { amountMistakes } from '#web/invoice/amount-mistakes.ts'
import { useConstants } from '#web/api/constants.ts'
import { SHOW_GIVEN } from '#web/features/money/invoice/adjustment/adjustment-words.ts'
import { sumTyped } from '#web/features/money/invoice/adjustment/sum-typed.ts'
import { useProposed } from '#web/invoice/use-proposed.tsx'
import { DayField } from '#web/kit/fields/day/day-field.tsx'
import { NumberField } from '#web/kit/fields/number-field.tsx'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import { TextField } from '#web/kit/fields/text-field.tsx'
import { DialogForm } from '#web/kit/form/dialog-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import { useZone } from '#web/kit/show/zone.tsx'
import { notify } from '#web/notify.ts'
import { todayIn } from '#web/zone-time.ts'

const GIVES = ['bonus', 'correction', 'opening'] as const
type Kind = (typeof GIVES)[number] | (typeof WRITE_OFF_KINDS)[number]
export type GiveDialogProps = { affiliate: { uuid: string; name: string }; currency: string; onClose: () => void }

/** Books for an affiliate, without an invoice, what the next one takes; or gives up a debt, or forfeits a balance. */
export function GiveDialog({ affiliate, currency, onClose, ends }: GiveDialogProps & { ends: boolean }) {
  const { t } = useTranslation('invoice')
  const zone = useZone()
  const { currency: currencies } = useConstants()
  // the same booking, however often it is sent
  const [key] = useState(() => crypto.randomUUID())
  const kinds: readonly Kind[] = ends ? WRITE_OFF_KINDS : GIVES
  const form = useSaveForm({
    endpoint: ends ? adjustmentApi.writeOff : adjustmentApi.create,
    check: (values) => amountMistakes(values, { amount: values.currency }),
    initial: {
      kind: (kinds[0] ?? 'bonus') as string,
      currency: currency as string | null,
      amount: '',
      day: todayIn(zone) as string | null,
      note: '',
      internal_note: '',
    },
    toInput: ({ kind, day, currency: chosen, ...values }) => ({
      // each endpoint takes the kinds that are offered with it
      body: { ...values, key, affiliate_uuid: affiliate.uuid, kind: kind as never, day: day ?? '', currency: chosen ?? '' },
    }),
    invalidate: SHOW_GIVEN,
    savedText: '',
    onSaved: ({ proposed }) => {
      notify.success(t(proposed ? 'given.proposed' : 'given.done'))
      onClose()
    },
  })
  const kind = kinds.find((one) => one === form.values.kind) ?? 'bonus'
  const says = useProposed(
    { kind, amount: form.values.amount, currency: form.values.currency, affiliate_uuid: affiliate.uuid },
    { title: t(ends ? 'given.end' : 'given.give'), action: t(ends ? 'given.end' : 'given.book') },
  )
  return (
    <DialogForm
      of={form}
      title={says.title}
      // whom, what and how much, as it is typed
      text={[affiliate.name, t(`given.kind.${kind}`), sumTyped(form.values.amount, form.values.currency)].filter(Boolean).join(' · ')}
      action={says.action}
      danger={ends && says.note === null}
      careful
      onClose={onClose}
    >
      <SelectField
        of={form}
        name="kind"
        label={t('adjust.kind')}
        help={t(`given.about.${kind}`)}
        options={kinds.map((value) => ({ value, label: t(`given.kind.${value}`) }))}
        required
      />
      <SelectField of={form} name="currency" label={t('given.currency')} options={currencies} required />
      <NumberField
        of={form}
        name="amount"
        label={t('adjust.amount')}
        {...((kind === 'correction' || kind === 'opening') && { help: t('given.signed') })}
        unit={form.values.currency ?? ''}
        required
      />
      <DayField of={form} name="day" label={t('given.day')} help={t('given.dayHelp')} required />
      <TextField of={form} name="note" label={t('given.note')} help={t('given.noteHelp')} required />
      <TextField of={form} name="internal_note" label={t('internal_note')} />
      {says.note}
    </DialogForm>
  )
}
