import type { PartnerChange } from '#contract/offers/partner-change.ts'
import { amountText, toUnits } from '#contract/money/amount.ts'
import { tellAffiliates, tellKeepers } from '#server/features/network/notification/tell.queries.ts'
import type { Trx } from '#server/platform/pg/database.ts'
import type { OfferForm } from '../offer/offer-check.ts'
import { payoutChanges } from './partner-change.service.ts'
import { listReaders } from './partner-offer.queries.ts'

type Offer = { id: number; version: number }
type PayoutChange = Extract<PartnerChange, { kind: 'payout' }>

const MOST_LINES = 3

/**
 * Tells the active affiliates that staff let into an offer what changed at their own resulting terms, and the staff who look after them or
 * the offer what changed for everybody; one save is told once. `before` and `after` are the offer as it was and is saved.
 */
export async function tellPayouts(trx: Trx, now: number, by: number, offer: Offer, before: OfferForm, after: OfferForm): Promise<void> {
  const once = `payout ${offer.id} ${offer.version}`
  const readers = await listReaders(trx, offer.id)
  // whom the same rows name, and who knows the same landings, has the same terms
  const groups = Map.groupBy(readers, ({ uuid, landings }) =>
    JSON.stringify([rowsNaming(before, uuid), rowsNaming(after, uuid), landings.map(({ id }) => id)]),
  )
  const told = [...groups.values()].flatMap((group) => {
    const [reader] = group
    const changes = reader === undefined ? [] : payoutChanges(reader, before.goals, after.goals)
    return changes.length === 0 ? [] : group.map(({ affiliateId }) => ({ affiliateId, reason: linesOf(changes, before, after) }))
  })
  // nobody's number: rows for named affiliates are not for everybody
  const common = payoutChanges({ affiliateId: -1, uuid: '', landings: [] }, before.goals, after.goals)
  if (told.length === 0 && common.length === 0) return
  const notice = { kind: 'payout_changed' as const, offerId: offer.id, once }
  await tellAffiliates(
    trx,
    now,
    told.map((one) => ({ ...notice, ...one })),
  )
  await tellKeepers(
    trx,
    now,
    { ...notice, reason: linesOf(common, before, after) },
    { affiliates: told.map((one) => one.affiliateId), but: by },
  )
}

function rowsNaming({ goals }: OfferForm, uuid: string): string[] {
  return goals.flatMap((goal) =>
    goal.rules.flatMap(({ affiliate_uuids }, position) => (affiliate_uuids.includes(uuid) ? [`${goal.code} ${position}`] : [])),
  )
}

/** `Sale, PL DE: 10 USD → 12 USD`, in no language. */
function linesOf(changes: readonly PayoutChange[], before: OfferForm, after: OfferForm): string {
  const lines = changes.map((one) => {
    const { landings, geos, devices, oses } = one.where
    const where = [landings, geos, devices, oses].filter((list) => list.length > 0).map((list) => list.join(' '))
    return `${[one.goal, ...where].join(', ')}: ${amountOf(one.before, before.currency)} → ${amountOf(one.after, after.currency)}`
  })
  const more = lines.length - MOST_LINES
  return lines.slice(0, MOST_LINES).join('; ') + (more > 0 ? `; +${more}` : '')
}

/** Without the zeros that say nothing: 10, 0.5. */
function shortOf(amount: string): string {
  return amountText(amount).replace(/\.?0+$/, '')
}

function amountOf(terms: PayoutChange['before'], currency: string): string {
  if (terms === null) return '–'
  const share = toUnits(terms.payout_percent) === 0n ? [] : [`${shortOf(terms.payout_percent)} %`]
  const fixed = toUnits(terms.payout_fixed) === 0n && share.length > 0 ? [] : [`${shortOf(terms.payout_fixed)} ${currency}`]
  return [...fixed, ...share].join(' + ')
}
