import { useTranslation } from '#web/i18n/use-translation.ts'
import type { z } from 'zod'
import { payoutRequestApi, type requestRow } from '#contract/money/payout-request.ts'
import { money } from '#web/format.ts'
import { LongTextField } from '#web/kit/fields/long-text-field.tsx'
import { DialogForm } from '#web/kit/form/dialog-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'

/** Declines a request; its affiliate reads why. */
export function DeclineRequest({ of, onClose }: { of: z.output<typeof requestRow>; onClose: () => void }) {
  const { t } = useTranslation('request')
  const form = useSaveForm({
    endpoint: payoutRequestApi.decline,
    initial: { reason: '' },
    toInput: ({ reason }) => ({ params: { uuid: of.uuid }, body: { reason } }),
    invalidate: [payoutRequestApi.list],
    savedText: t('declined.toast'),
    onSaved: onClose,
  })
  return (
    <DialogForm
      of={form}
      title={t('decline')}
      text={t('decline.text', { name: of.affiliate.name, sum: money(of.amount, of.currency) })}
      action={t('decline')}
      danger
      careful
      onClose={onClose}
    >
      <LongTextField of={form} name="reason" label={t('reason')} required />
    </DialogForm>
  )
}
