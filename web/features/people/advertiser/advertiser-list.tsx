import { IconBuildingStore, IconPlayerPause, IconPlayerPlay, IconTrash } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { z } from 'zod'
import { ADVERTISER_STATUSES, advertiserApi, type advertiser } from '#contract/people/advertiser.ts'
import { managerApi } from '#contract/people/manager.ts'
import { useWithFigures } from '#web/figure-columns.tsx'
import { copied, count, idColumn, moment, reference, status, text, useColumns, type Columns } from '#web/kit/list/columns.tsx'
import { choiceFilter, referenceFilter, searchFilter } from '#web/kit/list/filter.ts'
import { ListPage } from '#web/kit/list/list-page.tsx'
import { useList, type Chosen } from '#web/kit/list/use-list.ts'
import { statusSet } from '#web/kit/status/status-look.ts'
import { StatusMenu } from '#web/kit/status/status-menu.tsx'
import { useStatus, useStatusOptions } from '#web/kit/status/use-status.tsx'
import { screenHref, useCan } from '#web/shell/access.ts'
import { AddButton } from '#web/shell/add-button.tsx'

type Advertiser = z.output<typeof advertiser>

/** Where an advertiser stands, and what staff make of it. */
export const ADVERTISER_STATUS = statusSet({
  texts: 'advertiser',
  values: ADVERTISER_STATUSES,
  tones: { active: 'good', inactive: 'muted', deleted: 'bad' },
  endpoint: advertiserApi.setStatus,
  refresh: [advertiserApi.list, advertiserApi.get],
  moves: [
    { text: 'deactivate', to: 'inactive', from: ['active'], icon: IconPlayerPause },
    { text: 'activate', to: 'active', icon: IconPlayerPlay },
    { text: 'delete', to: 'deleted', icon: IconTrash, danger: true },
  ],
})

const ADVERTISER_COLUMNS: Columns<Advertiser, 'advertiser'> = [
  idColumn(),
  text('name', { sort: true, width: 190, card: 'title' }),
  copied('email', { sort: true, width: 150 }),
  text('external_id', { sort: true, width: 110, hidden: true }),
  status(ADVERTISER_STATUS, { sort: true }),
  reference('manager', { sort: true, width: 145, card: 'field' }),
  count('offers', { sort: true, card: 'field' }),
  text('currency', { sort: true, width: 95, hidden: true, card: 'field' }),
  moment('created_at', { sort: true, hidden: true }),
]

/** Advertisers in the own scope; `more` are buttons of other features, `bulk` what they do with chosen rows. */
export function AdvertiserList({ more, bulk }: { more?: ReactNode; bulk?: (list: Chosen) => ReactNode }) {
  const { t } = useTranslation('advertiser')
  const mayWrite = useCan()('advertiser.write')
  const { actionsFor } = useStatus(ADVERTISER_STATUS)
  const list = useList(advertiserApi.list, {
    name: 'advertiser',
    columns: useWithFigures(useColumns('advertiser', ADVERTISER_COLUMNS), 'offers', ['clicks', 'conversions', 'total_revenue']),
    fixed: { figures: true },
    rowKey: (advertiser) => advertiser.uuid,
    otherKeys: ['import'],
    leftOut: { status: 'deleted' },
    sort: { column: 'id', direction: 'desc' },
    filters: {
      search: searchFilter(t('search')),
      status: choiceFilter(t('status'), useStatusOptions(ADVERTISER_STATUS)),
      manager_uuid: referenceFilter(t('manager'), managerApi.options),
    },
  })
  const add = <AddButton to="advertiserCreate" label={t('add')} />
  return (
    <ListPage
      list={list}
      title={t('title')}
      actions={
        <>
          {more}
          {add}
        </>
      }
      empty={{
        icon: <IconBuildingStore size={26} stroke={1.6} aria-hidden />,
        title: t('empty.title'),
        text: t('empty.text'),
        action: add,
      }}
      rowHref={({ uuid }) => (mayWrite ? screenHref('advertiserEdit', { uuid }) : undefined)}
      rowActions={(advertiser) => (mayWrite ? actionsFor(advertiser) : [])}
      bulkActions={
        mayWrite && (
          <>
            <StatusMenu list={list} of={ADVERTISER_STATUS} />
            {bulk?.(list)}
          </>
        )
      }
      exportName="advertisers"
    />
  )
}
