import { Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Panel } from '#web/kit/page/panel.tsx'
import { ApiKeys } from '#web/shell/security/api-keys.tsx'
import { SecondFactor } from '#web/shell/security/second-factor.tsx'
import { SignInList } from '#web/shell/security/sign-in-list.tsx'
import { useSession } from '#web/shell/session.ts'

/** How oneself signs in, on a page. Who acts as an affiliate sees nothing of its sign-in. */
export function OwnPanels() {
  const { t } = useTranslation('security')
  const { email, acting } = useSession()
  if (acting) return <p className="ohma-soft">{t('notWhileActing')}</p>
  return (
    <Stack maw={820}>
      <Panel title={t('factor.title')}>
        <SecondFactor email={email} />
      </Panel>
      <Panel title={t('keys.title')}>
        <ApiKeys email={email} />
      </Panel>
      <Panel title={t('history.title')}>
        <SignInList />
      </Panel>
    </Stack>
  )
}
