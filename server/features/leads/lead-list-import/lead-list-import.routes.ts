import { leadListImportApi } from '#contract/leads/lead-list-import.ts'
import { implement, type HttpApp, type RouteParts } from '#server/access/implement.ts'
import { openRecentTries } from '#server/platform/recent-tries.ts'
import { openTurns } from '#server/platform/turns.ts'
import { cancelImport, undoImport } from './end-import.service.ts'
import { previewImport, readImport, showImport, showImports, showNotTaken, startImport } from './lead-list-import.service.ts'

/** People of lists out of files. */
export function routes(app: HttpApp, { db, config }: RouteParts): void {
  const parts = { db, secretKey: config.secretKey }
  const { clock } = app
  const reads = openRecentTries(60, 3_600_000)
  const previews = openRecentTries(20, 60_000)
  const preview = openTurns(4)
  implement(app, leadListImportApi, {
    read: ({ params, query, body, actor }) => readImport({ ...parts, limit: reads }, clock.now(), actor, params.uuid, query, body),
    preview: ({ params, body, actor }) =>
      preview(actor.accountId, () => previewImport({ ...parts, limit: previews }, clock.now(), actor, params.uuid, body)),
    start: ({ params, body, actor }) => startImport(parts, clock.now(), actor, params.uuid, body),
    get: ({ params, actor }) => showImport(parts, actor, params.uuid),
    list: ({ params, body, actor }) => showImports(db, actor, params.uuid, body),
    rows: ({ params, body, actor }) => showNotTaken(parts, actor, params.uuid, body),
    cancel: async ({ params, actor }) => {
      await cancelImport(db, clock.now(), actor, params.uuid)
      return {}
    },
    undo: ({ params, actor }) => undoImport(parts, clock.now(), actor, params.uuid),
  })
}
