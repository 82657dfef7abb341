import type { z } from 'zod'
import type { CallOutput } from '#contract/endpoint.ts'
import type { leadAuthorityApi } from '#contract/leads/authority.ts'
import { may, type Actor } from '#server/access/actor.ts'
import { namesOfAffiliates } from '#server/features/offers/offer/goal.queries.ts'
import { getOffer } from '#server/features/offers/offer/offer.queries.ts'
import { getAffiliate } from '#server/features/people/affiliate/affiliate.queries.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import { isAdvertiserMine } from '#server/features/traffic/postback/incoming/incoming.queries.ts'
import { AppError } from '#server/platform/errors.ts'
import { lockName } from '#server/platform/pg/lock.ts'
import { sayOfLead, type applyStatus } from '../status/apply-status.service.ts'
import { findSession } from '../user-session/user-session.queries.ts'
import { authorityOf, countNoted, findTaken, listPairs, lockPair, setPair } from './authority.queries.ts'

type Parts = Parameters<typeof applyStatus>[0]
type Body<Name extends keyof typeof leadAuthorityApi> = z.output<(typeof leadAuthorityApi)[Name]['body']>

/** Affiliates of an offer that are or were tested; others' have no name. Throws `not_found`. */
export async function showPairs(
  { db }: Parts,
  actor: Actor,
  key: string,
  body: Body<'list'>,
): Promise<CallOutput<typeof leadAuthorityApi.list>> {
  const offer = await offerOf({ db }, actor, key)
  const { rows, list } = await listPairs(db, offer.id, body)
  const ids = list.map(({ affiliate_id }) => affiliate_id)
  const [noted, names] = await Promise.all([countNoted(db, offer.id, ids), namesOfAffiliates(db, actor.scope, ids)])
  const known = new Map(names.map((one) => [one.id, one]))
  return {
    summary: { rows },
    list: list.map(({ affiliate_id, uuid, name, changed_at, ...row }) => ({
      affiliate: { uuid, id: affiliate_id, name: known.get(affiliate_id)?.own === true ? name : '' },
      state: row.state,
      changed_at: changed_at.toISOString(),
      changed_by: row.changed_by,
      noted: noted.get(affiliate_id) ?? 0,
      applying: row.applying,
    })),
  }
}

/** Begins a test or goes live, each once. Throws `not_found`, `unknown_reference`, `conflict` where it is something else meanwhile. */
export async function setAuthority(
  { db }: Parts,
  now: number,
  actor: Actor,
  key: string,
  { affiliate_uuid, state, expected }: Body<'set'>,
) {
  const offer = await offerOf({ db }, actor, key)
  const affiliate = await getAffiliate(db, actor.scope, affiliate_uuid)
  if (affiliate === undefined) throw new AppError('unknown_reference', { fields: { affiliate_uuid: 'Choose an affiliate of yours' } })
  return db.transaction().execute(async (trx) => {
    await lockName(trx, `lead authority ${affiliate.id} ${offer.id}`)
    const before = (await lockPair(trx, affiliate.id, offer.id)) ?? 'live'
    if (before === state) return { changed: false }
    if (before !== expected) throw new AppError('conflict')
    await setPair(trx, {
      affiliate_id: affiliate.id,
      offer_id: offer.id,
      state,
      changed_at: new Date(now),
      changed_by: actor.accountId,
      applying: state === 'live',
    })
    await recordAudit(trx, actor, now, {
      action: 'lead_authority',
      entity: 'offer',
      entityId: offer.id,
      before: { affiliate_id: affiliate.id, state: before },
      after: { affiliate_id: affiliate.id, state },
    })
    return { changed: true }
  })
}

/**
 * Says what became of a lead in its advertiser's place. Throws `not_found` out of scope, `forbidden` where its advertiser is somebody else's, `status_not_allowed` where nobody has taken it,
 * `invalid_input` without a reason where the advertiser's word counts, `conflict` where it is something else meanwhile.
 */
export async function sayCallStatus(parts: Parts, now: number, actor: Actor, key: string, body: Body<'callStatus'>) {
  const { db } = parts
  const session = may(actor, 'conversion.decide') ? await findSession(db, actor.scope, key) : undefined
  if (session === undefined) throw new AppError('not_found')
  const send = await findTaken(db, session.id)
  if (send === undefined)
    throw new AppError('status_not_allowed', { fields: { call_status: 'Only of a lead that was taken something can be said' } })
  // what is said is booked against the advertiser: who does not answer for it has no word in its place
  if (!(await isAdvertiserMine(db, actor.scope, send.advertiser_id))) throw new AppError('forbidden')
  const said = { status: body.call_status, expected: body.expected, note: body.reason, accountId: actor.accountId }
  const live = (await authorityOf(db, session.affiliate_number, session.offer_number)) === 'live'
  if (live && body.reason === '') throw new AppError('invalid_input', { fields: { reason: 'Required' } })
  await sayOfLead(parts, send, said, now, (trx, before) =>
    recordAudit(trx, actor, now, {
      action: 'call_status',
      entity: 'offer',
      entityId: session.offer_number,
      before: { call_status: before },
      after: { session: session.uuid, call_status: body.call_status, reason: body.reason },
    }),
  )
  return { call_status: body.call_status }
}

async function offerOf({ db }: Pick<Parts, 'db'>, actor: Actor, key: string) {
  const offer = await getOffer(db, actor.scope, key)
  if (!offer?.editable || offer.type !== 'api') throw new AppError('not_found')
  return offer
}
