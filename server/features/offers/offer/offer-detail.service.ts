import type { z } from 'zod'
import type { offerDetail } from '#contract/offers/offer-fields.ts'
import type { Scope } from '#server/access/scope.ts'
import { AppError } from '#server/platform/errors.ts'
import type { GeoChoices } from '#server/platform/geo/choices.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { capLevels } from '#server/features/traffic/cap/level.service.ts'
import { listOfferLandings } from '../landing/offer-landing.queries.ts'
import { listGoals, listPayoutRules, namesOfAffiliates } from './goal.queries.ts'
import { presentOfferDetail } from './offer.present.ts'
import { networkNames } from './network-names.ts'
import { countAccess, getOffer } from './offer.queries.ts'

/** An offer in scope with everything the caller may know of it; `now` says which periods of its caps run. Throws `not_found`. */
export async function showOffer(db: Db, geo: GeoChoices, now: number, scope: Scope, key: string): Promise<z.input<typeof offerDetail>> {
  const row = await getOffer(db, scope, key)
  if (row === undefined) throw new AppError('not_found')
  const [goals, rules, landings, counts, levels] = await Promise.all([
    listGoals(db, [row.id]),
    listPayoutRules(db, [row.id]),
    listOfferLandings(db, [row.id]),
    countAccess(db, row.id),
    capLevels(db, now, row),
  ])
  const affiliates = await namesOfAffiliates(db, scope, [...new Set(rules.flatMap((rule) => rule.affiliate_ids))])
  return presentOfferDetail(row, {
    goals,
    rules,
    landings,
    counts,
    levels,
    affiliates,
    networkNames: await networkNames(geo, [row.targeting]),
  })
}
