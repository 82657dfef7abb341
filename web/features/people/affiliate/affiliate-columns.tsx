import type { TFunction } from 'i18next'
import type { z } from 'zod'
import type { affiliate } from '#contract/people/affiliate.ts'
import { addAmounts } from '#contract/money/amount.ts'
import { money, UNKNOWN } from '#web/format.ts'
import { AffiliateStatusBadge } from '#web/features/people/affiliate/affiliate-status.tsx'
import { Country } from '#web/kit/show/country.tsx'
import { CopyText } from '#web/kit/show/copy-text.tsx'
import { Moment } from '#web/kit/show/moment.tsx'
import { Money } from '#web/kit/show/money.tsx'
import { TagList } from '#web/kit/show/tag-list.tsx'
import type { Column } from '#web/kit/table/column.ts'

export type Affiliate = z.output<typeof affiliate>

/** The columns of affiliates, wherever they are listed. */
export function affiliateColumns(t: TFunction<'affiliate'>): Column<Affiliate>[] {
  return [
    {
      id: 'id',
      header: t('id'),
      cell: (one) => <CopyText text={String(one.id)} />,
      sort: 'id',
      numeric: true,
      width: 70,
      csv: (one) => one.id,
    },
    { id: 'name', header: t('name'), cell: (one) => one.name, sort: 'name', width: 160, grow: true, card: 'title', csv: (one) => one.name },
    { id: 'email', header: t('email'), cell: (one) => <CopyText text={one.email} />, width: 175, grow: true, csv: (one) => one.email },
    {
      id: 'status',
      header: t('status'),
      cell: (one) => <AffiliateStatusBadge status={one.status} />,
      sort: 'status',
      width: 150,
      card: 'field',
      csv: (one) => t(`status.${one.status}`),
    },
    {
      id: 'manager',
      header: t('manager'),
      cell: (one) => one.manager?.name ?? UNKNOWN,
      width: 120,
      card: 'field',
      csv: (one) => one.manager?.name,
    },
    { id: 'country', header: t('country'), cell: (one) => <Country code={one.country} />, width: 155, csv: (one) => one.country },
    {
      id: 'available',
      header: t('available'),
      hint: t('availableHint'),
      cell: (one) => <Balance of={one} part="available" />,
      numeric: true,
      width: 125,
      card: 'field',
      csv: (one) => sumOf(one, 'available'),
    },
    {
      id: 'hold',
      header: t('hold'),
      hint: t('holdHint'),
      cell: (one) => <Balance of={one} part="hold" />,
      numeric: true,
      width: 120,
      hidden: true,
      csv: (one) => sumOf(one, 'hold'),
    },
    { id: 'currency', header: t('currency'), cell: (one) => one.currency, width: 90, hidden: true, csv: (one) => one.currency },
    {
      id: 'tags',
      header: t('tags'),
      cell: (one) => <TagList tags={one.tags} />,
      width: 170,
      hidden: true,
      csv: (one) => one.tags.join(', '),
    },
    {
      id: 'last_login_at',
      header: t('lastLogin'),
      cell: (one) => <Moment at={one.last_login_at} />,
      sort: 'last_login_at',
      width: 115,
      card: 'field',
      csv: (one) => one.last_login_at,
    },
    {
      id: 'created_at',
      header: t('created'),
      cell: (one) => <Moment at={one.created_at} />,
      sort: 'created_at',
      width: 130,
      hidden: true,
      csv: (one) => one.created_at,
    },
  ]
}

/** What an affiliate has in the own currency; how many other currencies there are, and on hover how much of each. */
function Balance({ of, part }: { of: Affiliate; part: 'available' | 'hold' }) {
  const others = of.balance.filter((balance) => balance.currency !== of.currency && !/^-?0(\.0*)?$/.test(balance[part]))
  return (
    <>
      <Money amount={sumOf(of, part)} currency={of.currency} />
      {others.length > 0 && (
        <span title={others.map((balance) => money(balance[part], balance.currency)).join(' + ')}> +{others.length}</span>
      )}
    </>
  )
}

function sumOf(of: Affiliate, part: 'available' | 'hold'): string {
  return addAmounts(...of.balance.filter((balance) => balance.currency === of.currency).map((balance) => balance[part]))
}
