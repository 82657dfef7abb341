import { revealApi } from '#contract/leads/reveal.ts'
import { implement, type HttpApp, type RouteParts } from '#server/access/implement.ts'
import { revealContacts, showQuota } from './reveal.service.ts'

/** Contacts of leads in the clear. */
export function routes(app: HttpApp, { db, config }: RouteParts): void {
  const parts = { db, secretKey: config.secretKey }
  implement(app, revealApi, {
    quota: ({ actor }) => showQuota(db, app.clock.now(), actor),
    show: ({ params, body, actor, reply }) => {
      reply.header('cache-control', 'no-store')
      return revealContacts(parts, app.clock.now(), actor, params.uuid, body)
    },
  })
}
