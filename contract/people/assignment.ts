import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { uuid } from '#contract/fields.ts'

/** What managers look after, and may be given in one step. */
export const ASSIGNED_KINDS = ['affiliate', 'advertiser'] as const
export type AssignedKind = (typeof ASSIGNED_KINDS)[number]

/** So many at once; more are refused. */
export const MOST_ASSIGNED = 10_000

const assignment = z.object({
  kind: z.enum(ASSIGNED_KINDS),
  uuids: z.array(uuid).min(1).max(MOST_ASSIGNED),
  /** Nobody; for a team lead the lead. */
  manager_uuid: z.uuid('Choose a manager').nullable(),
})

/** Giving affiliates and advertisers to a manager. */
export const assignmentApi = {
  assign: endpoint({
    method: 'POST',
    path: '/api/assignment/v1/assign',
    access: 'manager.write',
    summary: 'Gives up to 10,000 affiliates or advertisers in the own scope to one manager of one’s own, who is told by the bell.',
    body: assignment,
    response: z.object({ changed: z.int() }),
  }),
  undo: endpoint({
    method: 'POST',
    path: '/api/assignment/v1/undo',
    access: 'manager.write',
    summary:
      'Gives them back to whom each belonged before the actor gave them to this manager. Those somebody changed since are passed over; where nothing is left it is a `conflict`.',
    body: assignment,
    response: z.object({ changed: z.int() }),
  }),
}
