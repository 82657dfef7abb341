import { randomInt } from 'node:crypto'
import type { z } from 'zod'
import { leadParts, type apiOfferDetail, type apiOfferForm } from '#contract/leads/api-offer.ts'
import type { leadSimulationInput, LeadSimulation } from '#contract/leads/lead-simulation.ts'
import type { Actor } from '#server/access/actor.ts'
import type { Scope } from '#server/access/scope.ts'
import { listGoals, namesOfAffiliates } from '#server/features/offers/offer/goal.queries.ts'
import { showOffer } from '#server/features/offers/offer/offer-detail.service.ts'
import type { OfferForm } from '#server/features/offers/offer/offer-check.ts'
import { settingsOf } from '#server/rules/lead/integrity/settings.ts'
import { getOffer } from '#server/features/offers/offer/offer.queries.ts'
import { stateOf } from '#server/features/offers/partner-offer/partner-offer.present.ts'
import { getPartnerOffer } from '#server/features/offers/partner-offer/partner-offer.queries.ts'
import { goalsOf } from '#server/features/offers/partner-offer/partner-offer.service.ts'
import { getAffiliate } from '#server/features/people/affiliate/affiliate.queries.ts'
import { AppError } from '#server/platform/errors.ts'
import type { GeoChoices } from '#server/platform/geo/choices.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { leaveFields } from '#server/platform/pg/fields.ts'
import { allOpenAt, blockOf, orderOf, type CascadeMember } from '#server/rules/lead/cascade.ts'
import { memberPriceFor } from '#server/rules/lead/member-price.ts'
import { presentMember, presentPartnerLeads } from './api-offer.present.ts'
import { listGroups, listMembers, readCascade, type Cascade } from './cascade.queries.ts'
import { getLeadFields } from './lead-parts.queries.ts'

/** One API offer with everything the caller may know of it. Throws `not_found`. */
export async function showApiOffer(
  db: Db,
  geo: GeoChoices,
  now: number,
  scope: Scope,
  key: string,
): Promise<z.input<typeof apiOfferDetail>> {
  const offer = await showOffer(db, geo, now, scope, key)
  const fields = await getLeadFields(db, offer.id)
  if (fields === undefined) throw new AppError('not_found')
  const [groups, members] = offer.editable ? [await listGroups(db, offer.id), await listMembers(db, [offer.id])] : [[], []]
  const cascade = offer.editable ? await readCascade(db, offer.id, now) : undefined
  const asked = new Map((cascade?.groups ?? []).flatMap((group) => group.members.map((member) => [member.id, member])))
  const ids = [...new Set(members.flatMap(({ terms }) => terms.affiliates.ids))]
  const people = await namesOfAffiliates(db, scope, ids)
  const known = new Map(people.map(({ id, uuid, name, own }) => [id, { id, uuid, name: own ? name : '' }]))
  return {
    ...offer,
    ...fields,
    integrity: settingsOf(fields.integrity),
    groups: groups.map(({ id, strategy, least_sample, explore }) => ({
      strategy,
      least_sample,
      explore,
      members: members
        .filter(({ group_id }) => group_id === id)
        .flatMap((row) => {
          // one that came between the two questions is there the next time
          const member = asked.get(row.id)
          return member === undefined ? [] : [presentMember(row, now, member, known)]
        }),
    })),
  }
}

/** The form of an API offer as offers of either type are saved. */
export function formOfLeads(input: z.output<typeof apiOfferForm>): OfferForm {
  return { ...leaveFields(input, leadParts.shape), advertiser_uuid: null, leads: leadParts.parse(input) }
}

/**
 * Who would be asked to take a lead, by the rules that send one, upon the rows as they are now. Throws `not_found`,
 * `unknown_reference` for an affiliate out of scope.
 */
