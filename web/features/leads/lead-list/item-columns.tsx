import { LEAD_SOURCES, LEAD_VIAS, type LeadListItem } from '#contract/leads/lead-list.ts'
import { ConversionStatusBadge } from '#web/conversion-status.tsx'
import { UNKNOWN } from '#web/format.ts'
import { choice, column, count, country, moment, reference, text, type Columns } from '#web/kit/list/columns.tsx'
import { StatusBadge } from '#web/kit/show/status-badge.tsx'

/** Who is in a list: one way round for sessions and files, the other for conversions. */
export const ITEM_COLUMNS: Record<'session' | 'conversion', Columns<LeadListItem, 'leadList'>> = {
  session: columnsOf('session'),
  conversion: columnsOf('conversion'),
}

function columnsOf(part: 'session' | 'conversion'): Columns<LeadListItem, 'leadList'> {
  return [
    column<LeadListItem, 'person'>('person', {
      width: 220,
      card: 'title',
      cell: (row) => personOf(row) || UNKNOWN,
      csv: personOf,
    }),
    column<LeadListItem, 'unsendable'>('unsendable', {
      width: 130,
      card: 'field',
      cell: ({ unsendable }, t) =>
        unsendable === null ? t('unsendable.yes') : <StatusBadge tone="muted" label={t(`unsendable.${unsendable}`)} />,
      csv: ({ unsendable }, t) => t(`unsendable.${unsendable ?? 'yes'}`),
    }),
    country('country', { sort: true, card: 'field' }),
    ...(part === 'conversion'
      ? [
          column<LeadListItem, 'conversion'>('conversion', {
            width: 180,
            card: 'field',
            cell: ({ conversion }) =>
              conversion === null ? (
                UNKNOWN
              ) : (
                <>
                  {conversion.id} <ConversionStatusBadge status={conversion.status} />
                </>
              ),
            csv: ({ conversion }) => conversion && `${conversion.id} ${conversion.status}`,
          }),
        ]
      : [choice('source', LEAD_SOURCES, { width: 130, card: 'field' })]),
    column<LeadListItem, 'session'>('session', {
      width: 100,
      cell: ({ session }) => session?.id ?? UNKNOWN,
      csv: ({ session }) => session?.id,
    }),
    moment('received_at'),
    column<LeadListItem, 'lead_status'>('lead_status', {
      width: 140,
      cell: ({ status }, t) => (status === null ? UNKNOWN : t(`userSession:status.${status}`)),
      csv: ({ status }) => status,
    }),
    column<LeadListItem, 'call_status'>('call_status', {
      width: 130,
      cell: ({ call_status }, t) => (call_status === null ? UNKNOWN : t(`userSession:call.${call_status}`)),
      csv: ({ call_status }) => call_status,
    }),
    reference('offer', { width: 150 }),
    reference('affiliate', { width: 140 }),
    count('sends', { hint: true, card: 'field' }),
    choice('via', LEAD_VIAS, { width: 120 }),
    text('file', { hidden: part === 'conversion', width: 140 }),
    text('added_by', { width: 130 }),
    moment('added_at', { sort: true }),
  ]
}

/** Who it is, masked, in one line. */
export function personOf({ name, email, phone }: Pick<LeadListItem, 'name' | 'email' | 'phone'>): string {
  return [name, email, phone].filter(Boolean).join(' · ')
}
