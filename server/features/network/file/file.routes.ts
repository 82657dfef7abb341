import { fileApi, type FileKind } from '#contract/network/file.ts'
import type { Actor } from '#server/access/actor.ts'
import { implement, type HttpApp, type RouteParts } from '#server/access/implement.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { maySeeDocument } from '#server/features/money/invoice/objection/own-document.service.ts'
import { maySeeLanding } from '#server/features/offers/landing/landing.service.ts'
import { maySeeMessage } from '#server/features/network/ticket/ticket.service.ts'
import { attachmentOf } from '#server/platform/files/document.ts'
import { maySeeNews } from '#server/features/network/news/news.service.ts'
import { findFile } from './file.queries.ts'
import { keepFile, openRefusedLimit } from './file.service.ts'

/** Whether somebody may see the row a file belongs to; each feature with files says so for its kind. */
const MAY_SEE: Readonly<Record<FileKind, (db: Db, actor: Actor, ownerId: number, now: number) => Promise<boolean>>> = {
  landing: maySeeLanding,
  news: maySeeNews,
  ticket: maySeeMessage,
  own_invoice: maySeeDocument,
}

/** Files: uploading them, and showing them to those who may see what they belong to. */
export function routes(app: HttpApp, { db, store }: RouteParts): void {
  const limit = openRefusedLimit()
  implement(app, fileApi, {
    upload: ({ query, body, actor }) => keepFile({ db, store, limit }, app.clock.now(), actor, query, body),

    get: async ({ params, actor, reply }) => {
      const file = /^\d+$/.test(params.uuid) ? undefined : await findFile(db, params.uuid)
      if (file === undefined) throw new AppError('not_found')
      const seen =
        file.owner_id === null ? file.created_by === actor.accountId : await MAY_SEE[file.kind](db, actor, file.owner_id, app.clock.now())
      const content = seen ? await store.read(file.uuid) : null
      if (content === null) throw new AppError('not_found')
      // a file never changes; another one has another address
      reply
        .type(file.content_type)
        .headers({ 'cache-control': 'private, max-age=31536000, immutable', 'content-security-policy': "default-src 'none'; sandbox" })
      // what people send each other is saved and never shown as a page of ours
      if (file.kind === 'ticket' || file.kind === 'own_invoice') reply.header('content-disposition', attachmentOf(file.name))
      return new Uint8Array(content)
    },
  })
}
