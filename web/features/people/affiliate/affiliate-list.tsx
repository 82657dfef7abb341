import { IconCheck, IconEye, IconKey, IconPlayerPause, IconPlayerPlay, IconUsers, IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { z } from 'zod'
import { addAmounts } from '#contract/money/amount.ts'
import { AFFILIATE_STATUSES, affiliateApi, type affiliate } from '#contract/people/affiliate.ts'
import { applicationApi } from '#contract/people/application.ts'
import { managerApi } from '#contract/people/manager.ts'
import { money } from '#web/format.ts'
import { useWithFigures } from '#web/figure-columns.tsx'
import { useCountryOptions } from '#web/kit/fields/country-field.tsx'
import {
  column,
  copied,
  country,
  idColumn,
  moment,
  reference,
  status,
  tags,
  text,
  useColumns,
  type Columns,
} from '#web/kit/list/columns.tsx'
import { choiceFilter, referenceFilter, searchFilter, textsFilter } from '#web/kit/list/filter.ts'
import { useReason, useRejection } from '#web/features/people/affiliate/use-rejection.tsx'
import { ListPage } from '#web/kit/list/list-page.tsx'
import { useList, type Chosen } from '#web/kit/list/use-list.ts'
import { Money } from '#web/kit/show/money.tsx'
import { statusSet } from '#web/kit/status/status-look.ts'
import { StatusMenu } from '#web/kit/status/status-menu.tsx'
import { useStatus, useStatusOptions } from '#web/kit/status/use-status.tsx'
import type { RowAction } from '#web/kit/table/column.ts'
import { screenHref, useCan } from '#web/shell/access.ts'
import { AddButton } from '#web/shell/add-button.tsx'
import { usePasswordLink } from '#web/shell/use-password-link.tsx'
import { actAs } from '#web/shell/session.ts'

type Affiliate = z.output<typeof affiliate>

/** Where an affiliate stands, and what staff make of it. */
export const AFFILIATE_STATUS = statusSet({
  texts: 'affiliate',
  values: AFFILIATE_STATUSES,
  tones: { unverified: 'muted', moderation: 'waiting', active: 'good', inactive: 'muted', banned: 'bad', rejected: 'bad' },
  endpoint: affiliateApi.setStatus,
  undo: affiliateApi.undo,
  refresh: [affiliateApi.list, affiliateApi.get, applicationApi.get],
  moves: [
    { text: 'approve', to: 'active', from: ['moderation'], icon: IconCheck },
    { text: 'deactivate', to: 'inactive', from: ['active'], icon: IconPlayerPause },
    { text: 'activate', to: 'active', from: ['unverified', 'inactive', 'banned', 'rejected'], icon: IconPlayerPlay },
    { text: 'reject', to: 'rejected', from: ['moderation'], icon: IconX, danger: true },
  ],
})

const AFFILIATE_COLUMNS: Columns<Affiliate, 'affiliate'> = [
  idColumn(),
  text('name', { sort: true, width: 160, card: 'title' }),
  copied('email', { sort: true, width: 175 }),
  text('external_id', { sort: true, width: 110, hidden: true }),
  status(AFFILIATE_STATUS, { sort: true }),
  reference('manager', { sort: true, width: 120, hidden: true }),
  country('country', { sort: true, hidden: true }),
  balance('available', { card: 'field' }),
  balance('hold', { hidden: true }),
  text('currency', { sort: true, width: 90, hidden: true }),
  tags('tags', { hidden: true }),
  moment('last_login_at', { sort: true, card: 'field' }),
  moment('created_at', { sort: true, hidden: true }),
]

/** Affiliates in the own scope: find, judge, open, export; `more` are buttons of other features, `bulk` what they do with chosen rows. */
export function AffiliateList({ more, bulk }: { more?: ReactNode; bulk?: (list: Chosen) => ReactNode }) {
  const { t } = useTranslation('affiliate')
  const mayWrite = useCan()('affiliate.write')
  const { actionsFor, dialog } = useAffiliateActions()
  const reason = useReason()
  const list = useList(affiliateApi.list, {
    name: 'affiliate',
    columns: useWithFigures(useColumns('affiliate', AFFILIATE_COLUMNS), 'country', ['conversions', 'total_revenue']),
    fixed: { figures: true },
    rowKey: (affiliate) => affiliate.uuid,
    otherKeys: ['import'],
    sort: { column: 'id', direction: 'desc' },
    filters: {
      search: searchFilter(t('search')),
      status: choiceFilter(t('status'), useStatusOptions(AFFILIATE_STATUS)),
      manager_uuid: referenceFilter(t('manager'), managerApi.options),
      country: choiceFilter(t('country'), useCountryOptions()),
      tag: textsFilter(t('tags')),
    },
  })
  // why they are rejected is asked, of many as of one
  const why = async (rows: readonly Affiliate[], to: Affiliate['status']) => {
    if (to !== 'rejected') return {}
    const said = await reason.ask(rows.filter((row) => row.status !== to).length)
    return said === undefined ? null : { reason: said }
  }
  const add = <AddButton to="affiliateCreate" label={t('add')} />
  return (
    <>
      <ListPage
        list={list}
        title={t('title')}
        actions={
          <>
            {more}
            {add}
          </>
        }
        empty={{ icon: <IconUsers size={26} stroke={1.6} aria-hidden />, title: t('empty.title'), text: t('empty.text'), action: add }}
        rowHref={({ uuid }) => (mayWrite ? screenHref('affiliateEdit', { uuid }) : undefined)}
        rowActions={actionsFor}
        bulkActions={
          mayWrite && (
            <>
              <StatusMenu list={list} of={AFFILIATE_STATUS} more={why} />
              {bulk?.(list)}
            </>
          )
        }
        exportName="affiliates"
      />
      {dialog}
      {reason.dialog}
    </>
  )
}

/** What can be done with one affiliate, for its row and its page; `dialog` belongs somewhere on the screen. */
export function useAffiliateActions(): {
  actionsFor: (one: Pick<Affiliate, 'uuid' | 'name' | 'status'>) => RowAction[]
  dialog: ReactNode
} {
  const { t } = useTranslation('affiliate')
  const can = useCan()
  const { actionsFor } = useStatus(AFFILIATE_STATUS)
  const { show, dialog } = usePasswordLink(affiliateApi.passwordLink)
  const rejection = useRejection()
  return {
    actionsFor: (one) => [
      ...(can('affiliate.act_as') && one.status === 'active'
        ? [{ id: 'actAs', label: t('actAs'), icon: <IconEye size={16} aria-hidden />, onClick: () => void actAs(one.uuid) }]
        : []),
      ...(can('account.password_link')
        ? [
            {
              id: 'passwordLink',
              label: t('passwordLink'),
              icon: <IconKey size={16} aria-hidden />,
              onClick: () => show({ uuid: one.uuid, name: one.name }),
            },
          ]
        : []),
      // why somebody is rejected is asked
      ...(can('affiliate.write')
        ? actionsFor(one).map((action) => (action.id === 'reject' ? { ...action, onClick: () => rejection.ask(one) } : action))
        : []),
    ],
    dialog: (
      <>
        {dialog}
        {rejection.dialog}
      </>
    ),
  }
}

/** What an affiliate has in the own currency; how many other currencies there are, and on hover how much of each. */
function balance<Part extends 'available' | 'hold'>(part: Part, look: { card?: 'field'; hidden?: true }) {
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
