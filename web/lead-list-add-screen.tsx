import { useTranslation } from '#web/i18n/use-translation.ts'
import { leadListApi, type LeadListDetail, type LeftOut } from '#contract/leads/lead-list.ts'
import { advertiserApi } from '#contract/people/advertiser.ts'
import { dimensionsToFilters } from '#web/click-fields.tsx'
import { AddBar, useChosenRows } from '#web/features/leads/lead-list/add-bar.tsx'
import { ImportPeopleButton } from '#web/features/leads/lead-list/import/import-people-button.tsx'
import { useSessionFilters } from '#web/features/leads/user-session/session-filters.ts'
import { sessionColumns } from '#web/features/leads/user-session/user-session-columns.tsx'
import { useConversionColumns } from '#web/features/traffic/conversion/conversion-columns.tsx'
import { useConversionFilters } from '#web/features/traffic/conversion/conversion-filters.ts'
import { useColumns } from '#web/kit/list/columns.tsx'
import { choiceFilter, referenceFilter } from '#web/kit/list/filter.ts'
import { ListPage } from '#web/kit/list/list-page.tsx'
import { useList } from '#web/kit/list/use-list.ts'
import { DetailPage } from '#web/kit/page/detail-page.tsx'
import { PageHeader } from '#web/kit/page/page-header.tsx'
import { StatusBadge } from '#web/kit/show/status-badge.tsx'
import { useZone } from '#web/kit/show/zone.tsx'
import type { Column } from '#web/kit/table/column.ts'
import { ScreenTabs } from '#web/shell/screen-tabs.tsx'
import { useCurrentScreen } from '#web/shell/title.ts'
import { WayButton } from '#web/shell/way-button.tsx'

const AGES = ['0-7', '7-30', '30-90', '90-365', '365-'] as const
/** The columns of staff; of no queue. */
const SESSION_COLUMNS = sessionColumns(true, null)

/** /cold-api/lead-list/add/:uuid with its tabs: leads that may be added to a list, or conversions, by what became of them. */
export function LeadListAdd() {
  const { t } = useTranslation('leadList')
  const screen = useCurrentScreen() === 'leadListAddConversion' ? 'leadListAddConversion' : 'leadListAddSession'
  return (
    <DetailPage key={screen} screen={screen} endpoint={leadListApi.get} failed={t('failed')} uuidOf={({ uuid }) => uuid}>
      {(list) => (
        <>
          <PageHeader
            title={t('addTo', { title: list.title })}
            id={list.id}
            tabs={<ScreenTabs below="/cold-api/lead-list/add/:uuid" params={{ uuid: list.uuid }} label={t('add')} />}
            actions={
              <>
                <ImportPeopleButton list={list.uuid} />
                <WayButton to="leadListSession" params={{ uuid: list.uuid }} label={t('open')} />
              </>
            }
          />
          {screen === 'leadListAddSession' ? <Sessions of={list} /> : <Conversions of={list} />}
        </>
      )}
    </DetailPage>
  )
}

function Sessions({ of: { uuid } }: { of: LeadListDetail }) {
  const { t } = useTranslation('leadList')
  const { t: session } = useTranslation('userSession')
  const columns = useColumns('userSession', SESSION_COLUMNS)
  const list = useList(leadListApi.sessions, {
    path: { uuid },
    name: 'lead-list-add-session',
    columns: [...useLeftOutColumn(), ...columns],
    rowKey: (row) => row.uuid,
    sort: { column: 'received_at', direction: 'desc' },
    filters: { ...useSessionFilters(true), ...useCandidateFilters() },
    toBody: narrowed,
    otherKeys: [],
  })
  const chosen = useChosenRows(list)
  return (
    <ListPage
      inner
      list={chosen.list}
      title={session('title')}
      empty={{ title: t('candidates.empty'), text: t('candidates.emptyText') }}
      rowHref={undefined}
      rowActions={undefined}
      exportName={undefined}
      blocked={useBlocked()}
      bar={
        <AddBar uuid={uuid} chosen={chosen} tried={leadListApi.trySessions} added={leadListApi.addSessions} shown={leadListApi.sessions} />
      }
    />
  )
}

function Conversions({ of: { uuid } }: { of: LeadListDetail }) {
  const { t } = useTranslation('leadList')
  const { t: conversion } = useTranslation('conversion')
  const columns = useConversionColumns(true, useZone(), 'api')
  const list = useList(leadListApi.conversions, {
    path: { uuid },
    name: 'lead-list-add-conversion',
    columns: [...useLeftOutColumn(), ...columns],
    rowKey: (row) => row.uuid,
    sort: { column: 'created_at', direction: 'desc' },
    filters: { ...useConversionFilters(), ...useCandidateFilters() },
    toBody: (body) => dimensionsToFilters(narrowed(body)),
    otherKeys: [],
  })
  const chosen = useChosenRows(list)
  return (
    <ListPage
      inner
      list={chosen.list}
      title={conversion('title')}
      empty={{ title: t('candidates.empty'), text: t('candidates.emptyText') }}
      rowHref={undefined}
      rowActions={undefined}
      exportName={undefined}
      blocked={useBlocked()}
      bar={
        <AddBar
          uuid={uuid}
          chosen={chosen}
          tried={leadListApi.tryConversions}
          added={leadListApi.addConversions}
          shown={leadListApi.conversions}
        />
      }
    />
  )
}

/** What narrows leads for a list, beside what narrows them anywhere. */
function useCandidateFilters() {
  const { t } = useTranslation('leadList')
  return {
    _listed: choiceFilter(t('listed'), [{ value: 'no', label: t('listed.no') }], false),
    not_sent_to_uuid: referenceFilter(t('not_sent_to'), advertiserApi.options),
    _age: choiceFilter(
      t('age'),
      AGES.map((value) => ({ value, label: t(`age.${value}`) })),
      false,
    ),
  }
}

/** What these filters hold, as the request has it. */
function narrowed({ _listed, _age, ...body }: Record<string, unknown>): Record<string, unknown> {
  const age = AGES.find((one) => one === _age)
  const [from = '', to = ''] = age?.split('-') ?? []
  return {
    ...body,
    ...(_listed === 'no' && { not_listed: true }),
    ...(age !== undefined && { age_min: Number(from), ...(to !== '' && { age_max: Number(to) }) }),
  }
}

type Candidate = { left_out: LeftOut | null }

function useBlocked() {
  const { t } = useTranslation('leadList')
  return ({ left_out }: Candidate) => (left_out === null ? undefined : t(`left.${left_out}`))
}

function useLeftOutColumn(): Column<Candidate>[] {
  const { t } = useTranslation('leadList')
  return [
    {
      id: 'left_out',
      header: t('left_out'),
      width: 160,
      card: 'field',
      cell: ({ left_out }) =>
        left_out === null ? (
          <span className="ohma-soft">{t('free')}</span>
        ) : (
          <StatusBadge tone={left_out === 'in_list' ? 'info' : 'muted'} label={t(`left.${left_out}`)} />
        ),
      csv: ({ left_out }) => (left_out === null ? '' : t(`left.${left_out}`)),
    },
  ]
}
