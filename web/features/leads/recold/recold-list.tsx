import { Button } from '@mantine/core'
import { IconEye, IconPlus, IconSnowflake } from '@tabler/icons-react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { useSearchParams } from 'react-router'
import { leadListApi } from '#contract/leads/lead-list.ts'
import { recoldApi, RECOLD_STATUSES, type RecoldRow } from '#contract/leads/recold.ts'
import { DataWords } from '#web/features/leads/recold/data-words.tsx'
import { RecoldFiguresTab } from '#web/features/leads/recold/figures-tab.tsx'
import { ProgressBar } from '#web/features/leads/recold/progress-bar.tsx'
import { RecoldCreate, RecoldEdit } from '#web/features/leads/recold/recold-form.tsx'
import { RECOLD_STATUS } from '#web/features/leads/recold/recold-status.ts'
import { dataWords, intervalWords, periodWords, progressOf } from '#web/features/leads/recold/recold-words.ts'
import { useRecoldActions } from '#web/features/leads/recold/use-recold-actions.tsx'
import { integer, money, UNKNOWN } from '#web/format.ts'
import { column, count, idColumn, moment, reference, status, text, useColumns, type Columns } from '#web/kit/list/columns.tsx'
import { choiceFilter, daysFilter, referenceFilter, searchFilter } from '#web/kit/list/filter.ts'
import { ListPage } from '#web/kit/list/list-page.tsx'
import { useList } from '#web/kit/list/use-list.ts'
import { PageHeader } from '#web/kit/page/page-header.tsx'
import { screenHref, useCan, useGo } from '#web/shell/access.ts'
import { PartTabs } from '#web/shell/part-tabs.tsx'
import { ScreenTabs } from '#web/shell/screen-tabs.tsx'

const counted = <Id extends 'accepted' | 'rejected' | 'skipped'>(id: Id) =>
  column<RecoldRow, Id>(id, { numeric: true, cell: ({ counts }) => integer(counts[id]), csv: ({ counts }) => counts[id] })

const COLUMNS: Columns<RecoldRow, 'recold'> = [
  idColumn(),
  text<'title', 'recold_title'>('title', { sort: true, width: 200, card: 'title', header: 'recold_title' }),
  status(RECOLD_STATUS, { sort: true }),
  column<RecoldRow, 'progress'>('progress', {
    width: 170,
    card: 'field',
    cell: (row) => <ProgressBar of={row} />,
    csv: (row) => `${progressOf(row).sent}/${progressOf(row).total}`,
  }),
  counted('accepted'),
  counted('rejected'),
  counted('skipped'),
  moment('next_send_at', { card: 'field' }),
  reference('list', { width: 150 }),
  reference('offer', { width: 150, card: 'field' }),
  column<RecoldRow, 'interval'>('interval', {
    width: 130,
    cell: ({ pacing }, t) => intervalWords(pacing, t),
    csv: ({ pacing }, t) => intervalWords(pacing, t),
  }),
  column<RecoldRow, 'period'>('period', {
    width: 120,
    hint: true,
    cell: (row, t) => periodWords(row, t) || UNKNOWN,
    csv: periodWords,
  }),
  column<RecoldRow, 'data_setting'>('data_setting', {
    width: 190,
    cell: ({ data }) => <DataWords of={data} />,
    csv: ({ data }, t) => dataWords(data, t),
  }),
  count('conversions', { hidden: true }),
  column<RecoldRow, 'revenue'>('revenue', {
    numeric: true,
    hidden: true,
    cell: ({ revenue }) => revenue.map(({ amount, currency }) => money(amount, currency)).join(' · ') || UNKNOWN,
    csv: ({ revenue }) => revenue.map(({ amount, currency }) => `${amount} ${currency}`).join(', '),
  }),
  moment('last_send_at', { sort: true }),
  reference('manager', { hidden: true, width: 140 }),
  reference('affiliate', { hidden: true, width: 140 }),
  moment('created_at', { sort: true, hidden: true }),
]

const FIGURES = 'figures'

/** /cold-api/re-cold-api: the second sales of lists; with `?create` or `?edit=` the form of one, which Back leaves. */
export function Recolds() {
  const [search, setSearch] = useSearchParams()
  const { t } = useTranslation('recold')
  const can = useCan()
  const go = useGo()
  const close = () => setSearch({})
  const edited = search.get('edit')
  if (can('cold.write') && search.has('create')) return <RecoldCreate list={search.get('list')} onClose={close} />
  if (can('cold.write') && edited !== null) return <RecoldEdit uuid={edited} onClose={() => go('recold', { uuid: edited })} />
  return (
    <>
      <PageHeader title={t('section')} tabs={<ScreenTabs below="/cold-api" label={t('section')} />} />
      <PartTabs label={t('title')} first={t('distributions')} parts={[{ tab: FIGURES, label: t('figures') }]} />
      {search.get('tab') === FIGURES ? (
        <RecoldFiguresTab />
      ) : (
        <RecoldTable onCreate={() => setSearch({ create: '' })} onEdit={(edit) => setSearch({ edit })} />
      )}
    </>
  )
}

function RecoldTable({ onCreate, onEdit }: { onCreate: () => void; onEdit: (uuid: string) => void }) {
  const { t } = useTranslation('recold')
  const can = useCan()
  const go = useGo()
  const { actionsFor, dialog } = useRecoldActions({ onEdit })
  const create = can('cold.write') && (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={onCreate}>
      {t('create')}
    </Button>
  )
  const list = useList(recoldApi.list, {
    name: 'recold',
    columns: useColumns('recold', COLUMNS),
    rowKey: ({ uuid }) => uuid,
    sort: { column: 'id', direction: 'desc' },
    filters: {
      search: searchFilter(t('search')),
      status: choiceFilter(
        t('status'),
        RECOLD_STATUSES.map((value) => ({ value, label: t(`status.${value}`) })),
      ),
      list_uuid: referenceFilter(t('list'), leadListApi.options),
      from: daysFilter(t('created_at'), 'to'),
    },
    leftOut: { status: 'deleted' },
    otherKeys: [],
    live: true,
  })
  return (
    <>
      <ListPage
        inner
        list={list}
        title={t('title')}
        actions={create}
        empty={{
          icon: <IconSnowflake size={26} stroke={1.6} aria-hidden />,
          title: t('empty.title'),
          text: t('empty.text'),
          action: create,
        }}
        rowHref={({ uuid }) => screenHref('recold', { uuid })}
        rowActions={(row) => [
          { id: 'open', label: t('open'), icon: <IconEye size={16} aria-hidden />, onClick: () => go('recold', { uuid: row.uuid }) },
          ...actionsFor(row),
        ]}
        exportName="re-cold"
      />
      {dialog}
    </>
  )
}
