import { Skeleton, Stack } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { newsApi } from '#contract/network/news.ts'
import { call } from '#web/api/call.ts'
import { query } from '#web/api/query.ts'
import { Article } from '#web/features/network/news/article.tsx'
import { refreshNews } from '#web/features/network/news/use-news.ts'
import { ErrorState } from '#web/kit/feedback/error-state.tsx'
import { SidePanel } from '#web/kit/page/side-panel.tsx'
import { usePanelAddress } from '#web/kit/page/use-panel-address.ts'

/** The news the address names, whole, over the page; who has it before them has read it. */
export function NewsPanel({ among }: { among: readonly string[] }) {
  const { open, show, close } = usePanelAddress('news')
  return open === null ? null : <OpenNews key={open} uuid={open} among={among} onShow={show} onClose={close} />
}

type OpenNewsProps = { uuid: string; among: readonly string[]; onShow: (uuid: string) => void; onClose: () => void }

function OpenNews({ uuid, among, onShow, onClose }: OpenNewsProps) {
  const { t } = useTranslation('news')
  const client = useQueryClient()
  const { data, error, refetch } = useQuery(query(newsApi.get, { params: { uuid } }, { quiet: true }))
  const unread = data?.read === false ? data.uuid : undefined
  useEffect(() => {
    if (unread === undefined) return
    // a failure leaves it unread, which is no harm
    const refresh = () => void refreshNews(client)
    void call(newsApi.read, { params: { uuid: unread } }, { quiet: true }).then(refresh, () => {})
  }, [unread, client])
  return (
    <SidePanel title={t('one')} size={720} open={uuid} among={among} onShow={onShow} onClose={onClose}>
      {data !== undefined && <Article of={data} />}
      {data === undefined && error !== null && <ErrorState what={t('gone')} error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && (
        <Stack role="status" aria-label={t('one')}>
          <Skeleton height={200} radius="md" />
          <Skeleton height={28} width="70%" />
          <Skeleton height={160} />
        </Stack>
      )}
    </SidePanel>
  )
}
