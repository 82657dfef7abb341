import { allowListApi } from '#contract/people/allow-list.ts'
import { signInApi } from '#contract/people/sign-in.ts'
import { implement, type HttpApp, type RouteParts } from '#server/access/implement.ts'
import { ownOnly } from '../auth/own-only.ts'
import { findPerson } from '../second-factor/second-factor.service.ts'
import { allowListOf, saveAllowList } from './allow-list.service.ts'
import { historyOf } from './sign-in.service.ts'

/** Who signed in to an account, and from where its owner may. */
export function routes(app: HttpApp, { db }: RouteParts): void {
  const { clock } = app
  implement(app, signInApi, {
    own: ({ body, actor }) => historyOf(db, clock.now(), ownOnly(actor).accountId, body),

    of: async ({ params, body, actor }) => historyOf(db, clock.now(), (await findPerson(db, actor, params.uuid)).accountId, body),
  })
  implement(app, allowListApi, {
    of: ({ params, actor }) => allowListOf(db, actor, params.uuid),

    save: ({ params, body, actor }) => saveAllowList(db, clock.now(), actor, params.uuid, body),
  })
}
