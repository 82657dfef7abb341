import { isTakenLead } from '#server/rules/lead/states.ts'
import type { z } from 'zod'
import type { CallOutput } from '#contract/endpoint.ts'
import type { CallStatus } from '#contract/leads/call-status.ts'
import type { LeadStatus } from '#contract/leads/lead.ts'
import { amountText } from '#contract/money/amount.ts'
import type { LEAD_ACTIONS, LeadEvent, userSessionApi } from '#contract/leads/user-session.ts'
import { may, type Actor } from '#server/access/actor.ts'
import { listVisits } from '#server/features/leads/entry/entry.queries.ts'
import { findReview } from '#server/features/leads/integrity/review.queries.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db } from '#server/platform/pg/database.ts'
import type { Considered } from '#server/rules/lead/cascade.ts'
import { codesOf } from '#server/rules/lead/integrity/judge.ts'
import { whyNoLookUp } from '../quarantine/quarantine.service.ts'
import { openLeadVault } from '../session/vault.ts'
import {
  findSession,
  listBooked,
  listDeeds,
  listReveals,
  listSendsOf,
  listSessions,
  listStatusesOf,
  nameMembers,
} from './user-session.queries.ts'
import { readAsked } from './read-asked.ts'
import { openlyTold, presentSession } from './user-session.present.ts'

type Parts = { db: Db; secretKey: string | null }

/** One page of the user sessions in scope as the caller may see them, of those there were when the first page was asked for. */
export async function showSessions(
  { db, secretKey }: Parts,
  now: number,
  actor: Actor,
  input: z.output<typeof userSessionApi.list.body>,
): Promise<CallOutput<typeof userSessionApi.list>> {
  const staff = may(actor, 'report.money')
  const ofStaff = [input.advertiser_uuid, input.product_uuid, input.integrity, input.sent]
  if (!staff && ofStaff.some((values) => values.length > 0)) throw new AppError('forbidden')
  const vault = openLeadVault(secretKey)
  const until = new Date(input.until ?? now)
  const { asked, contacts } = readAsked(input, actor, vault, now)
  const { rows, more, since, list, after } = await listSessions(db, actor.scope, asked, contacts, until)
  return {
    list: list.map((row) => presentSession(row, vault, staff, may(actor, 'cold.read'))),
    summary: { rows, ...(more && { more }), ...(since && { since: since.toISOString() }) },
    until: until.toISOString(),
    after,
  }
}

