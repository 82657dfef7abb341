import type { Selectable } from 'kysely'
import type { MemberPrice, StoredTerms } from '#contract/leads/api-offer.ts'
import { INTEGRATION_TYPES, type IntegrationType } from '#contract/leads/integration-type.ts'
import type { ConversionStatus } from '#contract/traffic/conversion.ts'
import type { LeadParts } from '#server/features/leads/session/receive.service.ts'
import { isErased } from '#server/features/leads/person/erase.queries.ts'
import { openLeadVault } from '#server/features/leads/session/vault.ts'
import { loadClickKeys, type FindClick } from '#server/features/traffic/click/click.queries.ts'
import { tellBooked } from '#server/features/leads/api-offer/tell-cap.service.ts'
import { applyReport, type Ahead } from '#server/features/traffic/conversion/apply-report.service.ts'
import type { ConversionClick } from '#server/features/traffic/conversion/draft.service.ts'
import type { ReportedFor, ReportOutcome } from '#server/features/traffic/conversion/plan-report.service.ts'
import { loadTerms, type OfferTerms } from '#server/features/traffic/conversion/terms.queries.ts'
import type { DbOrTrx, Tables, Trx } from '#server/platform/pg/database.ts'
import { log } from '#server/platform/log.ts'
import { PERSONAL_COLUMNS } from '#server/rules/click/click-row.ts'
import { readClickId } from '#server/rules/click/click-id.ts'
import { isLost } from '#server/rules/conversion/conversion-status.ts'
import { BY_STAFF } from '#server/rules/conversion/reason.ts'
import { memberPriceFor } from '#server/rules/lead/member-price.ts'
import { keepBooking, settleBooking, type KeptBooking } from '../stuck/keep.service.ts'
import { isHouse, payoutOf, pricesOfSend, typeOf } from './book.queries.ts'

/** What of a session is booked. */
export type BookedSession = Pick<
  Selectable<Tables['user_session']>,
  | 'id'
  | 'affiliate_id'
  | 'offer_id'
  | 'click_id'
  | 'external_id'
  | 'country'
  | 'told'
  | 'sealed'
  | 'received_at'
  | 'test'
  | 'landing_id'
  | 'recold_id'
>
type Send = { uuid: string; advertiser_id: number; member_id: number | null }
/** accepted: that an advertiser took it; paid: what comes of it later, a deposit or a sale; again: each deposit after the first. */
export type LeadGoal = 'accepted' | 'paid' | 'again'
/** `transaction`: which of several deposits, by the advertiser's own name for it. `decided`: staff said so of what an advertiser told; `by`: the member of staff whose word it is. */
export type LeadReport = {
  goal: LeadGoal
  status: ConversionStatus
  amount: string | null
  currency?: string | null
  transaction?: string
  decided?: boolean
  by?: number | null
}

/** The click a lead came by as conversions take it over; where it was made for the lead, what the lead told. */
export async function clickOf(
  { db, secretKey, findClick }: LeadParts & { findClick: FindClick },
  session: BookedSession,
): Promise<ConversionClick | null> {
  const parts = readClickId(session.click_id, await loadClickKeys(db, session.received_at.getTime()))
  if (parts === null) return null
  const own = leadClick(secretKey, session, parts.at)
  // made in the moment the lead came
  if (parts.at === session.received_at.getTime()) return own
  try {
    const click = await findClick(parts)
    return click === null ? own : { ...click, id: session.click_id, affClickId: click.affClickId || own.affClickId }
  } catch (error) {
    log.warn({ err: error }, 'the click of a lead cannot be looked up')
    return own
  }
}

