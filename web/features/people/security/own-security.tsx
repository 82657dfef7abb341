import { useTranslation } from 'react-i18next'
import { Panel } from '#web/kit/page/panel.tsx'
import { SettingsPage } from '#web/shell/settings-page.tsx'
import { SecondFactor } from '#web/shell/security/second-factor.tsx'
import { useSession } from '#web/shell/session.ts'

/** /settings/security of an affiliate: the own second factor. Who acts as one sees nothing of it. */
export function OwnSecurity() {
  const { t } = useTranslation('security')
  const { email, acting } = useSession()
  return (
    <SettingsPage>
      <Panel title={t('factor.title')}>
        {acting ? <p className="ohma-soft">{t('notWhileActing')}</p> : <SecondFactor email={email} />}
      </Panel>
    </SettingsPage>
  )
}
