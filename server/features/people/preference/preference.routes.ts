import { preferenceApi } from '#contract/people/preference.ts'
import { implement, type HttpApp, type RouteParts } from '#server/access/implement.ts'
import { getPreferences, savePreferences } from './preference.service.ts'

/** How people like the panel to be. */
export function routes(app: HttpApp, { db }: RouteParts): void {
  const { clock } = app
  implement(app, preferenceApi, {
    get: ({ actor }) => getPreferences(db, actor),

    save: async ({ body, actor }) => {
      await savePreferences(db, clock.now(), actor, body)
      return getPreferences(db, actor)
    },
  })
}
