import { Button } from '@mantine/core'
import { IconPlus, IconUsers } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { AFFILIATE_STATUSES, affiliateApi } from '#contract/people/affiliate.ts'
import { managerApi } from '#contract/people/manager.ts'
import { affiliateColumns } from '#web/features/people/affiliate/affiliate-columns.tsx'
import { useAffiliateActions } from '#web/features/people/affiliate/use-affiliate-actions.tsx'
import { useAffiliateStatus } from '#web/features/people/affiliate/use-affiliate-status.ts'
import { useCountryOptions } from '#web/kit/fields/country-field.tsx'
import { choiceFilter, referenceFilter, searchFilter, textsFilter } from '#web/kit/list/filter.ts'
import { ListPage } from '#web/kit/list/list-page.tsx'
import { StatusMenu } from '#web/kit/list/status-menu.tsx'
import { useList } from '#web/kit/list/use-list.ts'
import { screenHref, useCan } from '#web/shell/access.ts'
import { ScreenLink } from '#web/shell/screen-link.tsx'

/** Affiliates in the own scope: find, judge, open, export. */
export function AffiliateList() {
  const { t } = useTranslation('affiliate')
  const can = useCan()
  const countries = useCountryOptions()
  const setStatus = useAffiliateStatus()
  const { actionsFor, dialog } = useAffiliateActions()
  const mayWrite = can('affiliate.write')
  const statuses = useMemo(() => AFFILIATE_STATUSES.map((value) => ({ value, label: t(`status.${value}`) })), [t])

  const list = useList(affiliateApi.list, {
    name: 'affiliate',
    columns: useMemo(() => affiliateColumns(t), [t]),
    rowKey: (affiliate) => affiliate.uuid,
    sort: { column: 'id', direction: 'desc' },
    filters: {
      search: searchFilter(t('search')),
      status: choiceFilter(t('status'), statuses),
      manager_uuid: referenceFilter(t('manager'), managerApi.options),
      country: choiceFilter(t('country'), countries),
      tag: textsFilter(t('tags')),
    },
  })

  const add = mayWrite && (
    <Button component={ScreenLink} to="affiliateCreate" leftSection={<IconPlus size={16} aria-hidden />}>
      {t('add')}
    </Button>
  )

  return (
    <>
      <ListPage
        list={list}
        title={t('title')}
        actions={add}
        empty={{ icon: <IconUsers size={26} stroke={1.6} aria-hidden />, title: t('empty.title'), text: t('empty.text'), action: add }}
        rowHref={(affiliate) => (mayWrite ? screenHref('affiliateEdit', { uuid: affiliate.uuid }) : undefined)}
        rowActions={actionsFor}
        bulkActions={mayWrite && <StatusMenu list={list} label={t('setStatus')} statuses={statuses} onSet={setStatus} />}
        exportName="affiliates"
      />
      {dialog}
    </>
  )
}
