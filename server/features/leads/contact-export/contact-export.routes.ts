import { contactExportApi } from '#contract/leads/contact-export.ts'
import { implement, type HttpApp, type RouteParts } from '#server/access/implement.ts'
import { attachmentOf } from '#server/platform/files/document.ts'
import { askForExport, removeExport, showExports, takeFile } from './contact-export.service.ts'

/** Contacts of many leads in the clear, as files. */
export function routes(app: HttpApp, { db, config }: RouteParts): void {
  const { clock } = app
  const parts = { db, secretKey: config.secretKey }
  implement(app, contactExportApi, {
    list: ({ actor }) => showExports(db, clock.now(), actor),
    create: ({ body, actor }) => askForExport(parts, clock.now(), actor, body),
    file: async ({ params, actor, reply }) => {
      const { name, bytes } = await takeFile(parts, clock.now(), actor, params.uuid)
      reply.type('text/csv; charset=utf-8').headers({ 'content-disposition': attachmentOf(name), 'cache-control': 'no-store' })
      return new Uint8Array(bytes)
    },
    remove: async ({ params, actor }) => {
      await removeExport(db, clock.now(), actor, params.uuid)
      return {}
    },
  })
}
