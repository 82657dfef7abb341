import type { LeadInput } from '#contract/leads/lead.ts'
import { log } from '#server/platform/log.ts'
import { newEntry } from '../entry/entry.service.ts'
import { sendLead } from '../send/send-lead.service.ts'
import type { SendParts } from '../send/send-parts.ts'
import { receiveLead } from '../session/receive.service.ts'
import type { SessionRow } from '../session/session.queries.ts'
import type { LeadOwner } from './lead-owner.ts'
import { findLead } from './lead.queries.ts'

/** Who sends a lead waits so long for what becomes of it; it is offered on after that. */
const BUDGET = 20_000

/**
 * Takes a lead in and offers it at once. `known`: it was sent before. `entry`: the path where the person goes on, once; null where
 * nobody took it, or it was sent before. Throws as `receiveLead` does.
 */
export async function takeLead(
  parts: SendParts,
  owner: LeadOwner,
  input: LeadInput,
): Promise<{ row: SessionRow; known: boolean; entry: string | null }> {
  const { db, clock } = parts
  const { session, known, leased } = await receiveLead(parts, clock.now(), { ...owner, origin: 'api', lease: true }, input)
  if (known || session.status !== 'received') return { row: session, known, entry: null }
  const { token, entry } = newEntry(clock.now())
  const entered = await withinBudget(sendLead(parts, session.id, leased, entry))
  const row = (await findLead(db, owner, session.uuid)) ?? session
  return { row, known, entry: entered && row.status === 'accepted' ? `/in/${token}` : null }
}

/** What `sendLead` answers in time. Whatever becomes of it, the lead is kept: a failure here leaves it to a worker. */
export async function withinBudget(sending: Promise<boolean>): Promise<boolean> {
  const settled = sending.catch((error: unknown) => {
    log.error({ err: error }, 'a lead was not offered at once')
    return false
  })
  const { promise: over, resolve } = Promise.withResolvers<boolean>()
  const budget = setTimeout(resolve, BUDGET, false)
  return Promise.race([settled, over]).finally(() => clearTimeout(budget))
}
