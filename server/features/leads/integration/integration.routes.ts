import { integrationApi } from '#contract/leads/integration.ts'
import { INTEGRATION_TYPE_KEYS } from '#contract/leads/integration-type.ts'
import { implement, type HttpApp, type RouteParts } from '#server/access/implement.ts'
import { AppError } from '#server/platform/errors.ts'
import { INTEGRATION_PRESETS } from '#server/rules/lead/integration/preset/preset.ts'
import { judgeAnswer } from '#server/rules/lead/integration/read-answer.ts'
import { presentFullVersion, presentIntegration } from './integration.present.ts'
import { getIntegration, getVersion, listIntegrations } from './integration.queries.ts'
import {
  createIntegration,
  discardDraft,
  publishIntegration,
  saveDraft,
  setIntegrationStatus,
  showIntegration,
  updateIntegration,
} from './integration.service.ts'
import { previewCalls } from './try.service.ts'
import { mapWord, showWords } from './word.service.ts'

/** How advertisers' systems take leads. */
export function routes(app: HttpApp, { db }: RouteParts): void {
  const { clock } = app

  implement(app, integrationApi, {
    list: async ({ body }) => {
      const { rows, list } = await listIntegrations(db, body)
      return { list: list.map(presentIntegration), summary: { rows } }
    },
    get: ({ params }) => showIntegration(db, params.uuid),
    version: async ({ params, query }) => {
      const row = await getIntegration(db, params.uuid)
      const version = row === undefined ? undefined : await getVersion(db, row.id, query.number)
      if (version === undefined) throw new AppError('not_found')
      return presentFullVersion(version)
    },
    presets: async () => ({
      list: INTEGRATION_PRESETS.map(({ key, name, types, notes }) => ({
        key,
        name,
        types: INTEGRATION_TYPE_KEYS.filter((type) => types.includes(type)),
        notes,
      })),
    }),
    create: ({ body, actor }) => createIntegration(db, clock.now(), actor, body),
    update: ({ params, body, actor }) => updateIntegration(db, clock.now(), actor, params.uuid, body),
    save: ({ params, body, actor }) => saveDraft(db, clock.now(), actor, params.uuid, body),
    publish: ({ params, body, actor }) => publishIntegration(db, clock.now(), actor, params.uuid, body.version),
    discard: ({ params, body, actor }) => discardDraft(db, clock.now(), actor, params.uuid, body.version),
    words: ({ params, body }) => showWords(db, params.uuid, body),
    mapWord: ({ params, body, actor }) => mapWord(db, clock.now(), actor, params.uuid, body),
    setStatus: async ({ body, actor }) => ({ changed: await setIntegrationStatus(db, clock.now(), actor, body) }),
    preview: async ({ body }) => previewCalls(body.spec, body.values),
    simulate: async ({ body }) => {
      const headers = Object.fromEntries(Object.entries(body.answer.headers).map(([name, value]) => [name.toLowerCase(), value]))
      return judgeAnswer({ ...body.answer, headers, failure: '' }, body.response)
    },
  })
}
