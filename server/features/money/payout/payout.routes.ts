import { paymentSourceApi, payoutApi } from '#contract/money/payout.ts'
import { implement, type HttpApp, type RouteParts } from '#server/access/implement.ts'
import { attachmentOf } from '#server/platform/files/document.ts'
import { cancelFile, makeFile, previewFile } from './file.service.ts'
import { downloadFile, recallFile, releaseFile } from './release.service.ts'
import { applyResult, markArrived, markPayout, previewResult } from './result.service.ts'
import { showFile, showFiles, showPayout, showPayouts } from './show.service.ts'
import { changeSource, createSource, readSources } from './source.service.ts'

/** Payout files and where payments leave from. */
export function routes(app: HttpApp, { db, config: { secretKey } }: RouteParts): void {
  const { clock } = app
  const secret = () => ({ secretKey, now: clock.now() })
  implement(app, paymentSourceApi, {
    list: () => readSources(db),
    create: ({ body, actor }) => createSource(db, clock.now(), actor, body),
    update: ({ params, body, actor }) => changeSource(db, clock.now(), actor, params.uuid, body),
  })
  implement(app, payoutApi, {
    list: ({ body }) => showFiles(db, body),
    get: ({ params, actor }) => showFile(db, clock.now(), actor, params.uuid),
    payments: ({ body }) => showPayouts(db, body),
    preview: ({ body }) => previewFile(db, secret(), body),
    make: async ({ body, actor }) => showFile(db, clock.now(), actor, await makeFile(db, secret(), actor, body)),
    release: async ({ params, body, actor }) => {
      await releaseFile(db, secret(), actor, params.uuid, body)
      return showFile(db, clock.now(), actor, params.uuid)
    },
    download: async ({ params, actor, reply }) => {
      const { name, bytes, isXml } = await downloadFile(db, secret(), actor, params.uuid)
      reply
        .type(isXml ? 'application/xml' : 'text/csv; charset=utf-8')
        .headers({ 'content-disposition': attachmentOf(name), 'cache-control': 'no-store' })
      return new Uint8Array(bytes)
    },
    cancel: async ({ params, actor }) => {
      await cancelFile(db, clock.now(), actor, params.uuid)
      return showFile(db, clock.now(), actor, params.uuid)
    },
    recall: async ({ params, actor }) => {
      await recallFile(db, clock.now(), actor, params.uuid)
      return showFile(db, clock.now(), actor, params.uuid)
    },
    mark: async ({ params, body, actor }) => {
      await markPayout(db, clock.now(), actor, params.uuid, body)
      return showPayout(db, params.uuid)
    },
    arrived: async ({ params, actor }) => {
      await markArrived(db, clock.now(), actor, params.uuid)
      return showFile(db, clock.now(), actor, params.uuid)
    },
    previewResult: ({ body }) => previewResult(db, secret(), body.content),
    applyResult: ({ body, actor }) => applyResult(db, secret(), actor, body),
  })
}
