import { affiliateApi } from '#contract/people/affiliate.ts'
import { AppError } from '#server/platform/errors.ts'
import { isoDates } from '#server/platform/iso-dates.ts'
import { implement, type HttpApp, type RouteParts } from '#server/access/implement.ts'
import { linkAddress } from '../auth/link.service.ts'
import { listBalances } from '#server/features/money/ledger/balance.service.ts'
import { getAffiliate, listAffiliates, type AffiliateRow } from './affiliate.queries.ts'
import { changeAffiliateStatus, createAffiliate, renewAffiliateLink, updateAffiliate } from './affiliate.service.ts'

/** Affiliates as staff manage them. */
export function routes(app: HttpApp, { db, config: { publicUrl } }: RouteParts): void {
  const { clock } = app
  implement(app, affiliateApi, {
    list: async ({ body, actor }) => {
      const { rows, list } = await listAffiliates(db, actor.scope, body)
      const balances = await listBalances(
        db,
        list.map((row) => row.id),
      )
      return { list: list.map((row) => present(row, balances)), summary: { rows } }
    },

    get: async ({ params, actor }) => {
      const row = await getAffiliate(db, actor.scope, params.uuid)
      if (row === undefined) throw new AppError('not_found')
      return present(row, await listBalances(db, [row.id]))
    },

    create: async ({ body, actor }) => {
      const { uuid, id, token } = await createAffiliate(db, clock.now(), actor, body)
      return { uuid, id, link: linkAddress(publicUrl, token) }
    },

    update: async ({ params, body, actor }) => {
      const row = await updateAffiliate(db, clock.now(), actor, params.uuid, body)
      return present(row, await listBalances(db, [row.id]))
    },

    setStatus: async ({ body, actor }) => ({ changed: await changeAffiliateStatus(db, clock.now(), actor, body) }),

    passwordLink: async ({ params, actor }) => ({
      link: linkAddress(publicUrl, await renewAffiliateLink(db, clock.now(), actor, params.uuid)),
    }),
  })
}

/** An affiliate as staff see it, with what it has and is owed. */
function present(row: AffiliateRow, balances: Awaited<ReturnType<typeof listBalances>>) {
  return { ...isoDates(row), balance: balances.get(row.id) ?? [] }
}
