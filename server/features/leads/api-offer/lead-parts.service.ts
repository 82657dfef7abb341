import { OPEN_TERMS, type LeadParts, type MemberPrice } from '#contract/leads/api-offer.ts'
import type { Scope } from '#server/access/scope.ts'
import { AppError, type FieldErrors } from '#server/platform/errors.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'
import { settingsOf } from '#server/rules/lead/integrity/settings.ts'
import { goalsLeft } from '#server/rules/lead/member-price.ts'
import { amountText, type Currency } from '#contract/money/amount.ts'
import { counterKey, countBefore, windowsOf } from './cap-window.queries.ts'
import { listGroups, listMembers, pricesAt, type MemberRow } from './cascade.queries.ts'
import { affiliateUuids, dropGroups, findProducts, getLeadFields, saveGroups, saveLeadFields, saveMembers } from './lead-parts.queries.ts'

/** What of an offer is about leads, in the words of its form. */
export async function readLeadParts(db: DbOrTrx, offerId: number): Promise<LeadParts> {
  const fields = await getLeadFields(db, offerId)
  const groups = await listGroups(db, offerId)
  const members = await listMembers(db, [offerId])
  const uuids = await affiliateUuids(db, [...new Set(members.flatMap(({ terms }) => terms.affiliates.ids))])
  return {
    ...(fields ?? { integration_type: 'generic', wait_hours: 0, repeat_days: null, consent: NO_CONSENT, thank_you_url: '' }),
    integrity: settingsOf(fields?.integrity ?? {}),
    groups: groups.map(({ id, strategy, least_sample, explore }) => ({
      strategy,
      least_sample,
      explore,
      members: members
        .filter(({ group_id }) => group_id === id)
        .map(({ product_uuid, weight, paused, terms: { affiliates, ...terms } }) => ({
          product_uuid,
          weight,
          paused,
          ...terms,
          affiliates: { mode: affiliates.mode, affiliate_uuids: affiliates.ids.flatMap((id) => uuids.get(id) ?? []) },
        })),
    })),
  }
}

type Ids = { affiliates: ReadonlyMap<string, number>; products: ReadonlyMap<string, number> }

/** Replaces what of a locked offer is about leads; a limit that is new counts what was sent in its period before. */
export async function replaceLeadParts(
  db: DbOrTrx,
  offerId: number,
  { groups, ...fields }: LeadParts,
  ids: Ids,
  now: number,
): Promise<void> {
  const limited = new Set((await listMembers(db, [offerId])).flatMap((row) => windowsOf(row, now)).map(counterKey))
  await saveLeadFields(db, offerId, fields)
  const groupIds = await saveGroups(
    db,
    offerId,
    groups.map(({ strategy, least_sample, explore }, place) => ({ place, strategy, least_sample, explore })),
  )
  const members = groups.flatMap((group, at) =>
    group.members.map(({ product_uuid, weight, paused, affiliates, ...terms }, place) => ({
      group_id: groupIds.get(at) ?? 0,
      product_id: ids.products.get(product_uuid) ?? 0,
      place,
      weight,
      paused,
      terms: {
        ...OPEN_TERMS,
        ...terms,
        // one amount has one text, so that histories show no change where there is none
        prices: terms.prices.map((row) => ({
          ...row,
          price: amountText(row.price),
          payout: row.payout === null ? null : amountText(row.payout),
        })),
        affiliates: { mode: affiliates.mode, ids: affiliates.affiliate_uuids.flatMap((uuid) => ids.affiliates.get(uuid) ?? []) },
      },
    })),
  )
  await saveMembers(db, offerId, members)
  await dropGroups(db, offerId, groups.length)
  const set = (await listMembers(db, [offerId])).flatMap((row) =>
    windowsOf(row, now).flatMap((window) => (limited.has(counterKey(window)) ? [] : [{ window, productId: row.product_id, offerId }])),
  )
  await countBefore(db, set)
}

