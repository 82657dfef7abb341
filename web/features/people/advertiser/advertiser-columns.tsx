import type { TFunction } from 'i18next'
import type { z } from 'zod'
import type { advertiser } from '#contract/people/advertiser.ts'
import { integer, UNKNOWN } from '#web/format.ts'
import { AdvertiserStatusBadge } from '#web/features/people/advertiser/advertiser-status.tsx'
import { CopyText } from '#web/kit/show/copy-text.tsx'
import { Moment } from '#web/kit/show/moment.tsx'
import type { Column } from '#web/kit/table/column.ts'

export type Advertiser = z.output<typeof advertiser>

/** The columns of advertisers, wherever they are listed. */
export function advertiserColumns(t: TFunction<'advertiser'>): Column<Advertiser>[] {
  return [
    {
      id: 'id',
      header: t('id'),
      cell: (one) => <CopyText text={String(one.id)} />,
      sort: 'id',
      numeric: true,
      width: 76,
      csv: (one) => one.id,
    },
    { id: 'name', header: t('name'), cell: (one) => one.name, sort: 'name', width: 190, grow: true, card: 'title', csv: (one) => one.name },
    {
      id: 'email',
      header: t('email'),
      cell: (one) => (one.email ? <CopyText text={one.email} /> : UNKNOWN),
      width: 220,
      csv: (one) => one.email,
    },
    {
      id: 'status',
      header: t('status'),
      cell: (one) => <AdvertiserStatusBadge status={one.status} />,
      sort: 'status',
      width: 125,
      card: 'field',
      csv: (one) => t(`status.${one.status}`),
    },
    {
      id: 'manager',
      header: t('manager'),
      cell: (one) => one.manager?.name ?? UNKNOWN,
      width: 145,
      card: 'field',
      csv: (one) => one.manager?.name,
    },
    {
      id: 'offers',
      header: t('offers'),
      cell: (one) => integer(one.offers),
      numeric: true,
      width: 80,
      card: 'field',
      csv: (one) => one.offers,
    },
    { id: 'currency', header: t('currency'), cell: (one) => one.currency, width: 95, card: 'field', csv: (one) => one.currency },
    {
      id: 'created_at',
      header: t('created'),
      cell: (one) => <Moment at={one.created_at} />,
      sort: 'created_at',
      width: 130,
      csv: (one) => one.created_at,
    },
  ]
}