/** One session and what happened to it, oldest first; whom the cascade looked at and asked for staff alone. Throws `not_found`. */
export async function explainSession(
  { db, secretKey }: Parts,
  actor: Actor,
  key: string,
): Promise<CallOutput<typeof userSessionApi.detail>> {
  const row = await findSession(db, actor.scope, key)
  if (row === undefined) throw new AppError('not_found')
  const staff = may(actor, 'report.money')
  const [sends, statuses, booked, reveals, review, deeds, visits] = await Promise.all([
    staff ? listSendsOf(db, actor.scope, row.id) : [],
    listStatusesOf(db, row.id),
    listBooked(db, actor.scope, row.click_id),
    staff ? listReveals(db, row.id) : [],
    staff ? findReview(db, row.id) : null,
    staff ? listDeeds(db, row.id) : [],
    staff ? listVisits(db, row.id) : [],
  ])
  const all = actor.scope.kind === 'all'
  const events: LeadEvent[] = [{ kind: 'received', at: row.received_at.toISOString(), origin: row.origin }]
  if (staff) events.push(...(await roundsOf(db, row.trace, all)))
  for (const one of sends)
    events.push({
      kind: 'sent',
      at: one.asked_at.toISOString(),
      product: one.sees_advertiser ? { uuid: one.product_uuid, id: one.product_id, name: one.product } : null,
      advertiser: one.sees_advertiser ? { uuid: one.advertiser_uuid, id: one.advertiser_id, name: one.advertiser } : null,
      // as it was answered then; what came of it since is told by what follows
      status: one.status,
      reason: one.sees_advertiser ? one.reason : '',
      http_status: one.http_status,
      took: one.answered_at === null ? null : one.answered_at.getTime() - one.asked_at.getTime(),
      external_id: one.sees_advertiser ? one.external_id : null,
    })
  if (row.decided_at !== null)
    events.push({ kind: 'decided', at: row.decided_at.toISOString(), status: decisionOf(row.status), reason: row.reason })
  for (const { at, source, raw, status, noted, note, by } of statuses)
    if (staff || (status !== null && !noted))
      events.push({
        kind: 'called',
        at: at.toISOString(),
        status: status as CallStatus | null, // nothing else is written
        source,
        ...(row.sees_advertiser && staff && { raw }),
        ...(staff && { noted }),
        ...(staff && source === 'staff' && { note, by: by ?? '' }),
      })
  for (const one of booked)
    events.push({
      kind: 'booked',
      at: one.created_at.toISOString(),
      conversion: { uuid: one.uuid, id: one.id },
      goal: one.title || null,
      status: one.status,
      currency: one.currency,
      payout: amountText(one.payout),
      ...(staff && { revenue: amountText(one.revenue) }),
    })
  for (const { at, ...one } of visits) events.push({ kind: 'entered', at: at.toISOString(), ...one })
  for (const { at, ...one } of reveals) events.push({ kind: 'revealed', at: at.toISOString(), ...one })
  for (const { at, action, note, ...one } of deeds)
    events.push({
      kind: 'handled',
      at: at.toISOString(),
      ...one,
      action: action as (typeof LEAD_ACTIONS)[number], // only those were asked for
      // who does not see the advertiser reads nothing of it
      note: row.sees_advertiser ? note : '',
    })
  const unclear = sends.find(({ status, sees_advertiser }) => status === 'ambiguous' && sees_advertiser)
  return {
    quarantine:
      unclear === undefined || !may(actor, 'lead.decide')
        ? null
        : { send_uuid: unclear.uuid, asked_at: unclear.asked_at.toISOString(), no_look_up: whyNoLookUp(unclear, unclear.external_id) },
    session: presentSession(row, openLeadVault(secretKey), staff, may(actor, 'cold.read')),
    told: openlyTold(row.told),
    // of what happened in one moment the order is that of the kinds above
    events: events.toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at)),
    codes: [...new Set([...codesOf(row.integrity, 'reject'), ...codesOf(row.integrity, 'hold')].map(({ code }) => code))],
    ...(staff && {
      integrity: {
        verdict: row.integrity_verdict,
        score: row.integrity_score,
        parts: row.integrity,
        review,
        decidable: row.status === 'held' && row.sees_affiliate && may(actor, 'lead.decide'),
      },
    }),
  }
}

/** What was decided of a lead of this present status: one is converted or closed only after it was accepted, by what its call centre says. */
function decisionOf(status: LeadStatus): LeadStatus {
  return isTakenLead(status) ? 'accepted' : status
}

type Round = { at: string; considered: readonly Considered[] }

/** Whom the cascade looked at, round by round; products are named for whoever sees every advertiser. */
async function roundsOf(db: Db, trace: readonly unknown[], named: boolean): Promise<LeadEvent[]> {
  const rounds = trace as readonly Round[] // as `reserve` and `endRound` write them
  const products = await nameMembers(db, [...new Set(rounds.flatMap(({ considered }) => considered.map(({ memberId }) => memberId)))])
  return rounds.map(({ at, considered }) => ({
    kind: 'considered',
    at,
    members: considered.map(({ memberId, passed, check, detail }) => ({
      product: (named && products.get(memberId)) || null,
      passed,
      check,
      detail: Object.fromEntries(Object.entries(detail).map(([name, value]) => [name, String(value)])),
    })),
  }))
}
