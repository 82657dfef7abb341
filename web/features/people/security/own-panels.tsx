import { useTranslation } from '#web/i18n/use-translation.ts'
import { UrlTabs } from '#web/kit/page/url-tabs.tsx'
import { useOwnSections } from '#web/shell/security/own-sections.tsx'
import { useSession } from '#web/shell/session.ts'

/** One's own safety, on a page. Who acts as an affiliate sees nothing of its sign-in. `beneath` is the tab of the page it stands in, where it has any. */
export function OwnPanels({ beneath }: { beneath?: string }) {
  const { t } = useTranslation('security')
  const { email, acting } = useSession()
  const tabs = useOwnSections(email)
  if (acting) return <p className="ohma-soft">{t('notWhileActing')}</p>
  return (
    <div style={{ display: 'grid', gap: 16, maxWidth: 820 }}>
      <UrlTabs label={t('settings.own')} tabs={tabs} name="view" {...(beneath !== undefined && { beneath })} />
    </div>
  )
}
