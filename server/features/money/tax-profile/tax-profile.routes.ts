import { taxProfileApi } from '#contract/money/tax-profile.ts'
import { implement, type HttpApp, type RouteParts } from '#server/access/implement.ts'
import { agree, decide, readOwn, readProfile, saveOwn } from './tax-profile.service.ts'

/** How affiliates are taxed, and their agreement to self-billing. */
export function routes(app: HttpApp, { db }: RouteParts): void {
  const { clock } = app
  implement(app, taxProfileApi, {
    own: ({ actor }) => readOwn(db, actor),
    saveOwn: ({ body, actor }) => saveOwn(db, clock.now(), actor, body),
    agree: ({ body, actor }) => agree(db, clock.now(), actor, body.agreement),
    get: ({ params, actor }) => readProfile(db, actor, params.uuid),
    decide: ({ params, body, actor }) => decide(db, clock.now(), actor, params.uuid, body),
  })
}
