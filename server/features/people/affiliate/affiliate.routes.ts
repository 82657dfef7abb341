import type { z } from 'zod'
import { affiliateApi, type affiliate, type affiliateDetail } from '#contract/people/affiliate.ts'
import { AppError } from '#server/platform/errors.ts'
import { implement, type HttpApp } from '#server/access/implement.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { linkAddress } from '../auth/link.queries.ts'
import { listBalances } from '#server/features/money/ledger/ledger.queries.ts'
import { getAffiliate, listAffiliates, type AffiliateRow } from './affiliate.queries.ts'
import { changeAffiliateStatus, createAffiliate, renewPasswordLink, updateAffiliate } from './affiliate.service.ts'

/** Affiliates as staff manage them. */
export function affiliateRoutes(app: HttpApp, { db, publicUrl }: { db: Db; publicUrl: string }): void {
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
      return presentDetail(row, await listBalances(db, [row.id]))
    },

    create: async ({ body, actor }) => {
      const { uuid, id, token } = await createAffiliate(db, clock.now(), actor, body)
      return { uuid, id, link: linkAddress(publicUrl, token) }
    },

    update: async ({ params, body, actor }) => {
      const row = await updateAffiliate(db, clock.now(), actor, params.uuid, body)
      return presentDetail(row, await listBalances(db, [row.id]))
    },

    setStatus: async ({ body, actor }) => ({ changed: await changeAffiliateStatus(db, clock.now(), actor, body.uuids, body.status) }),

    passwordLink: async ({ params, actor }) => ({
      link: linkAddress(publicUrl, await renewPasswordLink(db, clock.now(), actor, params.uuid)),
    }),
  })
}

type ListRow = Awaited<ReturnType<typeof listAffiliates>>['list'][number]

type Balances = Awaited<ReturnType<typeof listBalances>>

function present(row: ListRow, balances: Balances): z.input<typeof affiliate> {
  const { manager_uuid, manager_number, manager_name, ...rest } = row
  return {
    ...rest,
    manager:
      manager_uuid === null || manager_number === null || manager_name === null
        ? null
        : { uuid: manager_uuid, id: manager_number, name: manager_name },
    balance: balances.get(row.id) ?? [],
    created_at: row.created_at.toISOString(),
    last_login_at: row.last_login_at?.toISOString() ?? null,
  }
}

function presentDetail(row: AffiliateRow, balances: Balances): z.input<typeof affiliateDetail> {
  return { ...row, ...present(row, balances) }
}
