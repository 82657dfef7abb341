import { IconBuildingStore } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { advertiserApi } from '#contract/people/advertiser.ts'
import { managerApi } from '#contract/people/manager.ts'
import { ADVERTISER_COLUMNS, ADVERTISER_STATUS } from '#web/features/people/advertiser/advertiser-columns.tsx'
import { useColumns } from '#web/kit/list/columns.tsx'
import { choiceFilter, referenceFilter, searchFilter } from '#web/kit/list/filter.ts'
import { ListPage } from '#web/kit/list/list-page.tsx'
import { useList } from '#web/kit/list/use-list.ts'
import { StatusMenu } from '#web/kit/status/status-menu.tsx'
import { useStatus, useStatusOptions } from '#web/kit/status/use-status.tsx'
import { screenHref, useCan } from '#web/shell/access.ts'
import { AddButton } from '#web/shell/add-button.tsx'

/** Advertisers in the own scope. */
export function AdvertiserList() {
  const { t } = useTranslation('advertiser')
  const mayWrite = useCan()('advertiser.write')
  const { actionsFor } = useStatus(ADVERTISER_STATUS)
  const list = useList(advertiserApi.list, {
    name: 'advertiser',
    columns: useColumns('advertiser', ADVERTISER_COLUMNS),
    rowKey: (advertiser) => advertiser.uuid,
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
      actions={add}
      empty={{
        icon: <IconBuildingStore size={26} stroke={1.6} aria-hidden />,
        title: t('empty.title'),
        text: t('empty.text'),
        action: add,
      }}
      rowHref={({ uuid }) => (mayWrite ? screenHref('advertiserEdit', { uuid }) : undefined)}
      rowActions={(advertiser) => (mayWrite ? actionsFor(advertiser) : [])}
      bulkActions={mayWrite && <StatusMenu list={list} of={ADVERTISER_STATUS} />}
      exportName="advertisers"
    />
  )
}
