import { Button } from '@mantine/core'
import { IconBuildingStore, IconPlayerPause, IconPlayerPlay, IconPlus, IconTrash } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { ADVERTISER_STATUSES, advertiserApi } from '#contract/people/advertiser.ts'
import { managerApi } from '#contract/people/manager.ts'
import { advertiserColumns } from '#web/features/people/advertiser/advertiser-columns.tsx'
import { useAdvertiserStatus } from '#web/features/people/advertiser/advertiser-status.tsx'
import { choiceFilter, referenceFilter, searchFilter } from '#web/kit/list/filter.ts'
import { ListPage } from '#web/kit/list/list-page.tsx'
import { StatusMenu } from '#web/kit/list/status-menu.tsx'
import { useList } from '#web/kit/list/use-list.ts'
import { screenHref, useCan } from '#web/shell/access.ts'
import { ScreenLink } from '#web/shell/screen-link.tsx'

/** Advertisers in the own scope. */
export function AdvertiserList() {
  const { t } = useTranslation('advertiser')
  const mayWrite = useCan()('advertiser.write')
  const setStatus = useAdvertiserStatus()
  const statuses = useMemo(() => ADVERTISER_STATUSES.map((value) => ({ value, label: t(`status.${value}`) })), [t])
  const list = useList(advertiserApi.list, {
    name: 'advertiser',
    columns: useMemo(() => advertiserColumns(t), [t]),
    rowKey: (advertiser) => advertiser.uuid,
    sort: { column: 'id', direction: 'desc' },
    filters: {
      search: searchFilter(t('search')),
      status: choiceFilter(t('status'), statuses),
      manager_uuid: referenceFilter(t('manager'), managerApi.options),
    },
  })
  const add = mayWrite && (
    <Button component={ScreenLink} to="advertiserCreate" leftSection={<IconPlus size={16} aria-hidden />}>
      {t('add')}
    </Button>
  )
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
      rowHref={(advertiser) => (mayWrite ? screenHref('advertiserEdit', { uuid: advertiser.uuid }) : undefined)}
      rowActions={(advertiser) =>
        !mayWrite
          ? []
          : [
              advertiser.status === 'active'
                ? {
                    label: t('deactivate'),
                    icon: <IconPlayerPause size={16} aria-hidden />,
                    onClick: () => void setStatus([advertiser], 'inactive'),
                  }
                : {
                    label: t('activate'),
                    icon: <IconPlayerPlay size={16} aria-hidden />,
                    onClick: () => void setStatus([advertiser], 'active'),
                  },
              ...(advertiser.status === 'deleted'
                ? []
                : [
                    {
                      label: t('delete'),
                      icon: <IconTrash size={16} aria-hidden />,
                      danger: true,
                      onClick: () => void setStatus([advertiser], 'deleted'),
                    },
                  ]),
            ]
      }
      bulkActions={mayWrite && <StatusMenu list={list} label={t('setStatus')} statuses={statuses} onSet={setStatus} />}
      exportName="advertisers"
    />
  )
}