/** A click that was made for a lead, as conversions take it over; `at` in ms. */
export function leadClick(
  secretKey: string | null,
  session: Omit<BookedSession, 'recold_id'> & { recold_id?: number | null },
  at: number,
): ConversionClick {
  const person = session.sealed === null ? {} : openLeadVault(secretKey).openTold(session.sealed)
  const text = (name: string) => (typeof session.told[name] === 'string' ? session.told[name] : '')
  const subs = Array.isArray(session.told.subs) ? session.told.subs.map(String) : []
  return {
    id: session.click_id,
    at,
    affiliateId: session.affiliate_id,
    landing: session.landing_id ?? 0,
    prelanding: 0,
    geo: session.country,
    device: text('device'),
    os: text('os'),
    browser: text('browser'),
    lang: person.language ?? '',
    source: text('source'),
    subs: Array.from({ length: 10 }, (_, index) => subs[index] ?? ''),
    affClickId: session.external_id ?? '',
    ip: person.ip ?? '',
    ua: person.user_agent ?? '',
    ...(session.recold_id && { carried: { traffic: 'cold' }, recoldId: session.recold_id }),
  }
}

/** What is known of a booking beforehand. `capped`: its place has limits that count conversions. */
export type KnownBooking = { of: ReportedFor; ahead: Ahead; erased: boolean; capped: boolean }

/**
 * Books what became of a lead, in the caller's transaction: a conversion of the goal meant, by the terms of the product's
 * advertiser. Undefined where the offer has no such goal: then there is nothing to be paid for. What cannot be booked is kept for a person.
 */
export async function bookLead(
  trx: Trx,
  session: BookedSession,
  send: Send,
  click: ConversionClick,
  report: LeadReport,
  now: number,
  known?: KnownBooking,
): Promise<ReportOutcome | undefined> {
  if (session.test) return undefined
  const of = known?.of ?? (await reportedFor(trx, session, send, click.at, report))
  if (of === undefined) return undefined
  const { transactionId } = of
  const outcome = await applyReport(
    trx,
    of,
    (known?.erased ?? (await isErased(trx, session.id))) ? withoutVisitor(click) : click,
    {
      status: report.status,
      amount: report.amount,
      currency: report.currency ?? null,
      transactionId,
      reason: report.by !== undefined && isLost(report.status) ? BY_STAFF : '',
    },
    {
      at: now,
      now,
      ...(report.by === undefined ? { origin: 'postback', actorId: null } : { origin: 'staff', actorId: report.by }),
      ...(report.decided === true && { decided: true }),
    },
    known?.ahead,
  )
  if (outcome.outcome === 'refused' || outcome.outcome === 'held_for_review') {
    const reason = outcome.outcome === 'refused' ? outcome.reason : outcome.outcome
    log.warn({ send: send.uuid, reason }, 'what became of a lead was not booked')
    await keepBooking(trx, send.uuid, bookingOf(report), reason, new Date(now))
  } else if (report.goal !== 'accepted') await settleBooking(trx, send.uuid, bookingOf(report), new Date(now))
  if (isNews(outcome) && send.member_id !== null && known?.capped !== false) await tellBooked(trx, now, send.member_id)
  return outcome
}

/**
 * Of which goal a report of a lead is, by which terms and under which name; undefined where the offer has no such goal. `said`: what the
 * offer says of the kind of its leads and of what its place brings, where that is known.
 */
export async function reportedFor(
  db: DbOrTrx,
  session: BookedSession,
  send: Send,
  clickAt: number,
  report: Pick<LeadReport, 'goal' | 'transaction'>,
  said?: { type: IntegrationType; prices: StoredTerms['prices'] },
): Promise<ReportedFor | undefined> {
  const type = said?.type ?? (await typeOf(db, session.offer_id))
  const terms = (await loadTerms(db, [session.offer_id], send.advertiser_id)).get(session.offer_id)
  if (type === undefined || terms === undefined) return undefined
  const code = goalCode(type, report.goal)
  const goal = terms.goals.find((one) => one.code === code && !one.retired)
  if (goal === undefined) return undefined
  // without a price of its place in the offer, or of the product, the payout rows say what a goal brings
  const prices = said?.prices ?? (await pricesOfSend(db, send.uuid, terms.currency))
  const priced = pricedTerms(terms, goal.id, memberPriceFor(prices, goal.code, session.country))
  const paid =
    session.recold_id === null ? priced : await coldTerms(db, session.recold_id, session.affiliate_id, priced, isPaidFor(type, report.goal))
  // the first is known by our id of the lead, each later one by theirs beside it
  const transactionId = report.goal === 'again' ? `${send.uuid}/${report.transaction ?? ''}` : send.uuid
  return { terms: paid, goal, clickId: session.click_id, clickAt, transactionId }
}

