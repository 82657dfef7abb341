import { IconKey, IconLock, IconLockOpen, IconTrash, IconUserCog } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { z } from 'zod'
import { STAFF_ROLES } from '#contract/access.ts'
import { MANAGED_ROLES, MANAGER_STATUSES, MANAGER_TYPES, managerApi, type manager } from '#contract/people/manager.ts'
import { useConstants } from '#web/api/constants.ts'
import { useWithFigures } from '#web/figure-columns.tsx'
import { choice, copied, count, idColumn, moment, reference, status, text, useColumns, type Columns } from '#web/kit/list/columns.tsx'
import { choiceFilter, searchFilter, type Option } from '#web/kit/list/filter.ts'
import { BulkMenu } from '#web/kit/list/bulk-menu.tsx'
import { useLeaving, type Leaver } from '#web/features/people/manager/use-leaving.tsx'
import { ListPage } from '#web/kit/list/list-page.tsx'
import { useList } from '#web/kit/list/use-list.ts'
import { statusSet } from '#web/kit/status/status-look.ts'
import { useStatus, useStatusOptions } from '#web/kit/status/use-status.tsx'
import type { RowAction } from '#web/kit/table/column.ts'
import { screenHref, useCan } from '#web/shell/access.ts'
import { AddButton } from '#web/shell/add-button.tsx'
import { usePasswordLink } from '#web/shell/use-password-link.tsx'
import { useSession } from '#web/shell/session.ts'

type Manager = z.output<typeof manager>

/** Where a manager stands, and what those above make of it. */
export const MANAGER_STATUS = statusSet({
  texts: 'manager',
  values: MANAGER_STATUSES,
  tones: { active: 'good', blocked: 'bad', deleted: 'muted' },
  endpoint: managerApi.setStatus,
  undo: managerApi.undo,
  refresh: [managerApi.list, managerApi.get],
  moves: [
    { text: 'block', to: 'blocked', from: ['active'], icon: IconLock },
    { text: 'unblock', to: 'active', icon: IconLockOpen },
    { text: 'delete', to: 'deleted', icon: IconTrash, danger: true },
  ],
})

const MANAGER_COLUMNS: Columns<Manager, 'manager'> = [
  idColumn(),
  text('name', { sort: true, width: 140, card: 'title' }),
  copied('email', { sort: true, width: 165 }),
  choice('role', STAFF_ROLES, { sort: true, card: 'field' }),
  choice('type', MANAGER_TYPES, { sort: true, hidden: true }),
  status(MANAGER_STATUS, { sort: true }),
  reference('team_lead', { sort: true, width: 110, hidden: true }),
  count('affiliates', { sort: true, card: 'field' }),
  count('advertisers', { sort: true, hidden: true }),
  moment('last_login_at', { sort: true }),
]

/** The people of the network whom one manages. */
export function ManagerList() {
  const { t } = useTranslation('manager')
  const { roles, types } = useManagerChoices()
  const { actionsFor, leave, dialog } = useManagerActions()
  const statuses = useStatusOptions(MANAGER_STATUS)
  const list = useList(managerApi.list, {
    name: 'manager',
    columns: useWithFigures(useColumns('manager', MANAGER_COLUMNS), 'advertisers', ['conversions', 'total_revenue']),
    fixed: { figures: true },
    rowKey: (manager) => manager.uuid,
    otherKeys: [],
    leftOut: { status: 'deleted' },
    sort: { column: 'id', direction: 'desc' },
    filters: {
      search: searchFilter(t('search')),
      role: choiceFilter(t('role'), roles),
      status: choiceFilter(t('status'), statuses),
      type: choiceFilter(t('type'), types),
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
        bulkActions={<BulkMenu list={list} label={t('setStatus')} options={statuses} onChoose={leave} />}
        exportName="managers"
      />
      {dialog}
    </>
  )
}

/** The roles one may give and the types, as the constants hold them; what they call them where no text of ours names one. */
export function useManagerChoices(): { roles: Option[]; types: Option[] } {
  const { t } = useTranslation('manager')
  const { role } = useSession()
  const { manager_roles, manager_types } = useConstants()
  const mine: readonly string[] = role ? MANAGED_ROLES[role] : []
  const named = (kind: 'role' | 'type', pairs: readonly Option[]) =>
    // a text for each of those the contract knows
    pairs.map(({ value, label }) => ({ value, label: t(`${kind}.${value}` as 'role.admin', { defaultValue: label }) }))
  return {
    roles: named(
      'role',
      manager_roles.filter(({ value }) => mine.includes(value)),
    ),
    types: named('type', manager_types),
  }
}

const LEAVES: Readonly<Record<string, 'blocked' | 'deleted'>> = { block: 'blocked', delete: 'deleted' }

/** What can be done with one manager, for its row and its page; nobody blocks themself. */
export function useManagerActions(): {
  actionsFor: (one: Leaver) => RowAction[]
  leave: ReturnType<typeof useLeaving>['set']
  dialog: ReactNode
} {
  const { t } = useTranslation('manager')
  const can = useCan()
  const { set, actionsFor } = useStatus(MANAGER_STATUS)
  const leaving = useLeaving(set)
  const { uuid: self } = useSession()
  const { show, dialog } = usePasswordLink(managerApi.passwordLink)
  return {
    actionsFor: (one) => [
      ...(can('account.password_link') && one.status === 'active'
        ? [
            {
              id: 'passwordLink',
              label: t('passwordLink'),
              icon: <IconKey size={16} aria-hidden />,
              onClick: () => show({ uuid: one.uuid, name: one.name }),
            },
          ]
        : []),
      // what becomes of what they look after is asked
      ...(one.uuid === self ? [] : actionsFor(one)).map((action) => {
        const status = LEAVES[action.id]
        return status === undefined ? action : { ...action, onClick: () => void leaving.set([one], status) }
      }),
    ],
    leave: leaving.set,
    dialog: (
      <>
        {dialog}
        {leaving.dialog}
      </>
    ),
  }
}
