import { Skeleton } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { ErrorState } from '#web/kit/feedback/error-state.tsx'
import classes from '#web/kit/page/page.module.css'

type QueryPageProps<Data> = {
  query: UseQueryResult<Data>
  /** What the page says when it cannot be loaded: "The report could not be made". */
  failed: string
  children: (data: Data) => ReactNode
}

/** A page over one query: its skeleton, its error, or what `children` makes of it. */
export function QueryPage<Data>({ query, failed, children }: QueryPageProps<Data>) {
  const { t } = useTranslation('kit')
  if (query.data !== undefined) return <div className={classes.detail}>{children(query.data)}</div>
  if (query.isError) return <ErrorState what={failed} error={query.error} onRetry={() => void query.refetch()} />
  return (
    <div className={classes.detail} role="status" aria-label={t('loading')}>
      <Skeleton height={28} width={260} />
      <Skeleton height={16} width={420} maw="100%" />
      <Skeleton height={220} radius="md" mt={20} />
      <Skeleton height={180} radius="md" />
    </div>
  )
}
