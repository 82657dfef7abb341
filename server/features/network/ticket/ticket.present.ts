import type { Ticket, TicketMessage, TicketRow } from '#contract/network/ticket.ts'
import type { MessageRow } from './message.queries.ts'
import type { FoundTicket, ListedTicket, Viewer } from './ticket.queries.ts'

/** A ticket in a list. Affiliates are not told whose work it is. */
export function presentRow(row: ListedTicket, viewer: Viewer): TicketRow {
  return { ...shared(row, viewer), excerpt: row.excerpt }
}

/** One ticket; `may_decide` as the service says. */
export function presentTicket(row: FoundTicket, viewer: Viewer, mayDecide: boolean): Ticket {
  const { earlier_uuid, earlier_id } = row
  return {
    ...shared(row, viewer),
    closed_at: row.closed_at?.toISOString() ?? null,
    first_answer:
      row.by_staff || row.answered_at === null ? null : Math.round((row.answered_at.getTime() - row.created_at.getTime()) / 1000),
    by_staff: row.by_staff,
    offer: row.offer,
    offer_answer: row.offer_answer,
    may_decide: mayDecide,
    earlier: earlier_uuid === null || earlier_id === null ? null : { uuid: earlier_uuid, id: earlier_id },
    later: row.later,
  }
}

/** Messages in the order they were said, each with whether the other side has read it. */
export function presentMessages(rows: readonly MessageRow[], read: { affiliate: number; staff: number }): TicketMessage[] {
  return rows.toReversed().map(({ id, at, kind, by_staff, ...row }) => ({
    ...row,
    kind,
    by_staff,
    at: at.toISOString(),
    read: kind === 'message' || kind === 'approved' || kind === 'rejected' ? id <= (by_staff ? read.affiliate : read.staff) : null,
  }))
}

function shared(row: ListedTicket | FoundTicket, { staff }: Viewer) {
  const { uuid, id, subject, category, priority, status, affiliate, unread } = row
  return {
    uuid,
    id,
    subject,
    category,
    priority,
    status,
    unread,
    affiliate: staff ? affiliate : null,
    assignee:
      staff && row.assignee_uuid !== null && row.assignee_name !== null ? { uuid: row.assignee_uuid, name: row.assignee_name } : null,
    created_at: row.created_at.toISOString(),
    last_at: row.last_at.toISOString(),
    waiting_since: row.waiting_since?.toISOString() ?? null,
  }
}
