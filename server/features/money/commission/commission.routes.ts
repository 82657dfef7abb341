import type { FastifyReply } from 'fastify'
import { commissionApi, commissionSetting } from '#contract/money/commission.ts'
import { implement, type HttpApp, type RouteParts } from '#server/access/implement.ts'
import type { File } from '#server/features/money/document/keep.service.ts'
import { serveSetting } from '#server/features/network/setting/serve-setting.ts'
import { attachmentOf } from '#server/platform/files/document.ts'
import { readCommissionCsv, readCommissionPdf, setTerms, showCommission, showMonth } from './commission.service.ts'

/** What managers get of the accounts they look after. */
export function routes(app: HttpApp, { db }: RouteParts): void {
  const { clock } = app
  const { terms: _read, updateTerms: _update, ...api } = commissionApi
  const saved =
    (reply: FastifyReply, type: string) =>
    ({ name, bytes }: File) => {
      reply.type(type).headers({ 'content-disposition': attachmentOf(name), 'cache-control': 'private, no-store' })
      return new Uint8Array(bytes)
    }
  serveSetting(app, db, commissionSetting)
  implement(app, api, {
    list: ({ body }) => showMonth(db, clock.now(), body.month),
    get: ({ body }) => showCommission(db, clock.now(), body),
    pdf: ({ params, reply }) => readCommissionPdf(db, params.uuid).then(saved(reply, 'application/pdf')),
    csv: ({ body, reply }) => readCommissionCsv(db, clock.now(), body.month).then(saved(reply, 'text/csv; charset=utf-8')),
    setTerms: async ({ body, actor }) => {
      await setTerms(db, clock.now(), actor, body)
      return {}
    },
  })
}
