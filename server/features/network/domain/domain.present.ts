import type { z } from 'zod'
import type { domainDetail, domainRow } from '#contract/network/domain.ts'
import { isoDates } from '#server/platform/iso-dates.ts'
import type { listAssignments } from './assignment.queries.ts'
import type { DomainRow } from './domain.queries.ts'

type Detail = z.input<typeof domainDetail>

/** A domain in a list. */
export function presentDomain({ is_default, ...row }: DomainRow): z.input<typeof domainRow> {
  return { ...isoDates(row), default: is_default }
}

/** The whole of it, with how to verify it; `undoUntil` in ms. */
export function presentDomainDetail(
  row: DomainRow,
  assignments: Awaited<ReturnType<typeof listAssignments>>,
  { undoUntil, ...told }: Pick<Detail, 'address' | 'points_to' | 'record' | 'file'> & { undoUntil: number | null },
): Detail {
  return {
    ...isoDates(row),
    ...told,
    default: row.is_default,
    undo_until: undoUntil === null ? null : new Date(undoUntil).toISOString(),
    assignments: assignments.map(({ affiliate, offer }) => ({ affiliate, offer })),
  }
}
