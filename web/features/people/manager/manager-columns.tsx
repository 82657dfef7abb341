import { IconKey, IconLock, IconLockOpen, IconTrash } from '@tabler/icons-react'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { STAFF_ROLES } from '#contract/access.ts'
import { MANAGER_STATUSES, MANAGER_TYPES, managerApi, type manager } from '#contract/people/manager.ts'
import { choice, copied, count, idColumn, moment, reference, status, text, type Columns } from '#web/kit/list/columns.tsx'
import { statusSet } from '#web/kit/status/status-look.ts'
import { useStatus } from '#web/kit/status/use-status.tsx'
import type { RowAction } from '#web/kit/table/column.ts'
import { PasswordLinkDialog } from '#web/shell/password-link-dialog.tsx'
import { useSession } from '#web/shell/session.ts'

type Manager = z.output<typeof manager>

/** Where a manager stands, and what those above make of it. */
export const MANAGER_STATUS = statusSet({
  texts: 'manager',
  values: MANAGER_STATUSES,
  tones: { active: 'good', blocked: 'bad', deleted: 'muted' },
  endpoint: managerApi.setStatus,
  refresh: [managerApi.list, managerApi.get],
  moves: [
    { text: 'block', to: 'blocked', from: ['active'], icon: IconLock },
    { text: 'unblock', to: 'active', icon: IconLockOpen },
    { text: 'delete', to: 'deleted', icon: IconTrash, danger: true },
  ],
})

/** The columns of managers, wherever they are listed. */
export const MANAGER_COLUMNS: Columns<Manager, 'manager'> = [
  idColumn({ width: 64 }),
  text('name', { sort: true, width: 150, grow: true, card: 'title' }),
  copied('email', { width: 175 }),
  choice('role', STAFF_ROLES, { width: 125, card: 'field' }),
  choice('type', MANAGER_TYPES, { width: 110, hidden: true }),
  status(MANAGER_STATUS, { sort: true }),
  reference('team_lead', { width: 110, card: 'field' }),
  count('affiliates', { width: 90, card: 'field' }),
  count('advertisers', { width: 112 }),
  moment('last_login_at', { sort: true, width: 115 }),
]

/** What can be done with one manager, for its row and its page; nobody blocks themself. */
export function useManagerActions(): { actionsFor: (one: Pick<Manager, 'uuid' | 'status'>) => RowAction[]; dialog: ReactNode } {
  const { t } = useTranslation('manager')
  const { actionsFor } = useStatus(MANAGER_STATUS)
  const { uuid: self } = useSession()
  const [linkFor, setLinkFor] = useState<string>()
  return {
    actionsFor: (one) => [
      ...(one.status === 'active'
        ? [{ label: t('passwordLink'), icon: <IconKey size={16} aria-hidden />, onClick: () => setLinkFor(one.uuid) }]
        : []),
      ...(one.uuid === self ? [] : actionsFor(one)),
    ],
    dialog: linkFor !== undefined && (
      <PasswordLinkDialog endpoint={managerApi.passwordLink} uuid={linkFor} onClose={() => setLinkFor(undefined)} />
    ),
  }
}
