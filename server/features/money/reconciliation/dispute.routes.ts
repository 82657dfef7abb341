import { disputeApi } from '#contract/money/dispute.ts'
import { implement, type HttpApp, type RouteParts } from '#server/access/implement.ts'
import { attachmentOf } from '#server/platform/files/document.ts'
import { makePack } from './dispute/dispute.service.ts'

/** What an advertiser is shown of the differences with its report. */
export function routes(app: HttpApp, { db }: RouteParts): void {
  const { clock } = app
  implement(app, disputeApi, {
    pack: async ({ params, body, actor, reply }) => {
      const { name, bytes } = await makePack(db, clock.now(), actor, params.uuid, body.cause)
      reply.type('application/zip').headers({ 'content-disposition': attachmentOf(name), 'cache-control': 'private, no-store' })
      return new Uint8Array(bytes)
    },
  })
}
