import type { z } from 'zod'
import type { leadTestInput, LeadTest } from '#contract/leads/lead-test.ts'
import { LEAD_FIELDS } from '#contract/leads/integration-type.ts'
import { LEAD_STATUSES } from '#contract/leads/lead.ts'
import { outcome } from '#contract/leads/integration-spec.ts'
import { madeCall } from '#contract/leads/product.ts'
import type { Actor } from '#server/access/actor.ts'
import { getOffer } from '#server/features/offers/offer/offer.queries.ts'
import { getAffiliate } from '#server/features/people/affiliate/affiliate.queries.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Considered } from '#server/rules/lead/cascade.ts'
import { sampleLead } from '#server/rules/lead/sample-lead.ts'
import { maskCall, withoutLogIn } from '../call/mask-log-in.ts'
import { withinBudget } from '../lead-api/take.service.ts'
import type { SendParts } from '../send/send-parts.ts'
import { sendLead } from '../send/send-lead.service.ts'
import { receiveLead } from '../session/receive.service.ts'
import { openLeadVault } from '../session/vault.ts'
import { nameMembers } from '../user-session/user-session.queries.ts'
import { findTest, listTestSends } from './lead-test.queries.ts'

/**
 * Sends a test lead the whole way of an offer, also of one that is not active yet. Throws `not_found` of an offer that is not the
 * caller's to change, `unknown_reference` for an affiliate out of scope, `invalid_input` as any lead does.
 */
export async function testOffer(parts: SendParts, actor: Actor, key: string, input: z.output<typeof leadTestInput>): Promise<LeadTest> {
  const { db, clock } = parts
  const now = clock.now()
  const offer = await getOffer(db, actor.scope, key)
  // it names advertisers
  if (!offer?.editable || offer.type !== 'api') throw new AppError('not_found')
  const affiliate = await getAffiliate(db, actor.scope, input.affiliate_uuid)
  if (affiliate === undefined) throw new AppError('unknown_reference', { fields: { affiliate_uuid: 'Choose an affiliate of yours' } })
  const sample = sampleLead(input.country, now)
  const person = Object.fromEntries(LEAD_FIELDS.map((name) => [name, sample[`lead.${name}`]]).filter(([, value]) => value !== ''))
  const told = Object.fromEntries(Object.entries(input.values).filter(([, value]) => value !== '' && value !== undefined))
  const { session } = await receiveLead(
    parts,
    now,
    { affiliateId: affiliate.id, origin: 'test' },
    {
      ...person,
      ...told,
      offer_uuid: offer.uuid,
      country: input.country,
      tz: 'UTC',
      user_agent: sample['lead.user_agent'],
      landing_url: sample['lead.landing_url'],
      ...(input.sub1 !== '' && { sub1: input.sub1 }),
      test: true,
    },
  )
  const after = { session: session.uuid, affiliate_id: affiliate.id, country: input.country }
  await db.transaction().execute((trx) => recordAudit(trx, actor, now, { action: 'test', entity: 'offer', entityId: offer.id, after }))
  await withinBudget(sendLead(parts, session.id))
  return showTest(parts, actor, session.uuid)
}

/** What a test lead came to. Throws `not_found`, also where its offer is not the caller's to change. */
export async function showTest({ db, secretKey }: SendParts, actor: Actor, key: string): Promise<LeadTest> {
  const test = await findTest(db, key)
  const offer = test === undefined ? undefined : await getOffer(db, actor.scope, test.offer_uuid)
  if (test === undefined || !offer?.editable) throw new AppError('not_found')
  const vault = openLeadVault(secretKey)
  const callsOf = (call: Buffer, redirect: Buffer | null) => {
    const clean = withoutLogIn(redirect === null ? {} : { redirect_url: vault.openText(redirect) })
    return madeCall
      .array()
      .parse(JSON.parse(vault.openText(call)))
      .map((one) => maskCall(one, clean))
  }
  const rounds = test.trace as { at: string; considered: Considered[]; send: string | null }[] // as `reserve` and `endRound` write them
  const sends = new Map((await listTestSends(db, test.id)).map((one) => [one.uuid, one]))
  const products = await nameMembers(db, [...new Set(rounds.flatMap(({ considered }) => considered.map(({ memberId }) => memberId)))])
  const ended = LEAD_STATUSES.find((status) => test.status === 'test' && status === test.reason)
  return {
    session: { uuid: test.uuid, id: test.id },
    at: test.received_at.toISOString(),
    // what it came to stands as the reason of a test
    outcome: ended ?? test.status,
    reason: ended === undefined ? test.reason : '',
    rounds: rounds.map(({ at, considered, send }) => {
      const made = send === null ? undefined : sends.get(send)
      return {
        at,
        considered: considered.map(({ memberId, check, detail }) => ({
          product: products.get(memberId) ?? null,
          check,
          detail: Object.fromEntries(Object.entries(detail).map(([name, value]) => [name, String(value)])),
        })),
        send:
          made === undefined
            ? null
            : {
                product: { uuid: made.product_uuid, id: made.product_id, name: made.product },
                advertiser: { uuid: made.advertiser_uuid, id: made.advertiser_id, name: made.advertiser },
                outcome: made.outcome === null ? null : outcome.parse(made.outcome),
                reason: made.reason,
                extracted: { external_id: made.external_id, redirect: made.redirect !== null },
                calls: made.call === null ? [] : callsOf(made.call, made.redirect),
              },
      }
    }),
  }
}
