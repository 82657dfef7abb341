import { actingApi } from '#contract/people/acting.ts'
import { implement, type HttpApp, type RouteParts } from '#server/access/implement.ts'
import { changeWhatActingMay } from './acting.service.ts'

/** What staff may do while they act as an affiliate. */
export function routes(app: HttpApp, { db }: RouteParts): void {
  const { clock } = app
  implement(app, actingApi, {
    allowChanges: async ({ body, actor }) => {
      await changeWhatActingMay(db, clock.now(), actor, body.reason)
      return {}
    },

    onlyLook: async ({ actor }) => {
      await changeWhatActingMay(db, clock.now(), actor, null)
      return {}
    },
  })
}
