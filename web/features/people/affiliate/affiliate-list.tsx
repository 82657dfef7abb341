import { IconUsers } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { affiliateApi } from '#contract/people/affiliate.ts'
import { managerApi } from '#contract/people/manager.ts'
import { AFFILIATE_COLUMNS, AFFILIATE_STATUS, useAffiliateActions } from '#web/features/people/affiliate/affiliate-columns.tsx'
import { useCountryOptions } from '#web/kit/fields/country-field.tsx'
import { useColumns } from '#web/kit/list/columns.tsx'
import { choiceFilter, referenceFilter, searchFilter, textsFilter } from '#web/kit/list/filter.ts'
import { ListPage } from '#web/kit/list/list-page.tsx'
import { useList } from '#web/kit/list/use-list.ts'
import { StatusMenu } from '#web/kit/status/status-menu.tsx'
import { useStatusOptions } from '#web/kit/status/use-status.tsx'
import { screenHref, useCan } from '#web/shell/access.ts'
import { AddButton } from '#web/shell/add-button.tsx'

/** Affiliates in the own scope: find, judge, open, export. */
export function AffiliateList() {
  const { t } = useTranslation('affiliate')
  const mayWrite = useCan()('affiliate.write')
  const { actionsFor, dialog } = useAffiliateActions()
  const list = useList(affiliateApi.list, {
    name: 'affiliate',
    columns: useColumns('affiliate', AFFILIATE_COLUMNS),
    rowKey: (affiliate) => affiliate.uuid,
    sort: { column: 'id', direction: 'desc' },
    filters: {
      search: searchFilter(t('search')),
      status: choiceFilter(t('status'), useStatusOptions(AFFILIATE_STATUS)),
      manager_uuid: referenceFilter(t('manager'), managerApi.options),
      country: choiceFilter(t('country'), useCountryOptions()),
      tag: textsFilter(t('tags')),
    },
  })
  const add = <AddButton to="affiliateCreate" label={t('add')} />
  return (
    <>
      <ListPage
        list={list}
        title={t('title')}
        actions={add}
        empty={{ icon: <IconUsers size={26} stroke={1.6} aria-hidden />, title: t('empty.title'), text: t('empty.text'), action: add }}
        rowHref={({ uuid }) => (mayWrite ? screenHref('affiliateEdit', { uuid }) : undefined)}
        rowActions={actionsFor}
        bulkActions={mayWrite && <StatusMenu list={list} of={AFFILIATE_STATUS} />}
        exportName="affiliates"
      />
      {dialog}
    </>
  )
}
