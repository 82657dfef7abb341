import { DatabaseError } from 'pg'
import type { LeadInput } from '#contract/leads/lead.ts'
import { log } from '#server/platform/log.ts'
import { isAway } from '#server/platform/pg/away.ts'
import { behind, together } from '#server/platform/pg/pipeline.ts'
import { readCascade } from '../api-offer/cascade.queries.ts'
import type { LeadFrom } from '../session/at-once.ts'
import { receiveLead, type OfferFirst, type Received } from '../session/receive.service.ts'
import { suppressedBy } from '../suppression/suppressed.service.ts'
import { choose, Full, made, meetAdvertisers, newRound, type Decided, type Round, type Step } from './reserve.service.ts'
import type { SendParts } from './send-parts.ts'
import { insertFirstSend } from './send.queries.ts'

/** A lead in the hand of who received it: the round of offering it, and what its first step is already. */
export type InHand = { session: NonNullable<Received['leased']>; round: Round; first: Step | null }

/**
 * Takes a lead in as `receiveLead` does and reserves its first send in the same transaction, for who offers it at once: two of them
 * would cost a commit and several round trips more. Where nobody can be chosen so it is taken in without, and offered after that.
 */
export async function receiveToOffer(
  parts: SendParts,
  now: number,
  from: LeadFrom,
  input: LeadInput,
): Promise<Omit<Received, 'leased'> & { inHand: InHand | null }> {
  const lead = { ...from, lease: true }
  const round = newRound()
  try {
    const { offering, decided } = offerFirst(parts, round, now)
    const { leased, ...received } = await receiveLead(parts, now, lead, input, offering)
    const first = decided()
    return { ...received, inHand: leased && { session: leased, round, first: first === null ? null : await made(first) } }
  } catch (error) {
    if (!(error instanceof Unreserved)) throw error
    // where the connection broke nobody knows whether it was kept
    if (isAway(error.cause) && !(error.cause instanceof DatabaseError)) throw error.cause
    // another lead took the last place
    if (!(error.cause instanceof Full)) log.error({ err: error.cause }, 'the first send of a lead was not reserved')
    // it may have waited long
    const { leased, ...received } = await receiveLead(parts, parts.clock.now(), lead, input)
    return { ...received, inHand: leased && { session: leased, round: newRound(), first: null } }
  }
}

/** Why a first send could not be reserved: nothing of its lead was written either. */
class Unreserved extends Error {}

function offerFirst(parts: SendParts, round: Round, now: number): { offering: OfferFirst; decided(): Decided | null } {
  let decided: Decided | null = null
  const trying = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work()
    } catch (error) {
      throw new Unreserved('not reserved', { cause: error })
    }
  }
  const offering: OfferFirst = (trx, offerId, contacts) =>
    trying(async () => {
      const [cascade, seen] = await together(
        trx,
        () => readCascade(trx, offerId, now),
        () => meetAdvertisers(trx, { phone_hash: contacts.phone, email_hash: contacts.email }, { id: null, recold_id: null }),
      )
      return (session, suppressed) =>
        trying(async () => {
          const chosen = await choose(trx, parts, session, round, {
            cascade,
            seenBy: seen,
            suppressedBy: suppressedBy(suppressed, offerId),
            now,
          })
          if (chosen.kind !== 'send') {
            decided = chosen
            return null
          }
          const { row, until, step, ...reserved } = chosen
          const write = async () => {
            const sending = trying(() => insertFirstSend(trx, session.click_id, row))
            await behind(trx, sending)
            decided = { ...reserved, sending }
          }
          return { leased_until: until, trace: [step], write }
        })
    })
  return { offering, decided: () => decided }
}
