import { LEAD_STATUSES, type LeadStatus } from '#contract/leads/lead.ts'
import { LEAD_ORIGINS, type UserSession } from '#contract/leads/user-session.ts'
import { SessionNumber } from '#web/features/leads/user-session/session-number.tsx'
import { callReasonWords } from '#web/call-reason.ts'
import { UNKNOWN } from '#web/format.ts'
import { choice, column, copied, country, moment, reference, status, text, type Columns } from '#web/kit/list/columns.tsx'
import { Moment } from '#web/kit/show/moment.tsx'
import { statusLook } from '#web/kit/status/status-look.ts'

/** How states of leads look. */
export const LEAD_STATUS = statusLook({
  field: 'status',
  texts: 'userSession',
  values: LEAD_STATUSES,
  tones: {
    received: 'info',
    held: 'waiting',
    queued: 'waiting',
    accepted: 'good',
    unsold: 'bad',
    rejected: 'bad',
    duplicate: 'bad',
    ambiguous: 'waiting',
    converted: 'good',
    closed: 'muted',
    test: 'muted',
  },
})

/** What waits: for a person to say what an answer meant, for an advertiser, for whoever looks at what a check held. */
export const LEAD_QUEUES = { unclear: 'ambiguous', waiting: 'queued', held: 'held' } as const satisfies Record<string, LeadStatus>
export type LeadQueue = keyof typeof LEAD_QUEUES

/** Reasons that say no more than that whoever was asked did not take it. */
const REFUSALS: ReadonlySet<string> = new Set(['rejected', 'nobody_took_it'])

/** The columns of user sessions, of all or of a queue; who is asked and whose leads they are is staff's. */
export function sessionColumns(staff: boolean, queue: LeadQueue | null): Columns<UserSession, 'userSession'> {
  return [
    column<UserSession, 'id'>('id', { whole: true, card: 'title', cell: (row) => <SessionNumber of={row} />, csv: ({ id }) => id }),
    moment('received_at', { sort: true, card: 'field' }),
    column<UserSession, 'person'>('person', {
      width: 200,
      card: 'field',
      cell: ({ name, email, phone }) => [name, email, phone].filter(Boolean).join(' · ') || UNKNOWN,
      csv: ({ name, email, phone }) => [name, email, phone].filter(Boolean).join(' · '),
    }),
    // in a queue they are the same in each row
    status(LEAD_STATUS, { sort: true, hidden: queue !== null }),
    column<UserSession, 'reason'>('reason', {
      width: 200,
      hidden: queue === 'unclear' || queue === 'waiting',
      ...(queue === 'held' && { card: 'field' }),
      cell: ({ reason, last_answer = '' }, t) => {
        if (reason === '') return UNKNOWN
        const ours = t(`reason.${reason}`, { defaultValue: reason })
        // that all of them refused is said by its state already: what the last one said tells more
        return REFUSALS.has(reason) && last_answer !== '' ? <span title={ours}>{callReasonWords(last_answer, t)}</span> : ours
      },
      csv: ({ reason }) => reason,
    }),
    column<UserSession, 'call_status'>('call_status', {
      sort: true,
      width: 140,
      hidden: queue !== null,
      cell: ({ call_status }, t) => (call_status === null ? UNKNOWN : t(`call.${call_status}`)),
      csv: ({ call_status }) => call_status,
    }),
    reference('offer', { sort: true, width: 150, card: 'field' }),
    ...(staff
      ? [
          reference<'affiliate'>('affiliate', { sort: true, width: 130 }),
          column<UserSession, 'advertiser'>('advertiser', {
            width: 130,
            cell: ({ advertiser }) => advertiser?.name ?? UNKNOWN,
            csv: ({ advertiser }) => advertiser?.name,
          }),
          column<UserSession, 'product'>('product', {
            width: 130,
            hidden: queue === null,
            cell: ({ product }) => product?.name ?? UNKNOWN,
            csv: ({ product }) => product?.name,
          }),
        ]
      : []),
    country('country', { sort: true }),
    ...(staff
      ? [
          column<UserSession, 'integrity'>('integrity', {
            width: 130,
            hidden: true,
            cell: ({ integrity = 'unchecked' }, t) => t(`integrity.${integrity}`),
            csv: ({ integrity }) => integrity,
          }),
        ]
      : []),
    choice('origin', LEAD_ORIGINS, { width: 110, hidden: true }),
    ...(staff
      ? [
          column<UserSession, 'recold'>('recold', {
            width: 150,
            hidden: true,
            cell: ({ recold }) => recold?.name ?? UNKNOWN,
            csv: ({ recold }) => recold?.name,
          }),
        ]
      : []),
    text('os', { hidden: true }),
    text('device', { hidden: true }),
    text('browser', { hidden: true }),
    copied('click_id', { hidden: true }),
    text('external_id', { hidden: true, ...(!staff && { header: 'own_id' }) }),
    text('source', { hidden: true }),
    text('sub1', { hidden: true }),
    ...(queue === null
      ? [moment('changed_at', { sort: true, hidden: true })]
      : [moment<'changed_at', 'since'>('changed_at', { sort: true, header: 'since', card: 'field' })]),
    ...(queue === 'waiting'
      ? [
          column<UserSession, 'next_try_at'>('next_try_at', {
            card: 'field',
            cell: ({ next_try_at: at }) => (at ? <Moment at={at} /> : UNKNOWN),
            csv: ({ next_try_at: at }) => at,
          }),
        ]
      : []),
  ]
}
