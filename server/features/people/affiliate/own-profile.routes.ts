import type { FastifyRequest } from 'fastify'
import { ownProfileApi } from '#contract/people/own-profile.ts'
import { deviceOf } from '#server/access/device.ts'
import { implement, type HttpApp, type RouteParts } from '#server/access/implement.ts'
import { openMailQueue } from '#server/features/network/mail/queue.service.ts'
import { askForEmail, confirmOwnEmail, readOwnProfile, updateOwnProfile } from './own-profile.service.ts'

/** What affiliates see and change of themselves. */
export function routes(app: HttpApp, { db, config: { publicUrl, secretKey } }: RouteParts): void {
  const { clock } = app
  const mail = openMailQueue(secretKey)
  const from = (request: FastifyRequest) => ({ mail, ...deviceOf(request) })
  implement(app, ownProfileApi, {
    get: ({ actor }) => readOwnProfile(db, clock.now(), actor),
    update: async ({ body, actor }) => {
      await updateOwnProfile(db, clock.now(), actor, body)
      return readOwnProfile(db, clock.now(), actor)
    },
    changeEmail: async ({ body, actor, request }) => {
      await askForEmail(db, clock.now(), actor, body, { ...from(request), publicUrl })
      return {}
    },
    confirmEmail: ({ body, actor, request }) => confirmOwnEmail(db, clock.now(), actor, body.token, from(request)),
  })
}