function isNews({ outcome }: ReportOutcome): boolean {
  return outcome === 'created' || outcome === 'changed' || outcome === 'amount_changed'
}

/** What was to be booked, as it is kept. */
export function bookingOf({ goal, status, amount, currency, transaction }: LeadReport): KeptBooking {
  return { goal, status, amount: amount === null ? '' : [amount, currency ?? ''].join(' ').trim(), transaction: transaction ?? '' }
}

/** A click whose person was erased: what they did, and nothing of who it was. */
function withoutVisitor(click: ConversionClick): ConversionClick {
  const { carried } = click
  const left =
    carried === undefined
      ? {}
      : Object.fromEntries(Object.entries(carried).filter(([name]) => !PERSONAL_COLUMNS.some((personal) => personal === name)))
  return { ...click, ip: '', ua: '', ...(carried !== undefined && { carried: left }) }
}

/** Whether leads of a kind are paid for themselves, whatever they come to. */
export function paysLeads(type: IntegrationType): boolean {
  return INTEGRATION_TYPES[type].goals[0]?.isPaid ?? false
}

/** The goal of a kind of leads that is reached when one is taken, the one that is reached when it comes to money, and when it does again. */
export function goalCode(type: IntegrationType, goal: LeadGoal): string | undefined {
  const { goals } = INTEGRATION_TYPES[type]
  if (goal === 'again') return goals.find(({ again }) => again)?.code
  const once = goals.filter(({ again }) => again !== true)
  if (goal === 'accepted') return once[0]?.code
  // where the lead itself is what is paid nothing more is to come
  return once.length > 1 ? once.at(-1)?.code : undefined
}

/** Terms of a second sale: the advertiser pays as usual; the network's own affiliate gets nothing, others what the distribution says. */
async function coldTerms(db: DbOrTrx, recoldId: number, affiliateId: number, terms: OfferTerms, isPaid: boolean): Promise<OfferTerms> {
  const { payout, payout_amount: amount } = await payoutOf(db, recoldId)
  const house = await isHouse(db, affiliateId)
  if (!house && payout === 'original') return terms
  const fixed = !house && payout === 'fixed' && isPaid ? (amount ?? '0') : '0'
  return payingTerms(terms, fixed)
}

/** Terms by which whoever brought a lead is paid an amount, whatever the advertiser pays. */
export function payingTerms(terms: OfferTerms, amount: string): OfferTerms {
  return { ...terms, rules: terms.rules.map((rule) => ({ ...rule, payout_fixed: amount, payout_percent: '0' })) }
}

/** Whether a goal is the one money is made by: what comes of leads, or that one is taken where leads are paid for themselves. */
function isPaidFor(type: IntegrationType, goal: LeadGoal): boolean {
  return goal === 'paid' || paysLeads(type)
}

/**
 * Terms with a price in place of what the goal's rows bring, and its payout in place of theirs but those of single affiliates; a lead has no time too short to be one, and its click has done its part once
 * the lead came: what an advertiser says of it months later still counts.
 */
export function pricedTerms(terms: OfferTerms, goalId: number, price: MemberPrice | null): OfferTerms {
  const rules = terms.rules.map((rule) => {
    if (price === null || rule.goal_id !== goalId) return rule
    const paid = { ...rule, revenue_fixed: price.price, revenue_percent: '0' }
    // what was agreed with somebody holds whoever buys the lead
    const payout = rule.affiliate_ids.length > 0 ? null : price.payout
    return payout === null ? paid : { ...paid, payout_fixed: payout, payout_percent: '0' }
  })
  return { ...terms, rules, min_conversion_time: null, click_lifetime_days: Number.POSITIVE_INFINITY }
}
