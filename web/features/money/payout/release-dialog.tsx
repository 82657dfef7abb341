import { useTranslation } from '#web/i18n/use-translation.ts'
import { payoutApi, type PayoutFileDetail } from '#contract/money/payout.ts'
import { money } from '#web/format.ts'
import { PasswordField } from '#web/kit/fields/password-field.tsx'
import { TextField } from '#web/kit/fields/text-field.tsx'
import { DialogForm } from '#web/kit/form/dialog-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import { SHOW_FILES } from './payout-words.ts'

/** Releases a payout file: sum and receivers stand above, the password proves who does it. */
export function ReleaseDialog({ file, onClose }: { file: PayoutFileDetail; onClose: () => void }) {
  const { t } = useTranslation('payout')
  const form = useSaveForm({
    endpoint: payoutApi.release,
    initial: { password: '', code: '' },
    toInput: (values) => ({ params: { uuid: file.uuid }, body: values }),
    invalidate: SHOW_FILES,
    savedText: t('released'),
    onSaved: onClose,
  })
  const sum = money(file.amount, file.currency)
  return (
    <DialogForm
      of={form}
      title={t('release.title', { sum })}
      text={t('release.text', { count: file.payments, source: file.source })}
      action={t('release')}
      careful
      onClose={onClose}
    >
      <PasswordField of={form} name="password" label={t('password')} autoComplete="current-password" required />
      <TextField of={form} name="code" label={t('code')} help={t('codeHelp')} autoComplete="one-time-code" />
    </DialogForm>
  )
}
