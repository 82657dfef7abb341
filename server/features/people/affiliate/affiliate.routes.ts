import { affiliateApi } from '#contract/people/affiliate.ts'
import { affiliateSetting, affiliateSettingApi } from '#contract/people/affiliate-setting.ts'
import { AppError } from '#server/platform/errors.ts'
import { figuresFor } from '#server/features/traffic/report/figures.service.ts'
import { whenGone } from '#server/platform/http/when-gone.ts'
import { isoDates } from '#server/platform/iso-dates.ts'
import { implement, type HttpApp, type RouteParts } from '#server/access/implement.ts'
import { serveSetting } from '#server/features/network/setting/serve-setting.ts'
import { getSetting } from '#server/features/network/setting/setting.queries.ts'
import { openPanelAddress } from '#server/features/network/domain/address.service.ts'
import { openMailQueue } from '#server/features/network/mail/queue.service.ts'
import { listBalances } from '#server/features/money/ledger/balance.service.ts'
import { getAffiliate, listAffiliates, type AffiliateRow } from './affiliate.queries.ts'
import { checkAffiliates } from './setting.service.ts'
import { mailPasswordLinks } from './password-links.service.ts'
import { changeAffiliateStatus, createAffiliate, renewAffiliateLink, undoAffiliateStatus, updateAffiliate } from './affiliate.service.ts'

/** Affiliates as staff manage them. */
export function routes(app: HttpApp, parts: RouteParts): void {
  const {
    db,
    config,
    config: { publicUrl, secretKey },
  } = parts
  const { clock } = app
  const post = { mail: openMailQueue(secretKey), publicUrl, panel: openPanelAddress(config) }

  const withBalance = async (row: AffiliateRow) => isoDates({ ...row, balance: (await listBalances(db, [row.id])).get(row.id) ?? [] })

  serveSetting(app, db, affiliateSetting, { check: checkAffiliates })
  implement(app, { defaults: affiliateSettingApi.defaults }, { defaults: () => getSetting(db, affiliateSetting) })
  implement(app, affiliateApi, {
    list: async ({ body, actor, reply }) => {
      const book = await figuresFor(parts, { now: clock.now(), actor, signal: whenGone(reply) }, 'affiliate', body)
      const { rows, list, ids } = await listAffiliates(db, actor.scope, body, book?.rank)
      const balances = await listBalances(
        db,
        list.map((row) => row.id),
      )
      return {
        list: list.map((row) => isoDates({ ...row, balance: balances.get(row.id) ?? [], figures: book?.of(row.id) ?? null })),
        summary: { rows, totals: book?.totals(ids) },
      }
    },

    get: async ({ params, actor }) => {
      const row = await getAffiliate(db, actor.scope, params.uuid)
      if (row === undefined) throw new AppError('not_found')
      return withBalance(row)
    },

    create: ({ body, actor }) => createAffiliate(db, clock.now(), actor, body, post),

    update: async ({ params, body, actor }) => {
      return withBalance(await updateAffiliate(db, clock.now(), actor, params.uuid, body))
    },

    setStatus: async ({ body, actor }) => ({ changed: await changeAffiliateStatus(db, clock.now(), actor, body, post) }),

    undo: async ({ body, actor }) => ({ changed: await undoAffiliateStatus(db, clock.now(), actor, body) }),

    passwordLinks: ({ body, actor }) => mailPasswordLinks(db, clock.now(), actor, body.uuids, post),

    passwordLink: ({ params, body, actor }) => renewAffiliateLink(db, clock.now(), actor, params.uuid, { way: post, show: body.show }),
  })
}
