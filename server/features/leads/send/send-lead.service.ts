import { readCallReason } from '#contract/leads/call-reason.ts'
import { isVerdict } from '#server/rules/lead/states.ts'
import type { NewEntry } from '#server/features/leads/entry/entry.queries.ts'
import { LEASE } from '#server/features/leads/session/receive.service.ts'
import { openLeadVault } from '#server/features/leads/session/vault.ts'
import { optOutToken } from '#server/features/leads/opt-out/opt-out-token.ts'
import { readAccount } from '#server/features/leads/product/account.service.ts'
import { macrosOf } from '#server/rules/lead/integration/step.ts'
import { secretsOf, valuesOf } from '#server/features/leads/call/lead-values.ts'
import { maskTold } from '#server/features/leads/call/mask-told.ts'
import type { InHand } from './first-send.service.ts'
import { newRound, reserve, type Reserved, type SpokenTo } from './reserve.service.ts'
import { runCalls, type Sent } from '#server/features/leads/call/run-calls.service.ts'
import { counted, type SendParts } from './send-parts.ts'
import { leaseSession, listSends, uuidOfPerson, type LeasedSession } from './send.queries.ts'
import { endRound, prepareBooking, settleKilled, settleSend, type Became } from './settle.service.ts'
import { openTokens } from '#server/features/leads/call/token.service.ts'

const MOST_STEPS = 200

/**
 * What came of offering a lead: whether `entry` leads on, and what it became by an answer; null = by something else, or by nothing yet.
 */
export type Offered = { entered: boolean; became: Became | null }
const NOTHING: Offered = { entered: false, became: null }

/**
 * Offers a lead to the members of its offer one after the other, until one takes it, one answers unclearly, or nobody is left in
 * this round. Whoever else has it in hand keeps it. A send is written before its call: one that is found unanswered stays unclear
 * and is never made again.
 */
export async function sendLead(parts: SendParts, id: string): Promise<Offered> {
  const { db, clock } = parts
  const now = clock.now()
  const session = await leaseSession(db, id, new Date(now), new Date(now + LEASE))
  if (session === undefined) return NOTHING
  const before = await listSends(db, id)
  const open = before.find(({ status }) => status === 'sending')
  if (open !== undefined) {
    await settleKilled(db, id, open.id, now)
    return NOTHING
  }
  const notAgain = before.filter(({ status, passed_on }) => isVerdict(status) || passed_on)
  const tried = new Set(notAgain.flatMap(({ member_id }) => member_id ?? []))
  return offer(parts, { session, round: { ...newRound(), from: before.length, tried }, first: null }, null)
}

/**
 * The same of a lead that was taken in a moment ago (`receiveToOffer`), so that it was offered to nobody yet. `entry`: where its person goes
 * on, for who waits for that.
 */
export function sendReceived(parts: SendParts, inHand: InHand, entry: NewEntry): Promise<Offered> {
  return offer(parts, inHand, entry)
}

async function offer(parts: SendParts, { session, round, first }: InHand, entry: NewEntry | null): Promise<Offered> {
  for (let step = 0; step < MOST_STEPS; step++) {
    const next = step === 0 && first !== null ? first : await reserve(parts, session, round)
    if (next.kind === 'lost') return NOTHING
    if (next.kind === 'again') continue
    if (next.kind === 'nobody') {
      await endRound(parts, session, round.from, next.considered, { busy: round.passedOver.size > 0, reason: next.reason })
      return NOTHING
    }
    const { follows, ...offered } = await callAndSettle(parts, session, next, entry)
    round.tried.add(next.member.id)
    if (follows === 'done') return offered
    if (follows === 'stop') break
  }
  await endRound(parts, session, round.from, [])
  return NOTHING
}

/** Where the person of a lead opts out, for whom a call tells it; '' where none does. */
async function optOutUrl({ db, secretKey, panel }: SendParts, { person_id }: LeasedSession, spec: SpokenTo['spec']): Promise<string> {
  const told = [...spec.steps, spec].some(({ request }) => macrosOf(request).has('lead.opt_out_url'))
  if (panel === undefined || !told) return ''
  return `${await panel(db)}/opt-out/${optOutToken(secretKey, await uuidOfPerson(db, person_id))}`
}

async function callAndSettle(parts: SendParts, session: LeasedSession, reserved: Reserved, entry: NewEntry | null) {
  const { secretKey, clock, policy } = parts
  const { endpoint, send } = reserved
  const told = session.sealed === null ? {} : openLeadVault(secretKey).openTold(session.sealed)
  const account = readAccount(secretKey, endpoint.credentials)
  const optOut = await optOutUrl(parts, session, endpoint.spec)
  const values = valuesOf(session, told, { uuid: send.uuid, attempt: send.attempt, host: endpoint.host, account, now: clock.now(), optOut })
  return counted(parts, endpoint.id, async (answered) => {
    const tokens = openTokens(parts, { ...endpoint, productId: endpoint.id, versionId: endpoint.version_id })
    const of = { values, secrets: secretsOf(endpoint.spec), country: session.country, tokens }
    const calling = runCalls(endpoint.spec, of, policy)
    const prepare = () => prepareBooking(parts, session, reserved)
    const prepared = prepare()
    prepared.catch(() => undefined)
    // what failed is asked once more should they take it, and what was asked too early
    const booking = async () => {
      const found = await prepared.catch(prepare)
      return found?.early ? prepare() : found
    }
    const sent = await calling
    answered()
    const reason = withoutPerson(sent.judged, (redirect) =>
      maskTold(told, redirect, { spec: endpoint.spec, values, country: session.country }),
    )
    return settleSend(parts, session, reserved, { ...sent, judged: { ...sent.judged, reason } }, booking, entry)
  })
}

/** Why they did not take it, which staff read: what it repeats of the person, and what would open an account of theirs, is not. */
function withoutPerson({ reason, extracted }: Sent['judged'], cleanerFor: (redirect: string) => (text: string) => string): string {
  // mostly there is none, or it is ours
  return reason === '' || readCallReason(reason) !== null ? reason : cleanerFor(extracted.redirect_url ?? '')(reason)
}
