import { IconUserCog } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { MANAGED_ROLES, MANAGER_TYPES, managerApi } from '#contract/people/manager.ts'
import { MANAGER_COLUMNS, MANAGER_STATUS, useManagerActions } from '#web/features/people/manager/manager-columns.tsx'
import { useColumns } from '#web/kit/list/columns.tsx'
import { choiceFilter, searchFilter } from '#web/kit/list/filter.ts'
import { ListPage } from '#web/kit/list/list-page.tsx'
import { useList } from '#web/kit/list/use-list.ts'
import { StatusMenu } from '#web/kit/status/status-menu.tsx'
import { useStatusOptions } from '#web/kit/status/use-status.tsx'
import { screenHref } from '#web/shell/access.ts'
import { AddButton } from '#web/shell/add-button.tsx'
import { useSession } from '#web/shell/session.ts'

/** The people of the network whom one manages. */
export function ManagerList() {
  const { t } = useTranslation('manager')
  const { role } = useSession()
  const { actionsFor, dialog } = useManagerActions()
  const list = useList(managerApi.list, {
    name: 'manager',
    columns: useColumns('manager', MANAGER_COLUMNS),
    rowKey: (manager) => manager.uuid,
    sort: { column: 'id', direction: 'desc' },
    filters: {
      search: searchFilter(t('search')),
      role: choiceFilter(
        t('role'),
        (role ? MANAGED_ROLES[role] : []).map((one) => ({ value: one, label: t(`role.${one}`) })),
      ),
      status: choiceFilter(t('status'), useStatusOptions(MANAGER_STATUS)),
      type: choiceFilter(
        t('type'),
        MANAGER_TYPES.map((type) => ({ value: type, label: t(`type.${type}`) })),
      ),
    },
  })
  const add = <AddButton to="managerCreate" label={t('add')} />
  return (
    <>
      <ListPage
        list={list}
        title={t('title')}
        actions={add}
        empty={{ icon: <IconUserCog size={26} stroke={1.6} aria-hidden />, title: t('empty.title'), text: t('empty.text'), action: add }}
        rowHref={({ uuid }) => screenHref('managerEdit', { uuid })}
        rowActions={actionsFor}
        bulkActions={<StatusMenu list={list} of={MANAGER_STATUS} />}
        exportName="managers"
      />
      {dialog}
    </>
  )
}
