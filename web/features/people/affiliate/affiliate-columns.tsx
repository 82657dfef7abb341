import { IconEye, IconKey, IconPlayerPause, IconPlayerPlay, IconX } from '@tabler/icons-react'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { addAmounts } from '#contract/money/amount.ts'
import { AFFILIATE_STATUSES, affiliateApi, type affiliate } from '#contract/people/affiliate.ts'
import { money } from '#web/format.ts'
import { column, copied, country, idColumn, moment, reference, status, tags, text, type Columns } from '#web/kit/list/columns.tsx'
import { Money } from '#web/kit/show/money.tsx'
import { statusSet } from '#web/kit/status/status-look.ts'
import { useStatus } from '#web/kit/status/use-status.tsx'
import type { RowAction } from '#web/kit/table/column.ts'
import { useCan } from '#web/shell/access.ts'
import { PasswordLinkDialog } from '#web/shell/password-link-dialog.tsx'
import { actAs } from '#web/shell/session.ts'

type Affiliate = z.output<typeof affiliate>

/** Where an affiliate stands, and what staff make of it. */
export const AFFILIATE_STATUS = statusSet({
  texts: 'affiliate',
  values: AFFILIATE_STATUSES,
  tones: { unverified: 'muted', moderation: 'waiting', active: 'good', inactive: 'muted', banned: 'bad', rejected: 'bad' },
  endpoint: affiliateApi.setStatus,
  refresh: [affiliateApi.list, affiliateApi.get],
  moves: [
    { text: 'deactivate', to: 'inactive', from: ['active'], icon: IconPlayerPause },
    { text: 'activate', to: 'active', icon: IconPlayerPlay },
    { text: 'reject', to: 'rejected', from: ['moderation'], icon: IconX, danger: true },
  ],
})

/** The columns of affiliates, wherever they are listed. */
export const AFFILIATE_COLUMNS: Columns<Affiliate, 'affiliate'> = [
  idColumn(),
  text('name', { sort: true, width: 160, grow: true, card: 'title' }),
  copied('email', { width: 175, grow: true }),
  status(AFFILIATE_STATUS, { sort: true, width: 150 }),
  reference('manager', { width: 120, card: 'field' }),
  country('country'),
  balance('available', { width: 125, card: 'field' }),
  balance('hold', { width: 120, hidden: true }),
  text('currency', { width: 90, hidden: true }),
  tags('tags', { hidden: true }),
  moment('last_login_at', { sort: true, width: 115, card: 'field' }),
  moment('created_at', { sort: true, hidden: true }),
]

/** What can be done with one affiliate, for its row and its page; `dialog` belongs somewhere on the screen. */
export function useAffiliateActions(): { actionsFor: (one: Pick<Affiliate, 'uuid' | 'status'>) => RowAction[]; dialog: ReactNode } {
  const { t } = useTranslation('affiliate')
  const can = useCan()
  const { actionsFor } = useStatus(AFFILIATE_STATUS)
  const [linkFor, setLinkFor] = useState<string>()
  return {
    actionsFor: (one) => [
      ...(can('affiliate.act_as') && one.status === 'active'
        ? [{ label: t('actAs'), icon: <IconEye size={16} aria-hidden />, onClick: () => void actAs(one.uuid) }]
        : []),
      ...(can('affiliate.write')
        ? [{ label: t('passwordLink'), icon: <IconKey size={16} aria-hidden />, onClick: () => setLinkFor(one.uuid) }, ...actionsFor(one)]
        : []),
    ],
    dialog: linkFor !== undefined && (
      <PasswordLinkDialog endpoint={affiliateApi.passwordLink} uuid={linkFor} onClose={() => setLinkFor(undefined)} />
    ),
  }
}

/** What an affiliate has in the own currency; how many other currencies there are, and on hover how much of each. */
function balance<Part extends 'available' | 'hold'>(part: Part, look: { width: number; card?: 'field'; hidden?: true }) {
  const own = (of: Affiliate) => addAmounts(...of.balance.filter(({ currency }) => currency === of.currency).map((one) => one[part]))
  const others = (of: Affiliate) => of.balance.filter((one) => one.currency !== of.currency && !/^-?0(\.0*)?$/.test(one[part]))
  return column<Affiliate, Part>(part, {
    numeric: true,
    hint: true,
    ...look,
    cell: (of) => (
      <>
        <Money amount={own(of)} currency={of.currency} />
        {others(of).length > 0 && (
          <span
            title={others(of)
              .map((one) => money(one[part], one.currency))
              .join(' + ')}
          >
            {' '}
            +{others(of).length}
          </span>
        )}
      </>
    ),
    csv: own,
  })
}
