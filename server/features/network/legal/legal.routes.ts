import { legalApi, type LegalKind } from '#contract/network/legal.ts'
import { implement, type HttpApp, type RouteParts } from '#server/access/implement.ts'
import { AppError } from '#server/platform/errors.ts'
import { isoDates } from '#server/platform/iso-dates.ts'
import { findCurrentText, findLatestText, findTextVersion, listAcceptances, listTextVersions } from './legal.queries.ts'
import { publishText } from './legal.service.ts'

/** Terms, agreement and privacy policy: for everybody to read, for few to publish. */
export function routes(app: HttpApp, { db }: RouteParts): void {
  const latest = async (kind: LegalKind, language: 'en' | 'uk') => {
    const text = await findLatestText(db, kind, language)
    return { text: text === undefined ? null : isoDates(text), version: text?.version ?? 0, html: text?.html ?? '' }
  }

  implement(app, legalApi, {
    read: async ({ body }) => {
      const text = await findCurrentText(db, body.kind, body.language)
      return { text: text === undefined ? null : isoDates(text) }
    },

    current: ({ body }) => latest(body.kind, body.language),

    publish: async ({ body, actor }) => {
      await publishText(db, app.clock.now(), actor, body)
      return latest(body.kind, body.language)
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
