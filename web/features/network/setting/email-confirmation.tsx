import { Alert, Button } from '@mantine/core'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { useSearchParams } from 'react-router'
import { authApi } from '#contract/people/auth.ts'
import { ownProfileApi, staffProfileApi } from '#contract/people/own-profile.ts'
import { useSave } from '#web/api/query.ts'
import { notify } from '#web/notify.ts'

/** What a mailed link to another address opens: it is taken by a button, for programs that look at mails follow links too. */
export function EmailConfirmation() {
  const { t } = useTranslation('setting')
  const [address, setAddress] = useSearchParams()
  const token = address.get('email')
  const leave = () => setAddress({}, { replace: true })
  const confirm = useSave(ownProfileApi.confirmEmail, {
    invalidate: [ownProfileApi.get, staffProfileApi.get, authApi.me],
    onSuccess: ({ email }) => {
      notify.success(t('profile.confirmed', { email }))
      leave()
    },
  })
  if (token === null) return null
  return (
    <Alert title={t('profile.confirmTitle')} withCloseButton closeButtonLabel={t('profile.confirmLater')} onClose={leave}>
      <p>{t('profile.confirmText')}</p>
      <Button mt="sm" loading={confirm.isPending} onClick={() => confirm.mutate({ body: { token } })}>
        {t('profile.confirm')}
      </Button>
    </Alert>
  )
}
