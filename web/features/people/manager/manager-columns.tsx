import type { TFunction } from 'i18next'
import type { z } from 'zod'
import type { manager } from '#contract/people/manager.ts'
import { integer, UNKNOWN } from '#web/format.ts'
import { ManagerStatusBadge } from '#web/features/people/manager/manager-status.tsx'
import { CopyText } from '#web/kit/show/copy-text.tsx'
import { Moment } from '#web/kit/show/moment.tsx'
import type { Column } from '#web/kit/table/column.ts'

export type Manager = z.output<typeof manager>

/** The columns of managers, wherever they are listed. */
export function managerColumns(t: TFunction<'manager'>): Column<Manager>[] {
  return [
    {
      id: 'id',
      header: t('id'),
      cell: (one) => <CopyText text={String(one.id)} />,
      sort: 'id',
      numeric: true,
      width: 64,
      csv: (one) => one.id,
    },
    { id: 'name', header: t('name'), cell: (one) => one.name, sort: 'name', width: 150, grow: true, card: 'title', csv: (one) => one.name },
    { id: 'email', header: t('email'), cell: (one) => <CopyText text={one.email} />, width: 175, csv: (one) => one.email },
    { id: 'role', header: t('role'), cell: (one) => t(`role.${one.role}`), width: 125, card: 'field', csv: (one) => t(`role.${one.role}`) },
    { id: 'type', header: t('type'), cell: (one) => t(`type.${one.type}`), width: 110, hidden: true, csv: (one) => t(`type.${one.type}`) },
    {
      id: 'status',
      header: t('status'),
      cell: (one) => <ManagerStatusBadge status={one.status} />,
      sort: 'status',
      width: 125,
      card: 'field',
      csv: (one) => t(`status.${one.status}`),
    },
    {
      id: 'team_lead',
      header: t('teamLead'),
      cell: (one) => one.team_lead?.name ?? UNKNOWN,
      width: 110,
      card: 'field',
      csv: (one) => one.team_lead?.name,
    },
    {
      id: 'affiliates',
      header: t('affiliates'),
      cell: (one) => integer(one.affiliates),
      numeric: true,
      width: 90,
      card: 'field',
      csv: (one) => one.affiliates,
    },
    {
      id: 'advertisers',
      header: t('advertisers'),
      cell: (one) => integer(one.advertisers),
      numeric: true,
      width: 112,
      csv: (one) => one.advertisers,
    },
    {
      id: 'last_login_at',
      header: t('lastLogin'),
      cell: (one) => <Moment at={one.last_login_at} />,
      sort: 'last_login_at',
      width: 115,
      csv: (one) => one.last_login_at,
    },
  ]
}
