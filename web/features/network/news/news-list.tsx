import { IconArchive, IconArchiveOff, IconArrowBackUp, IconCalendarTime, IconCopy, IconNews, IconSend } from '@tabler/icons-react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { z } from 'zod'
import { ROLES } from '#contract/access.ts'
import { NEWS_STATUSES, newsApi, type newsRow } from '#contract/network/news.ts'
import { useSave } from '#web/api/query.ts'
import { AudienceText } from '#web/features/network/news/audience-text.tsx'
import { useCountryOptions } from '#web/kit/fields/country-field.tsx'
import { column, count, idColumn, moment, status, text, useColumns, type Columns } from '#web/kit/list/columns.tsx'
import { choiceFilter, searchFilter, textsFilter } from '#web/kit/list/filter.ts'
import { ListPage } from '#web/kit/list/list-page.tsx'
import { useList } from '#web/kit/list/use-list.ts'
import { statusSet } from '#web/kit/status/status-look.ts'
import { StatusMenu } from '#web/kit/status/status-menu.tsx'
import { useStatus, useStatusOptions } from '#web/kit/status/use-status.tsx'
import type { RowAction } from '#web/kit/table/column.ts'
import { notify } from '#web/notify.ts'
import { screenHref, useGo } from '#web/shell/access.ts'
import { AddButton } from '#web/shell/add-button.tsx'
import { SettingsPage } from '#web/shell/settings-page.tsx'

type News = z.output<typeof newsRow>

/** Where news stand, and what is made of them. */
export const NEWS_STATUS = statusSet({
  texts: 'news',
  values: NEWS_STATUSES,
  tones: { draft: 'muted', scheduled: 'waiting', published: 'good', archived: 'muted' },
  endpoint: newsApi.setStatus,
  undo: newsApi.undo,
  refresh: [newsApi.written, newsApi.form, newsApi.list, newsApi.unread],
  moves: [
    { text: 'publish', to: 'published', from: ['draft', 'scheduled'], icon: IconSend },
    { text: 'schedule', to: 'scheduled', from: ['draft'], icon: IconCalendarTime },
    { text: 'withdraw', to: 'draft', from: ['scheduled', 'published'], icon: IconArrowBackUp },
    { text: 'archive', to: 'archived', from: ['draft', 'scheduled', 'published'], icon: IconArchive },
    { text: 'restore', to: 'draft', from: ['archived'], icon: IconArchiveOff },
  ],
})

const NEWS_COLUMNS: Columns<News, 'news'> = [
  idColumn(),
  text('title', { sort: true, width: 220, card: 'title' }),
  status(NEWS_STATUS, { sort: true }),
  column<News, 'audience'>('audience', {
    width: 190,
    card: 'field',
    cell: (one) => <AudienceText of={one} />,
    csv: ({ roles, geos, tags }) => [...roles, ...geos, ...tags].join(', '),
  }),
  moment('publish_at', { sort: true, card: 'field' }),
  column<News, 'pinned'>('pinned', {
    sort: true,
    whole: true,
    cell: ({ pinned }, t) => (pinned ? t('pinned.yes') : ''),
    csv: ({ pinned }) => (pinned ? 'yes' : 'no'),
  }),
  count('readers', { sort: true, hint: true, card: 'field' }),
  column<News, 'languages'>('languages', {
    whole: true,
    hidden: true,
    cell: ({ languages }) => languages.map((one) => one.toUpperCase()).join(', '),
    csv: ({ languages }) => languages.join(', '),
  }),
  text('author', { sort: true, width: 130, hidden: true }),
  moment('updated_at', { sort: true, hidden: true }),
  moment('created_at', { sort: true, hidden: true }),
]

/** /settings/news: all news, whoever they are for. */
export function NewsList() {
  const { t } = useTranslation('news')
  const actionsFor = useNewsActions()
  const list = useList(newsApi.written, {
    name: 'news',
    columns: useColumns('news', NEWS_COLUMNS),
    rowKey: (news) => news.uuid,
    otherKeys: [],
    leftOut: { status: 'archived' },
    sort: { column: 'id', direction: 'desc' },
    filters: {
      search: searchFilter(t('search')),
      status: choiceFilter(t('status'), useStatusOptions(NEWS_STATUS)),
      role: choiceFilter(t('roles'), useRoleOptions()),
      geo: choiceFilter(t('geos'), useCountryOptions()),
      tag: textsFilter(t('tags')),
      pinned: choiceFilter(t('pinned'), [
        { value: 'yes', label: t('pinned.yes') },
        { value: 'no', label: t('pinned.no') },
      ]),
    },
  })
  const add = <AddButton to="newsCreate" label={t('add')} />
  return (
    <SettingsPage wide>
      <ListPage
        list={list}
        title={t('title')}
        inner
        actions={add}
        empty={{ icon: <IconNews size={26} stroke={1.6} aria-hidden />, title: t('empty.title'), text: t('empty.text'), action: add }}
        rowHref={({ uuid }) => screenHref('newsEdit', { uuid })}
        rowActions={actionsFor}
        bulkActions={<StatusMenu list={list} of={NEWS_STATUS} />}
        exportName="news"
      />
    </SettingsPage>
  )
}

/** What can be done with news, for their row and their page. */
export function useNewsActions(): (one: Pick<News, 'uuid' | 'status' | 'publish_at'>) => RowAction[] {
  const { t } = useTranslation('news')
  const go = useGo()
  const { actionsFor } = useStatus(NEWS_STATUS)
  const duplicate = useSave(newsApi.duplicate, {
    invalidate: [newsApi.written],
    onSuccess: ({ uuid }) => {
      notify.success(t('duplicated'))
      go('newsEdit', { uuid })
    },
  })
  return (one) => [
    // what names no moment to come cannot wait for it
    ...actionsFor(one).filter(({ id }) => id !== 'schedule' || Date.parse(one.publish_at ?? '') > Date.now()),
    {
      id: 'duplicate',
      label: t('duplicate'),
      icon: <IconCopy size={16} aria-hidden />,
      onClick: () => duplicate.mutate({ params: { uuid: one.uuid } }),
    },
  ]
}

/** The roles an audience can name. */
export function useRoleOptions(): { value: (typeof ROLES)[number]; label: string }[] {
  const { t } = useTranslation('news')
  return ROLES.map((value) => ({ value, label: t(`role.${value}`) }))
}
