import { Anchor, Button, Paper } from '@mantine/core'
import { IconPlugConnected } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { TestApiPage } from '#web/features/traffic/test-api/test-api-page.tsx'
import { EmptyState } from '#web/kit/feedback/empty-state.tsx'
import { ScreenLink } from '#web/shell/screen-link.tsx'

/** /settings/test-api/integrations: nothing is connected before there are API offers; leads on to what works today. */
export function Integrations() {
  const { t } = useTranslation('testApi')
  return (
    <TestApiPage>
      <Paper withBorder>
        <EmptyState
          icon={<IconPlugConnected size={26} aria-hidden />}
          title={t('integrations.title')}
          text={t('integrations.text')}
          action={
            <Button component={ScreenLink} to="settingsIncoming">
              {t('integrations.postbacks')}
            </Button>
          }
          hint={
            <Anchor component={ScreenLink} to="settingsTestApiDirect" mt="xs">
              {t('toDirect')}
            </Anchor>
          }
        />
      </Paper>
    </TestApiPage>
  )
}
