import type { z } from 'zod'
import type { offerApi } from '#contract/offers/offer.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Scope } from '#server/access/scope.ts'
import { levelsFor } from '#server/features/traffic/cap/level.service.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { findAffiliate, listAffiliateCaps } from './partner-offer.queries.ts'

type Answer = z.input<typeof offerApi.affiliateCaps.response>

/** One page of the caps that hold for an affiliate in scope, and how far each is filled now. Throws `not_found`. */
export async function affiliateCaps(
  db: Db,
  now: number,
  scope: Scope,
  { affiliate_uuid, ...filters }: z.output<typeof offerApi.affiliateCaps.body>,
): Promise<Answer> {
  const affiliateId = await findAffiliate(db, scope, affiliate_uuid)
  if (affiliateId === undefined) throw new AppError('not_found')
  const { rows, list } = await listAffiliateCaps(db, affiliateId, filters)
  const levels = await levelsFor(db, now, list, affiliateId)
  return {
    list: levels.map(({ row: { uuid, id, title, currency, time_zone, cap }, used, percent }) => ({
      offer: { uuid, id, name: title },
      currency,
      time_zone,
      ...cap,
      used,
      percent,
    })),
    summary: { rows },
  }
}
