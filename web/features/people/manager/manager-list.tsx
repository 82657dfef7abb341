import { Button } from '@mantine/core'
import { IconPlus, IconUserCog } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { MANAGED_ROLES, MANAGER_STATUSES, MANAGER_TYPES, managerApi } from '#contract/people/manager.ts'
import { managerColumns } from '#web/features/people/manager/manager-columns.tsx'
import { useManagerStatus } from '#web/features/people/manager/manager-status.tsx'
import { useManagerActions } from '#web/features/people/manager/use-manager-actions.tsx'
import { choiceFilter, searchFilter } from '#web/kit/list/filter.ts'
import { ListPage } from '#web/kit/list/list-page.tsx'
import { StatusMenu } from '#web/kit/list/status-menu.tsx'
import { useList } from '#web/kit/list/use-list.ts'
import { screenHref } from '#web/shell/access.ts'
import { ScreenLink } from '#web/shell/screen-link.tsx'
import { useSession } from '#web/shell/session.ts'

/** The people of the network whom one manages. */
export function ManagerList() {
  const { t } = useTranslation('manager')
  const { role } = useSession()
  const setStatus = useManagerStatus()
  const { actionsFor, dialog } = useManagerActions()
  const statuses = useMemo(() => MANAGER_STATUSES.map((value) => ({ value, label: t(`status.${value}`) })), [t])
  const list = useList(managerApi.list, {
    name: 'manager',
    columns: useMemo(() => managerColumns(t), [t]),
    rowKey: (manager) => manager.uuid,
    sort: { column: 'id', direction: 'desc' },
    filters: {
      search: searchFilter(t('search')),
      role: choiceFilter(
        t('role'),
        (role ? MANAGED_ROLES[role] : []).map((one) => ({ value: one, label: t(`role.${one}`) })),
      ),
      status: choiceFilter(t('status'), statuses),
      type: choiceFilter(
        t('type'),
        MANAGER_TYPES.map((type) => ({ value: type, label: t(`type.${type}`) })),
      ),
    },
  })
  const add = (
    <Button component={ScreenLink} to="managerCreate" leftSection={<IconPlus size={16} aria-hidden />}>
      {t('add')}
    </Button>
  )
  return (
    <>
      <ListPage
        list={list}
        title={t('title')}
        actions={add}
        empty={{ icon: <IconUserCog size={26} stroke={1.6} aria-hidden />, title: t('empty.title'), text: t('empty.text'), action: add }}
        rowHref={(manager) => screenHref('managerEdit', { uuid: manager.uuid })}
        rowActions={actionsFor}
        bulkActions={<StatusMenu list={list} label={t('setStatus')} statuses={statuses} onSet={setStatus} />}
        exportName="managers"
      />
      {dialog}
    </>
  )
}
