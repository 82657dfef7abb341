import { useTranslation } from '#web/i18n/use-translation.ts'
import { adjustmentApi, type AdjustmentRow } from '#contract/money/adjustment.ts'
import { SHOW_GIVEN } from '#web/features/money/invoice/adjustment/adjustment-words.ts'
import { money } from '#web/format.ts'
import { LongTextField } from '#web/kit/fields/long-text-field.tsx'
import { DialogForm } from '#web/kit/form/dialog-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'

/** Takes back what stands on no invoice. */
export function VoidDialog({ of, name, onClose }: { of: AdjustmentRow; name: string; onClose: () => void }) {
  const { t } = useTranslation('invoice')
  const form = useSaveForm({
    endpoint: adjustmentApi.void,
    initial: { reason: '' },
    toInput: ({ reason }) => ({ params: { uuid: of.uuid }, body: { reason } }),
    invalidate: SHOW_GIVEN,
    savedText: t('given.voided'),
    onSaved: onClose,
  })
  const words = { kind: t(`given.kind.${of.kind}`), sum: money(of.amount, of.currency), name, note: of.note }
  return (
    <DialogForm
      of={form}
      title={t('given.void')}
      text={t('given.voidText', words)}
      action={t('given.void')}
      danger
      careful
      onClose={onClose}
    >
      <LongTextField of={form} name="reason" label={t('reason')} required />
    </DialogForm>
  )
}
