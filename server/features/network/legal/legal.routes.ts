import { legalApi } from '#contract/network/legal.ts'
import { implement, type HttpApp, type RouteParts } from '#server/access/implement.ts'
import { AppError } from '#server/platform/errors.ts'
import { isoDates } from '#server/platform/iso-dates.ts'
import { findCurrentText, findTextVersion, listAcceptances, listTextVersions } from './legal.queries.ts'
import { cleanText, discardDraft, publishText, readWritten, saveDraft } from './legal.service.ts'

/** Terms, agreement and privacy policy: for everybody to read, for few to publish. */
export function routes(app: HttpApp, { db }: RouteParts): void {
  implement(app, legalApi, {
    read: async ({ body }) => {
      const text = await findCurrentText(db, body.kind, body.language)
      return { text: text === undefined ? null : isoDates(text) }
    },

    current: ({ body }) => readWritten(db, body),

    saveDraft: async ({ body, actor }) => {
      await saveDraft(db, app.clock.now(), actor, body)
      return readWritten(db, body)
    },

    discardDraft: async ({ body, actor }) => {
      await discardDraft(db, app.clock.now(), actor, body)
      return readWritten(db, body)
    },

    preview: async ({ body }) => ({ html: cleanText(body.html) }),

    publish: async ({ body, actor }) => {
      await publishText(db, app.clock.now(), actor, body)
      return readWritten(db, body)
    },

    versions: async ({ body }) => {
      const { rows, list } = await listTextVersions(db, body)
      return { list: list.map(isoDates), summary: { rows } }
    },

    version: async ({ params }) => {
      const text = await findTextVersion(db, params.uuid)
      if (text === undefined) throw new AppError('not_found')
      return isoDates(text)
    },

    acceptances: async ({ body }) => {
      const { rows, list } = await listAcceptances(db, body)
      return { list: list.map(isoDates), summary: { rows } }
    },
  })
}
