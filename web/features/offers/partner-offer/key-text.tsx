import { Anchor } from '@mantine/core'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { useCan } from '#web/shell/access.ts'
import { ScreenLink } from '#web/shell/screen-link.tsx'

/** Which key is needed, and where one is made. */
export function KeyText() {
  const { t } = useTranslation('partnerPage')
  const mayMakeKeys = useCan()('setting.own')
  return (
    <p>
      <strong>{t('api.key')}.</strong> {t('api.keyText')}{' '}
      {mayMakeKeys && (
        <Anchor component={ScreenLink} to="settingsSecurityOwn" underline="always">
          {t('api.keyLink')}
        </Anchor>
      )}
    </p>
  )
}
