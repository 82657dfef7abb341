import { ticketTemplateApi } from '#contract/network/ticket-template.ts'
import { implement, type HttpApp, type RouteParts } from '#server/access/implement.ts'
import { listTemplates } from './template.queries.ts'
import { changeTemplate, createTemplate, removeTemplate } from './template.service.ts'

/** Answers that staff give often. */
export function routes(app: HttpApp, { db }: RouteParts): void {
  const { clock } = app
  implement(app, ticketTemplateApi, {
    list: async () => ({ list: await listTemplates(db) }),
    create: ({ body, actor }) => createTemplate(db, clock.now(), actor, body),
    update: ({ params, body, actor }) => changeTemplate(db, clock.now(), actor, params.uuid, body),
    remove: async ({ params, actor }) => {
      await removeTemplate(db, clock.now(), actor, params.uuid)
      return {}
    },
  })
}
