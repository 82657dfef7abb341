import { Button } from '@mantine/core'
import { IconListDetails, IconPlus, IconUsersPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { LEAD_LIST_STATUSES, leadListApi, type LeadList } from '#contract/leads/lead-list.ts'
import { managerApi } from '#contract/people/manager.ts'
import { LeadListCreate } from '#web/features/leads/lead-list/lead-list-form.tsx'
import { useListActions } from '#web/features/leads/lead-list/use-list-actions.tsx'
import { countryName, integer, UNKNOWN } from '#web/format.ts'
import { column, count, idColumn, moment, reference, status, text, useColumns, type Columns } from '#web/kit/list/columns.tsx'
import { choiceFilter, referenceFilter, searchFilter } from '#web/kit/list/filter.ts'
import { ListPage } from '#web/kit/list/list-page.tsx'
import { useList } from '#web/kit/list/use-list.ts'
import { PageHeader } from '#web/kit/page/page-header.tsx'
import { Flag } from '#web/kit/show/flag.tsx'
import { statusLook } from '#web/kit/status/status-look.ts'
import { screenHref, useCan, useGo } from '#web/shell/access.ts'
import { ScreenTabs } from '#web/shell/screen-tabs.tsx'

/** How lists look by their state. */
export const LEAD_LIST_STATUS = statusLook({
  field: 'status',
  texts: 'leadList',
  values: LEAD_LIST_STATUSES,
  tones: { draft: 'muted', ready: 'good', in_use: 'info', archived: 'muted' },
})

const COLUMNS: Columns<LeadList, 'leadList'> = [
  idColumn(),
  text<'title', 'list_title'>('title', { sort: true, width: 220, card: 'title', header: 'list_title' }),
  status(LEAD_LIST_STATUS),
  count('total', { sort: true, card: 'field' }),
  count('sendable', { hint: true, card: 'field' }),
  column<LeadList, 'from_sessions'>('from_sessions', {
    numeric: true,
    cell: ({ by_source }) => integer(by_source.session),
    csv: ({ by_source }) => by_source.session,
  }),
  column<LeadList, 'from_conversions'>('from_conversions', {
    numeric: true,
    cell: ({ by_source }) => integer(by_source.conversion),
    csv: ({ by_source }) => by_source.conversion,
  }),
  column<LeadList, 'from_files'>('from_files', {
    numeric: true,
    hidden: true,
    cell: ({ by_source }) => integer(by_source.file),
    csv: ({ by_source }) => by_source.file,
  }),
  column<LeadList, 'geos'>('geos', {
    width: 230,
    cell: ({ geos }) =>
      geos.length === 0 ? (
        UNKNOWN
      ) : (
        <span style={{ display: 'inline-flex', gap: 10 }}>
          {geos.map(({ country, items }) => (
            <span key={country} title={countryName(country)} style={{ display: 'inline-flex', gap: 5, alignItems: 'center' }}>
              <Flag country={country} /> {country} <span className="ohma-soft ohma-number">{integer(items)}</span>
            </span>
          ))}
        </span>
      ),
    csv: ({ geos }) => geos.map(({ country, items }) => `${country} ${items}`).join(', '),
  }),
  column<LeadList, 'used_in'>('used_in', {
    width: 170,
    cell: ({ used_in, uses }, t) =>
      used_in.length === 0 ? UNKNOWN : [used_in[0]?.title, uses > 1 ? t('usedMore', { count: uses - 1 }) : ''].filter(Boolean).join(' '),
    csv: ({ used_in }) => used_in.map(({ title }) => title).join(', '),
  }),
  reference('owner', { sort: true, width: 140 }),
  moment('created_at', { sort: true }),
]

/** /cold-api/lead-list: the lists for a second sale. */
export function LeadLists() {
  const { t } = useTranslation('leadList')
  const can = useCan()
  const go = useGo()
  const [creating, setCreating] = useState(false)
  const { actionsFor, dialog } = useListActions()
  const list = useList(leadListApi.list, {
    name: 'lead-list',
    columns: useColumns('leadList', COLUMNS),
    rowKey: ({ uuid }) => uuid,
    sort: { column: 'id', direction: 'desc' },
    filters: {
      search: searchFilter(t('search')),
      status: choiceFilter(
        t('status'),
        LEAD_LIST_STATUSES.map((value) => ({ value, label: t(`status.${value}`) })),
      ),
      ...(can('manager.read') && { owner_uuid: referenceFilter(t('owner'), managerApi.options) }),
    },
    leftOut: { status: 'archived' },
    otherKeys: [],
  })
  const create = can('cold.write') && (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setCreating(true)}>
      {t('create')}
    </Button>
  )
  return (
    <>
      <PageHeader title={t('section')} tabs={<ScreenTabs below="/cold-api" label={t('section')} />} />
      <ListPage
        inner
        list={list}
        title={t('title')}
        actions={create}
        empty={{
          icon: <IconListDetails size={26} stroke={1.6} aria-hidden />,
          title: t('empty.title'),
          text: t('empty.text'),
          action: create,
        }}
        rowHref={({ uuid }) => screenHref('leadListSession', { uuid })}
        rowActions={(row) => [
          ...(can('cold.write') && row.status !== 'archived'
            ? [
                {
                  id: 'add',
                  label: t('add'),
                  icon: <IconUsersPlus size={16} aria-hidden />,
                  onClick: () => go('leadListAddSession', { uuid: row.uuid }),
                },
              ]
            : []),
          {
            id: 'details',
            label: t('details'),
            icon: <IconListDetails size={16} aria-hidden />,
            onClick: () => go('leadListSession', { uuid: row.uuid }),
          },
          ...actionsFor(row),
        ]}
        exportName="lead-lists"
      />
      {creating && <LeadListCreate onClose={() => setCreating(false)} />}
      {dialog}
    </>
  )
}
