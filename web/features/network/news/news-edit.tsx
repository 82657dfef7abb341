import { useTranslation } from '#web/i18n/use-translation.ts'
import type { z } from 'zod'
import { newsApi, type newsDetail } from '#contract/network/news.ts'
import { AudienceText } from '#web/features/network/news/audience-text.tsx'
import { NewsFields, newsBody, newsValues } from '#web/features/network/news/news-form.tsx'
import { NEWS_STATUS, useNewsActions } from '#web/features/network/news/news-list.tsx'
import { integer } from '#web/format.ts'
import { PageForm } from '#web/kit/form/page-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import { DetailPage } from '#web/kit/page/detail-page.tsx'
import { PageHeader } from '#web/kit/page/page-header.tsx'
import { Moment } from '#web/kit/show/moment.tsx'
import { useZone } from '#web/kit/show/zone.tsx'
import { LastChange } from '#web/last-change.tsx'
import { Status } from '#web/kit/status/status.tsx'
import { PageActions } from '#web/kit/table/page-actions.tsx'

type News = z.output<typeof newsDetail>

/** One news: where it stands, who has read it, and everything that can be changed. */
export function NewsEdit() {
  const { t } = useTranslation('news')
  return (
    <DetailPage screen="newsEdit" endpoint={newsApi.form} failed={t('failedOne')} uuidOf={({ uuid }) => uuid}>
      {(news) => (
        <>
          <Header news={news} />
          <Form news={news} />
        </>
      )}
    </DetailPage>
  )
}

function Header({ news }: { news: News }) {
  const { t } = useTranslation('news')
  const actionsFor = useNewsActions()
  const { reach, readers, status, publish_at } = news
  const actions = actionsFor(news)
  const next = actions.find(({ id }) => id === 'schedule') ?? actions.find(({ id }) => id === 'publish')
  return (
    <PageHeader
      title={news.texts.en.title || news.texts.uk.title}
      id={news.id}
      status={<Status of={NEWS_STATUS} value={status} />}
      facts={[
        <AudienceText key="audience" of={news} />,
        ...(publish_at === null
          ? []
          : [
              <span key="at">
                {t(status === 'published' ? 'facts.published' : 'facts.due')} <Moment at={publish_at} />
              </span>,
            ]),
        t('facts.readers', { readers: integer(readers), reach: integer(reach.affiliates + reach.staff) }),
        ...(news.author === null ? [] : [t('facts.author', { name: news.author })]),
      ]}
      actions={<PageActions actions={actions} primary={status === 'draft' ? next?.id : undefined} />}
    />
  )
}

function Form({ news }: { news: News }) {
  const { t } = useTranslation('news')
  const zone = useZone()
  const form = useSaveForm({
    endpoint: newsApi.update,
    record: news,
    valuesOf: (stored) => newsValues(stored, zone),
    toInput: ({ publish: _publish, ...values }, { version }) => ({
      params: { uuid: news.uuid },
      body: { ...newsBody(values, zone), version },
    }),
    invalidate: [newsApi.written, newsApi.form, newsApi.list, newsApi.unread],
  })
  return (
    <PageForm of={form} label={news.texts.en.title || news.texts.uk.title} action={t('save')}>
      <NewsFields of={form} />
      <LastChange of={{ kind: 'news', uuid: news.uuid }} title={news.texts.en.title || news.texts.uk.title} />
    </PageForm>
  )
}
