import { staffProfileApi } from '#contract/people/own-profile.ts'
import { implement, type HttpApp, type RouteParts } from '#server/access/implement.ts'
import { readStaffProfile, updateStaffProfile } from './staff-profile.service.ts'

/** What admin and head see and change of themselves. */
export function routes(app: HttpApp, { db }: RouteParts): void {
  const { clock } = app
  implement(app, staffProfileApi, {
    get: ({ actor }) => readStaffProfile(db, clock.now(), actor),
    update: async ({ body, actor }) => {
      await updateStaffProfile(db, clock.now(), actor, body)
      return readStaffProfile(db, clock.now(), actor)
    },
  })
}
