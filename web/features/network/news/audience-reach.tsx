import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { blankNews, newsApi, type NewsInput } from '#contract/network/news.ts'
import { query } from '#web/api/query.ts'
import { integer } from '#web/format.ts'
import classes from '#web/features/network/news/news.module.css'

/** How many active people an audience has, as it is chosen; `children` stand beside it. */
export function AudienceReach({
  of: { roles, geos, tags },
  children,
}: {
  of: Pick<NewsInput, 'roles' | 'geos' | 'tags'>
  children: ReactNode
}) {
  const { t } = useTranslation('news')
  // what is written says nothing of whom it reaches
  const asked = { body: { texts: blankNews.texts, language: 'en' as const, roles, geos, tags } }
  const { data } = useQuery({ ...query(newsApi.preview, asked, { quiet: true }), placeholderData: keepPreviousData })
  const words =
    data === undefined
      ? ''
      : t('reach', {
          affiliates: t('reach.affiliates', { count: data.reach.affiliates, number: integer(data.reach.affiliates) }),
          staff: t('reach.staff', { count: data.reach.staff, number: integer(data.reach.staff) }),
        })
  return (
    <div className={classes.reach}>
      <span role="status">{words}</span>
      {children}
    </div>
  )
}
