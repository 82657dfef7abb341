import { Anchor, Button, Paper } from '@mantine/core'
import { IconApi } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { TestApiPage } from '#web/shell/settings/test-api-page.tsx'
import { EmptyState } from '#web/kit/feedback/empty-state.tsx'
import { ScreenLink } from '#web/shell/screen-link.tsx'

/** /settings/test-api/offer: there is no API offer yet to send a lead to; leads on to what works today. */
export function ApiOffer() {
  const { t } = useTranslation('testApi')
  return (
    <TestApiPage>
      <Paper withBorder>
        <EmptyState
          icon={<IconApi size={26} aria-hidden />}
          title={t('offer.title')}
          text={t('offer.text')}
          action={
            <Button component={ScreenLink} to="settingsTestApiDirect">
              {t('toDirect')}
            </Button>
          }
          hint={
            <Anchor component={ScreenLink} to="offers" mt="xs">
              {t('offer.list')}
            </Anchor>
          }
        />
      </Paper>
    </TestApiPage>
  )
}
