import { useTranslation } from '#web/i18n/use-translation.ts'
import { PostbackList } from '#web/features/traffic/postback-log/postback-list.tsx'
import { StrayPaths } from '#web/features/traffic/postback-log/stray-paths.tsx'
import { PageHeader } from '#web/kit/page/page-header.tsx'
import { UrlTabs, type UrlTab } from '#web/kit/page/url-tabs.tsx'
import { useCan } from '#web/shell/access.ts'

/** Every postback that came from advertisers or went to affiliates, also those that failed; `out`: what waits at the latter, `more`: the tabs of other features. */
export function PostbackLog({ out, more }: { out: Pick<UrlTab, 'badge'>; more: readonly UrlTab[] }) {
  const { t } = useTranslation('postbackLog')
  const seesStrays = useCan()('postback.stray')
  return (
    <>
      <PageHeader title={t('section')} />
      <UrlTabs
        label={t('section')}
        tabs={[
          ...(['in', 'out'] as const).map((direction) => ({
            id: direction,
            label: t(`direction.${direction}`),
            content: <PostbackList key={direction} direction={direction} />,
            ...(direction === 'out' && out),
          })),
          ...more,
          ...(seesStrays ? [{ id: 'strays', label: t('strays.tab'), content: <StrayPaths /> }] : []),
        ]}
      />
    </>
  )
}
