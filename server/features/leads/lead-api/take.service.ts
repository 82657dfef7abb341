import type { LeadInput } from '#contract/leads/lead.ts'
import { log } from '#server/platform/log.ts'
import { newEntry } from '../entry/entry.service.ts'
import { receiveToOffer } from '../send/first-send.service.ts'
import { sendReceived, type Offered } from '../send/send-lead.service.ts'
import type { PanelAddress } from '#server/features/network/domain/address.service.ts'
import type { SendParts } from '../send/send-parts.ts'
import type { SessionRow } from '../session/session.queries.ts'
import type { LeadOwner } from './lead-owner.ts'
import { findLead } from './lead.queries.ts'

/** Who sends a lead waits so long for what becomes of it; it is offered on after that. */
const BUDGET = 20_000
const NOT_KNOWN: Offered = { entered: false, became: null }

/**
 * Takes a lead in and offers it at once. `known`: it was sent before. `entry`: where the person goes on, once; null where
 * nobody took it, or it was sent before. Throws as `receiveLead` does.
 */
export async function takeLead(
  parts: SendParts,
  panel: PanelAddress,
  owner: LeadOwner,
  input: LeadInput,
): Promise<{ row: SessionRow; known: boolean; entry: string | null }> {
  const { db, clock } = parts
  const { session, known, inHand } = await receiveToOffer(parts, clock.now(), { ...owner, origin: 'api' }, input)
  if (inHand === null) return { row: session, known, entry: null }
  const { token, entry } = newEntry(clock.now())
  // where the panel is is asked while the advertiser thinks
  const [{ entered, became }, begins] = await Promise.all([withinBudget(sendReceived(parts, inHand, entry)), panel(db)])
  const row = became === null ? ((await findLead(db, owner, session.uuid)) ?? session) : { ...session, ...became }
  return { row, known, entry: entered && row.status === 'accepted' ? `${begins}/in/${token}` : null }
}

/** What came of offering a lead in time. Whatever becomes of it, the lead is kept: a failure here leaves it to a worker. */
export async function withinBudget(sending: Promise<Offered>): Promise<Offered> {
  const settled = sending.catch((error: unknown) => {
    log.error({ err: error }, 'a lead was not offered at once')
    return NOT_KNOWN
  })
  const { promise: over, resolve } = Promise.withResolvers<Offered>()
  const budget = setTimeout(resolve, BUDGET, NOT_KNOWN)
  return Promise.race([settled, over]).finally(() => clearTimeout(budget))
}