const NO_CONSENT = { mode: 'off' as const, fields: [] }

/** The affiliates its members name. */
export function affiliatesIn(leads: LeadParts | undefined): string[] {
  return leads?.groups.flatMap(({ members }) => members.flatMap(({ affiliates }) => affiliates.affiliate_uuids)) ?? []
}

/** The numbers of the affiliates the members of an offer name already. */
export async function affiliatesOfMembers(db: DbOrTrx, offerId: number): Promise<number[]> {
  return (await listMembers(db, [offerId])).flatMap(({ terms }) => terms.affiliates.ids)
}

/** What products pay in their places in an offer, and what for. */
export function pricesIn(members: readonly MemberRow[]): MemberPrice[] {
  return members.flatMap(pricesAt)
}

/**
 * The numbers of the products a form names: those in scope that are active and took a test, of the offer's kind, and whatever it has
 * already. Throws `unknown_reference` with each that may not stand in it, and for whom it would be none of theirs without one.
 */
export async function productsFor(
  db: DbOrTrx,
  scope: Scope,
  leads: LeadParts,
  offer: { id: number | null; currency: Currency; goals: readonly { code: string }[] },
): Promise<Map<string, number>> {
  const uuids = leads.groups.flatMap(({ members }) => members.map(({ product_uuid }) => product_uuid))
  if (uuids.length === 0 && scope.kind !== 'all')
    throw new AppError('unknown_reference', { fields: { groups: 'Add a product of an advertiser of yours' } })
  const found = new Map((await findProducts(db, scope, uuids, offer.id)).map((row) => [row.uuid, row]))
  const goals = offer.goals.map(({ code }) => code)
  const fields: FieldErrors = {}
  leads.groups.forEach(({ members }, at) =>
    members.forEach(({ product_uuid, geos, prices }, place) => {
      const row = found.get(product_uuid)
      const path = `groups.${at}.members.${place}`
      if (row === undefined) fields[`${path}.product_uuid`] = 'Choose a product of an advertiser of yours'
      else if (row.type !== leads.integration_type && row.type !== 'generic')
        fields[`${path}.product_uuid`] = 'This product takes leads of another kind'
      else if (!row.had && row.status !== 'active') fields[`${path}.product_uuid`] = 'This product is not active'
      else if (!row.had && !row.ready) fields[`${path}.product_uuid`] = 'This product took no test lead yet: test it first'
      // an amount is booked in the currency of the offer, whichever it was meant in
      else if (row.currency !== offer.currency && goalsLeft(prices, row, goals).length > 0)
        fields[`${path}.product_uuid`] = `Its prices are in ${row.currency}, this offer is in ${offer.currency}`
      const beyond = row === undefined || row.geos.length === 0 ? [] : geos.filter((geo) => !row.geos.includes(geo))
      if (beyond.length > 0) fields[`${path}.geos`] = 'The product takes no leads from some of these countries'
    }),
  )
  if (Object.keys(fields).length > 0) throw new AppError('unknown_reference', { fields })
  return new Map([...found].map(([uuid, { id }]) => [uuid, id]))
}

/** The members of offers, by offer: what activating one looks at. */
export async function leadsOf(db: DbOrTrx, offerIds: readonly number[]): Promise<(offerId: number) => MemberRow[]> {
  const members = Map.groupBy(await listMembers(db, offerIds), ({ offer_id }) => offer_id)
  return (offerId) => members.get(offerId) ?? []
}

/** Refuses an active offer of these members where nobody takes its leads. Throws `offer_incomplete`. */
export function refuseUnsold(members: readonly MemberRow[]): void {
  if (members.some((row) => !row.paused && row.status === 'active' && row.advertiser_status === 'active' && row.ready)) return
  throw new AppError('offer_incomplete', { fields: { groups: 'An active offer needs a tested product that takes its leads' } })
}
