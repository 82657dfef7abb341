import { Button, Drawer, SegmentedControl, Skeleton, Stack } from '@mantine/core'
import { IconEye } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { LANGUAGES_OF_PANEL, newsApi, type NewsInput, type PanelLanguage } from '#contract/network/news.ts'
import { query } from '#web/api/query.ts'
import { Article } from '#web/features/network/news/article.tsx'
import { AudienceText } from '#web/features/network/news/audience-text.tsx'
import { ErrorState } from '#web/kit/feedback/error-state.tsx'
import { momentAt } from '#web/zone-time.ts'

/** A button that shows what is written as its audience will read it, in either language; the server makes the text, as it will when it is saved. */
export function NewsPreview({ of, zone }: { of: NewsInput; zone: string }) {
  const { t, i18n } = useTranslation('news')
  const [opened, setOpened] = useState(false)
  const [language, setLanguage] = useState<PanelLanguage>(i18n.language === 'uk' ? 'uk' : 'en')
  return (
    <>
      <Button variant="default" leftSection={<IconEye size={16} aria-hidden />} onClick={() => setOpened(true)}>
        {t('preview')}
      </Button>
      <Drawer opened={opened} onClose={() => setOpened(false)} position="right" size={720} title={t('preview.title')}>
        <Stack>
          <SegmentedControl
            aria-label={t('preview.language')}
            style={{ alignSelf: 'start' }}
            data={LANGUAGES_OF_PANEL.map((value) => ({ value, label: t(`language.${value}`) }))}
            value={language}
            onChange={(value) => setLanguage(value === 'uk' ? 'uk' : 'en')}
          />
          <p className="ohma-soft">
            {t('preview.for')} <AudienceText of={of} />
          </p>
          {opened && <Previewed of={of} language={language} zone={zone} />}
        </Stack>
      </Drawer>
    </>
  )
}

function Previewed({ of, language, zone }: { of: NewsInput; language: PanelLanguage; zone: string }) {
  const { t } = useTranslation('news')
  const { texts, roles, geos, tags, cover, pinned, publish_at } = of
  const { data, error, refetch } = useQuery({
    ...query(newsApi.preview, { body: { texts, roles, geos, tags, language } }, { quiet: true }),
    placeholderData: keepPreviousData,
  })
  if (error !== null) return <ErrorState what={t('preview.failed')} error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <Skeleton height={240} radius="md" />
  const title = data.title || t('preview.untitled')
  return <Article of={{ ...data, title, cover, pinned, published_at: publish_at && momentAt(publish_at, zone) }} />
}
