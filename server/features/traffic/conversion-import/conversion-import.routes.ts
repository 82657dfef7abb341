import { conversionImportApi } from '#contract/traffic/conversion-import.ts'
import { implement, type HttpApp, type RouteParts } from '#server/access/implement.ts'
import { AppError } from '#server/platform/errors.ts'
import { isoDates } from '#server/platform/iso-dates.ts'
import { openRecentTries } from '#server/platform/recent-tries.ts'
import { openClickFinder } from '../click/click.queries.ts'
import { getImport, listImportRows, listImports } from './conversion-import.queries.ts'
import { showWords, teachWord } from './word.service.ts'
import { previewImport, readImport, showImport, startImport, undoImport } from './conversion-import.service.ts'

/** Results of conversions in files. */
export function routes(app: HttpApp, { db, clickhouse }: RouteParts): void {
  const { clock } = app
  const findClick = openClickFinder(clickhouse)
  const limit = openRecentTries(60, 3_600_000)
  const previews = openRecentTries(10, 60_000)
  implement(app, conversionImportApi, {
    words: ({ params, actor }) => showWords(db, actor.scope, params.uuid),
    teach: ({ params, body, actor }) => teachWord(db, clock.now(), actor, params.uuid, body),
    read: ({ query, body, actor }) => readImport({ db, limit }, clock.now(), actor, query, body),
    preview: ({ params, body, actor }) => previewImport({ db, findClick, limit: previews }, clock.now(), actor, params.uuid, body),
    start: ({ params, body, actor }) => startImport(db, clock.now(), actor, params.uuid, body),
    get: ({ params, actor }) => showImport(db, clock.now(), actor, params.uuid),

    list: async ({ body, actor }) => {
      const { rows, list } = await listImports(db, actor, body)
      return { list: list.map((row) => isoDates(row)), summary: { rows } }
    },

    rows: async ({ params, body, actor }) => {
      const found = await getImport(db, actor, params.uuid)
      if (found === undefined) throw new AppError('not_found')
      const { rows, list } = await listImportRows(db, found.id, body)
      return {
        list: list.map(({ uuid, id, ...row }) => ({ ...row, conversion: uuid === null || id === null ? null : { uuid, id } })),
        summary: { rows },
      }
    },

    undo: ({ params, actor }) => undoImport(db, clock.now(), actor, params.uuid),
  })
}
