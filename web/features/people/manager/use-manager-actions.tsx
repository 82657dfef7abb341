import { IconKey, IconLock, IconLockOpen, IconTrash } from '@tabler/icons-react'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { managerApi } from '#contract/people/manager.ts'
import type { Manager } from '#web/features/people/manager/manager-columns.tsx'
import { useManagerStatus } from '#web/features/people/manager/manager-status.tsx'
import type { RowAction } from '#web/kit/table/column.ts'
import { PasswordLinkDialog } from '#web/shell/password-link-dialog.tsx'
import { useSession } from '#web/shell/session.ts'

type Actionable = Pick<Manager, 'uuid' | 'status'>

/** What can be done with one manager, for its row and its page; nobody blocks themself. */
export function useManagerActions(): { actionsFor: (manager: Actionable) => RowAction[]; dialog: ReactNode } {
  const { t } = useTranslation('manager')
  const setStatus = useManagerStatus()
  const { uuid: self } = useSession()
  const [linkFor, setLinkFor] = useState<string>()
  return {
    actionsFor: (manager) => {
      const actions: RowAction[] = []
      if (manager.status === 'active')
        actions.push({ label: t('passwordLink'), icon: <IconKey size={16} aria-hidden />, onClick: () => setLinkFor(manager.uuid) })
      if (manager.uuid === self) return actions
      if (manager.status === 'active')
        actions.push({ label: t('block'), icon: <IconLock size={16} aria-hidden />, onClick: () => void setStatus([manager], 'blocked') })
      else
        actions.push({
          label: t('unblock'),
          icon: <IconLockOpen size={16} aria-hidden />,
          onClick: () => void setStatus([manager], 'active'),
        })
      if (manager.status !== 'deleted')
        actions.push({
          label: t('delete'),
          icon: <IconTrash size={16} aria-hidden />,
          danger: true,
          onClick: () => void setStatus([manager], 'deleted'),
        })
      return actions
    },
    dialog: linkFor !== undefined && (
      <PasswordLinkDialog endpoint={managerApi.passwordLink} uuid={linkFor} onClose={() => setLinkFor(undefined)} />
    ),
  }
}
