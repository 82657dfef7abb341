import { Button, SegmentedControl, SimpleGrid, Skeleton } from '@mantine/core'
import { IconChecks, IconNews } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { useSearchParams } from 'react-router'
import { newsApi } from '#contract/network/news.ts'
import { call } from '#web/api/call.ts'
import { NewsEntry } from '#web/features/network/news/news-entry.tsx'
import { NewsPanel } from '#web/features/network/news/news-panel.tsx'
import { useReadAll, useUnreadNews } from '#web/features/network/news/use-news.ts'
import { integer } from '#web/format.ts'
import { EmptyState } from '#web/kit/feedback/empty-state.tsx'
import { ErrorState } from '#web/kit/feedback/error-state.tsx'
import { SearchBox } from '#web/kit/list/search-box.tsx'
import { PageHeader } from '#web/kit/page/page-header.tsx'
import classes from '#web/features/network/news/news.module.css'

const COUNT = 24

/** /dashboard/news: what the network tells the person, pinned first; each opens over the list. */
export function NewsPage() {
  const { t } = useTranslation('news')
  const { t: dashboardTexts } = useTranslation('dashboard')
  const [address, setAddress] = useSearchParams()
  const [search, unread] = [address.get('search') ?? '', address.get('show') === 'unread']
  const found = useInfiniteQuery({
    queryKey: [newsApi.list.path, 'pages', search, unread],
    queryFn: ({ pageParam }) => call(newsApi.list, { body: { page: pageParam, count: COUNT, search, unread } }, { quiet: true }),
    initialPageParam: 1,
    getNextPageParam: ({ summary }, pages) => (pages.length * COUNT < summary.rows ? pages.length + 1 : undefined),
    refetchOnWindowFocus: true,
  })
  const waiting = useUnreadNews()
  const readAll = useReadAll()
  // what came meanwhile has moved the last of a page to the next
  const list = [...new Map((found.data?.pages ?? []).flatMap((page) => page.list.map((one) => [one.uuid, one] as const))).values()]
  const set = (name: string, value: string) =>
    setAddress(
      (now) => {
        if (value === '') now.delete(name)
        else now.set(name, value)
        return now
      },
      { replace: true },
    )
  const filtered = search !== '' || unread

  return (
    <div className={classes.page}>
      <PageHeader
        title={t('title')}
        count={waiting > 0 ? dashboardTexts('news.unreadCount', { count: waiting, number: integer(waiting) }) : undefined}
        actions={
          waiting > 0 && (
            <Button
              variant="default"
              leftSection={<IconChecks size={16} aria-hidden />}
              loading={readAll.isPending}
              onClick={() => readAll.mutate({ body: { until: new Date().toISOString() } })}
            >
              {t('readAll')}
            </Button>
          )
        }
      />
      <div className={classes.filters}>
        <SearchBox label={t('searchTitles')} value={search} onSearch={(text) => set('search', text)} />
        <SegmentedControl
          size="xs"
          aria-label={t('show')}
          data={[
            { value: '', label: t('show.all') },
            { value: 'unread', label: t('show.unread') },
          ]}
          value={unread ? 'unread' : ''}
          onChange={(value) => set('show', value)}
        />
      </div>
      {found.isPending && (
        <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} role="status" aria-label={t('title')}>
          {['a', 'b', 'c'].map((key) => (
            <Skeleton key={key} height={220} radius="md" />
          ))}
        </SimpleGrid>
      )}
      {found.isError && list.length === 0 && <ErrorState what={t('failed')} error={found.error} onRetry={() => void found.refetch()} />}
      {found.isSuccess && list.length === 0 && (
        <EmptyState
          icon={<IconNews size={26} stroke={1.6} aria-hidden />}
          title={t(filtered ? (unread && search === '' ? 'allRead.title' : 'nothing.title') : 'none.title')}
          text={t(filtered ? (unread && search === '' ? 'allRead.text' : 'nothing.text') : 'none.text')}
          action={
            filtered && (
              <Button variant="default" onClick={() => setAddress({}, { replace: true })}>
                {t('showAll')}
              </Button>
            )
          }
        />
      )}
      {list.length > 0 && (
        <ul className={classes.cards} aria-label={t('title')}>
          {list.map((one) => (
            <li key={one.uuid}>
              <NewsEntry of={one} look="card" />
            </li>
          ))}
        </ul>
      )}
      {found.hasNextPage && (
        <Button variant="default" className={classes.more} loading={found.isFetchingNextPage} onClick={() => void found.fetchNextPage()}>
          {t('older')}
        </Button>
      )}
      <NewsPanel among={list.map(({ uuid }) => uuid)} />
    </div>
  )
}
