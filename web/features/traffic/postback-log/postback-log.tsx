import { useTranslation } from 'react-i18next'
import { PostbackList } from '#web/features/traffic/postback-log/postback-list.tsx'
import { PageHeader } from '#web/kit/page/page-header.tsx'
import { UrlTabs } from '#web/kit/page/url-tabs.tsx'

/** Every postback that came from advertisers or went to affiliates, also those that failed. */
export function PostbackLog() {
  const { t } = useTranslation('postbackLog')
  return (
    <>
      <PageHeader title={t('section')} />
      <UrlTabs
        label={t('section')}
        tabs={(['in', 'out'] as const).map((direction) => ({
          id: direction,
          label: t(`direction.${direction}`),
          content: <PostbackList key={direction} direction={direction} />,
        }))}
      />
    </>
  )
}