export async function simulateLead(
  db: Db,
  now: number,
  actor: Actor,
  key: string,
  input: z.output<typeof leadSimulationInput>,
): Promise<LeadSimulation> {
  const offer = await getOffer(db, actor.scope, key)
  // it names advertisers and prices
  if (!offer?.editable) throw new AppError('not_found')
  const affiliate = await getAffiliate(db, actor.scope, input.affiliate_uuid)
  if (affiliate === undefined) throw new AppError('unknown_reference', { fields: { affiliate_uuid: 'Choose an affiliate of yours' } })
  const at = input.at === undefined ? now : Date.parse(input.at)
  const cascade = await readCascade(db, offer.id, at)
  if (cascade === undefined) throw new AppError('not_found')
  const draw = input.draw ?? randomInt(2 ** 32) / 2 ** 32
  const lead = {
    at,
    country: input.geo,
    affiliateId: affiliate.id,
    sub1: input.sub1,
    seenBy: new Map<number, number>(),
    consentTo: null,
    draw,
  }
  const goals = await listGoals(db, [offer.id])
  return {
    at: new Date(at).toISOString(),
    draw,
    refused: await refusalOf(db, offer, affiliate, input.geo, at),
    members: inOrder(cascade, lead).map(({ member, ...found }) => ({
      ...found,
      prices: goals.flatMap(({ code }) => {
        const row = memberPriceFor(member.prices, code, input.geo)
        return row === null ? [] : [{ goal: code, price: row.price, payout: row.payout }]
      }),
    })),
    kept_until: keptUntil(cascade, lead),
  }
}

type Lead = Parameters<typeof blockOf>[1]
type Member = Cascade['groups'][number]['members'][number]

function inOrder({ groups }: Cascade, lead: Lead) {
  const known = new Map<CascadeMember, { member: Member; group: number }>(
    groups.flatMap((group, at) => group.members.map((member) => [member, { member, group: at + 1 }] as const)),
  )
  let asked = false
  let ended = false
  return orderOf(groups, lead.draw).flatMap((one) => {
    const found = known.get(one)
    if (found === undefined) return []
    const { member, group } = found
    const blocked = blockOf(member, lead, new Set())
    const turn = blocked !== null ? ('passed_over' as const) : ended ? ('never' as const) : asked ? ('next' as const) : ('first' as const)
    if (blocked === null) {
      asked = true
      ended ||= member.onReject === 'stop'
    }
    return [
      {
        member,
        uuid: member.uuid,
        product: { uuid: member.productUuid, id: member.productId, name: member.title },
        advertiser: { uuid: member.advertiserUuid, id: member.advertiserId, name: member.advertiser },
        group,
        turn,
        check: blocked?.check ?? null,
        detail: Object.fromEntries(Object.entries(blocked?.detail ?? {}).map(([name, value]) => [name, String(value)])),
      },
    ]
  })
}

/** Until when a lead nobody takes now waits: for who opens in time, or whose limit begins anew. */
function keptUntil({ groups, waitHours }: Cascade, lead: Lead): string | null {
  const members = groups.flatMap((group) => group.members)
  const blocks = members.map((member) => ({ member, block: blockOf(member, lead, new Set()) }))
  if (waitHours === 0 || blocks.some(({ block }) => block === null)) return null
  const last = lead.at + waitHours * 3_600_000
  const hopeful = blocks.some(({ member, block }) => {
    if (block?.check === 'cap') return true
    if (block?.check !== 'hours') return false
    const opens = allOpenAt(member.hours, lead.at)
    return opens !== null && opens <= last
  })
  return hopeful ? new Date(last).toISOString() : null
}

type Offer = NonNullable<Awaited<ReturnType<typeof getOffer>>>

async function refusalOf(
  db: Db,
  offer: Offer,
  affiliate: { id: number; status: string },
  geo: string,
  at: number,
): Promise<LeadSimulation['refused']> {
  if (offer.status === 'draft' || offer.status === 'archived') return offer.status
  if (affiliate.status !== 'active') return 'affiliate'
  const seen = await getPartnerOffer(db, affiliate.id, offer.uuid)
  if (seen?.access !== 'approved') return 'access'
  const state = stateOf(seen, at)
  if (state !== 'live') return state
  const target = offer.targeting.geo ?? null
  return target !== null && (target.mode === 'include') !== target.values.includes(geo) ? 'country' : null
}

/** What an affiliate has to know of an API offer it may see. Throws `not_found`. */
export async function showPartnerLeads(db: Db, now: number, affiliateId: number, key: string) {
  const offer = await getPartnerOffer(db, affiliateId, key)
  const cascade = offer === undefined ? undefined : await readCascade(db, offer.id, now)
  if (offer === undefined || cascade === undefined) throw new AppError('not_found')
  const goals = (await goalsOf(db, [offer.id], affiliateId)).get(offer.id) ?? []
  return presentPartnerLeads(cascade, goals, offer.targeting.geo ?? null, affiliateId, now, offer.uuid)
}
