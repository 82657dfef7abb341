import { IconEye, IconKey, IconPlayerPause, IconPlayerPlay, IconX } from '@tabler/icons-react'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { affiliateApi } from '#contract/people/affiliate.ts'
import type { Affiliate } from '#web/features/people/affiliate/affiliate-columns.tsx'
import { useAffiliateStatus } from '#web/features/people/affiliate/use-affiliate-status.ts'
import type { RowAction } from '#web/kit/table/column.ts'
import { useCan } from '#web/shell/access.ts'
import { PasswordLinkDialog } from '#web/shell/password-link-dialog.tsx'
import { actAs } from '#web/shell/session.ts'

type Actionable = Pick<Affiliate, 'uuid' | 'status' | 'name'>

/** What can be done with one affiliate, for its row and its page; `dialog` belongs somewhere on the screen. */
export function useAffiliateActions(): { actionsFor: (affiliate: Actionable) => RowAction[]; dialog: ReactNode } {
  const { t } = useTranslation('affiliate')
  const can = useCan()
  const setStatus = useAffiliateStatus()
  const [linkFor, setLinkFor] = useState<string>()

  return {
    actionsFor: (affiliate) => {
      const actions: RowAction[] = []
      if (can('affiliate.act_as') && affiliate.status === 'active')
        actions.push({ label: t('actAs'), icon: <IconEye size={16} aria-hidden />, onClick: () => void actAs(affiliate.uuid) })
      if (!can('affiliate.write')) return actions
      actions.push({ label: t('passwordLink'), icon: <IconKey size={16} aria-hidden />, onClick: () => setLinkFor(affiliate.uuid) })
      if (affiliate.status === 'active')
        actions.push({
          label: t('deactivate'),
          icon: <IconPlayerPause size={16} aria-hidden />,
          onClick: () => void setStatus([affiliate], 'inactive'),
        })
      else
        actions.push({
          label: t('activate'),
          icon: <IconPlayerPlay size={16} aria-hidden />,
          onClick: () => void setStatus([affiliate], 'active'),
        })
      if (affiliate.status === 'moderation')
        actions.push({
          label: t('reject'),
          icon: <IconX size={16} aria-hidden />,
          danger: true,
          onClick: () => void setStatus([affiliate], 'rejected'),
        })
      return actions
    },
    dialog: linkFor !== undefined && (
      <PasswordLinkDialog endpoint={affiliateApi.passwordLink} uuid={linkFor} onClose={() => setLinkFor(undefined)} />
    ),
  }
}
