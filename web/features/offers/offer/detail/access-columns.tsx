import type { Say } from '#web/i18n/use-translation.ts'
import type { z } from 'zod'
import type { offerAccess } from '#contract/offers/offer.ts'
import { UNKNOWN } from '#web/format.ts'
import { Moment } from '#web/kit/show/moment.tsx'
import { StatusBadge, type Tone } from '#web/kit/show/status-badge.tsx'
import type { Column } from '#web/kit/table/column.ts'

export type AccessRow = z.output<typeof offerAccess>

const TONES: Record<AccessRow['status'], Tone> = { pending: 'waiting', approved: 'good', rejected: 'bad', blocked: 'bad' }

/** The columns of entries of access, each named by its `other` side: the affiliates of one offer, or the offers of one affiliate. */
export function accessColumns(t: Say<'offer'>, other: 'affiliate' | 'offer'): Column<AccessRow>[] {
  return [
    {
      id: other,
      header: t(other === 'offer' ? 'access.offer' : 'affiliate'),
      cell: (row) => nameOf(row[other]),
      sort: other,
      width: 200,
      card: 'title',
      csv: (row) => nameOf(row[other]),
    },
    {
      id: 'status',
      header: t('status'),
      cell: ({ status }) => <StatusBadge tone={TONES[status]} label={t(`access.${status}`)} />,
      sort: 'status',
      whole: true,
      card: 'field',
      csv: ({ status }) => t(`access.${status}`),
    },
    {
      id: 'message',
      header: t('access.message'),
      cell: ({ message }) => <LongWords text={message} />,
      width: 260,
      card: 'field',
      csv: ({ message }) => message,
    },
    {
      id: 'requested_at',
      header: t('access.requested'),
      cell: (row) => <Moment at={row.requested_at} />,
      sort: 'requested_at',
      whole: true,
      card: 'field',
      csv: (row) => row.requested_at,
    },
    {
      id: 'decided_at',
      header: t('access.decided'),
      cell: (row) => <Moment at={row.decided_at} />,
      sort: 'decided_at',
      whole: true,
      csv: (row) => row.decided_at,
    },
    {
      id: 'decided_by',
      header: t('access.by'),
      sort: 'decided_by',
      cell: (row) => row.decided_by ?? UNKNOWN,
      width: 140,
      csv: (row) => row.decided_by,
    },
    {
      id: 'reason',
      header: t('access.reason'),
      cell: ({ reason }) => <LongWords text={reason} />,
      width: 180,
      card: 'field',
      csv: ({ reason }) => reason,
    },
  ]
}

/** One side of an entry by name and number; a name the caller may not read is left out. */
export function nameOf({ id, name }: AccessRow['affiliate']): string {
  return name === '' ? `#${id}` : `${name} · ${id}`
}

/** One line of a longer text, all of it on hover. */
function LongWords({ text }: { text: string }) {
  return text === '' ? (
    <>{UNKNOWN}</>
  ) : (
    <span className="ohma-clip" title={text}>
      {text}
    </span>
  )
}
