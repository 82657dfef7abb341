import { Anchor, Badge, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { newsApi } from '#contract/network/news.ts'
import { query } from '#web/api/query.ts'
import { withinChunkTimeout } from '#web/chunk.ts'
import { NewsEntry } from '#web/features/network/news/news-entry.tsx'
import { useUnreadNews } from '#web/features/network/news/use-news.ts'
import { integer } from '#web/format.ts'
import { loadLateTexts } from '#web/i18n/language.ts'
import { Panel } from '#web/kit/page/panel.tsx'
import { usePanelAddress } from '#web/kit/page/use-panel-address.ts'
import { useScreens } from '#web/shell/access.ts'
import { ScreenLink } from '#web/shell/screen-link.tsx'
import classes from '#web/features/network/news/news.module.css'

// read by few visits of the dashboard
const NewsPanel = lazy(async () => {
  const panel = withinChunkTimeout(() => import('#web/features/network/news/news-panel.tsx'))
  const [{ NewsPanel: component }] = await Promise.all([panel, loadLateTexts('news')])
  return { default: component }
})

const SHOWN = 3

/** The newest news on the dashboard of every role, and how many are unread; nothing where there are none. */
export function NewsCard() {
  const { t } = useTranslation('dashboard')
  const screens = useScreens()
  const { open } = usePanelAddress('news')
  const unread = useUnreadNews()
  // without it the page is whole: its failure is nobody's business
  const { data } = useQuery({ ...query(newsApi.list, { body: { count: SHOWN } }, { quiet: true }), refetchInterval: 60_000 })
  const list = data?.list ?? []
  return (
    <>
      {list.length > 0 && (
        <Panel
          title={t('news.title')}
          actions={
            <Group gap={12}>
              {unread > 0 && <Badge variant="light">{t('news.unreadCount', { count: unread, number: integer(unread) })}</Badge>}
              {screens.has('news') && (
                <Anchor component={ScreenLink} to="news" fz={13.5}>
                  {t('news.all')}
                </Anchor>
              )}
            </Group>
          }
        >
          <ul className={classes.lines}>
            {list.map((one) => (
              <li key={one.uuid}>
                <NewsEntry of={one} look="line" />
              </li>
            ))}
          </ul>
        </Panel>
      )}
      <Suspense>{open !== null && <NewsPanel among={list.map(({ uuid }) => uuid)} />}</Suspense>
    </>
  )
}
