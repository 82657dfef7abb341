import { Button } from '@mantine/core'
import { IconMail } from '@tabler/icons-react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { paymentMethodApi, type MethodChange } from '#contract/money/payment.ts'
import { useSave } from '#web/api/query.ts'
import { PasswordField } from '#web/kit/fields/password-field.tsx'
import { TextField } from '#web/kit/fields/text-field.tsx'
import type { SaveForm } from '#web/kit/form/use-save-form.ts'

type Props<Values> = {
  of: SaveForm<Values>
  confirmedBy: CallOutput<typeof paymentMethodApi.list>['confirmed_by']
  /** What is to be confirmed, as it stands in the form now. */
  change: () => MethodChange
}

/** What proves that it is the owner: the password, and a code of the second factor or of a mail, which is sent from here. */
export function ConfirmFields<Values extends { password: string; code: string }>({ of, confirmedBy, change }: Props<Values>) {
  const { t } = useTranslation('payment')
  const ask = useSave(paymentMethodApi.ask, { invalidate: [] })
  const byMail = confirmedBy === 'mail'
  return (
    <>
      <PasswordField of={of} name="password" label={t('own.password')} autoComplete="current-password" required />
      {byMail && (
        <div>
          <Button
            variant="default"
            leftSection={<IconMail size={16} aria-hidden />}
            loading={ask.isPending}
            disabled={of.values.password === ''}
            title={of.values.password === '' ? t('own.passwordFirst') : undefined}
            onClick={() => ask.mutate({ body: { change: change(), password: of.values.password } })}
          >
            {t(ask.isSuccess ? 'own.mailAgain' : 'own.mailCode')}
          </Button>
          <p className="ohma-soft" role="status">
            {ask.isSuccess ? t('own.mailed') : t('own.mailHelp')}
          </p>
        </div>
      )}
      {confirmedBy !== 'password' && (
        <TextField of={of} name="code" label={t(byMail ? 'own.mailedCode' : 'own.code')} autoComplete="one-time-code" required />
      )}
    </>
  )
}
