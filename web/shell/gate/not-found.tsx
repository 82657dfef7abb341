import { Button } from '@mantine/core'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Link } from 'react-router'
import { PageMessage } from './page-message.tsx'

/** What every address that is no screen of this person shows, inside the panel and outside of it. */
export function NotFound() {
  const { t } = useTranslation('shell')
  return (
    <PageMessage code="404" title={t('notFound.title')} text={t('notFound.text')}>
      <Button component={Link} to="/" variant="default">
        {t('notFound.home')}
      </Button>
    </PageMessage>
  )
}
