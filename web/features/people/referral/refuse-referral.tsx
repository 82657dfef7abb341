import { useTranslation } from '#web/i18n/use-translation.ts'
import type { z } from 'zod'
import { referralApi, type referralRow } from '#contract/people/referral.ts'
import { LongTextField } from '#web/kit/fields/long-text-field.tsx'
import { DialogForm } from '#web/kit/form/dialog-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'

/** Refuses the commission of a referral; the reason is for staff. */
export function RefuseReferral({ of, onClose }: { of: z.output<typeof referralRow>; onClose: () => void }) {
  const { t } = useTranslation('referral')
  const form = useSaveForm({
    endpoint: referralApi.decide,
    initial: { reason: '' },
    toInput: ({ reason }) => ({ params: { uuid: of.uuid }, body: { state: 'refused' as const, reason } }),
    invalidate: [referralApi.list],
    savedText: t('refuse.toast'),
    onSaved: onClose,
  })
  const text = t('refuse.text', { referrer: of.referrer.name, name: of.affiliate.name })
  return (
    <DialogForm of={form} title={t('refuse')} text={text} action={t('refuse')} danger onClose={onClose}>
      <LongTextField of={form} name="reason" label={t('reason')} required />
    </DialogForm>
  )
}
