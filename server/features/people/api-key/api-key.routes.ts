import { apiKeyApi } from '#contract/people/api-key.ts'
import { scopesFor } from '#server/access/key-rights.ts'
import { deviceOf } from '#server/access/device.ts'
import { implement, type HttpApp, type RouteParts } from '#server/access/implement.ts'
import { openMailQueue } from '#server/features/network/mail/queue.service.ts'
import { ownOnly } from '../auth/own-only.ts'
import { findPerson, openSecrets, stateOf } from '../second-factor/second-factor.service.ts'
import { keysOf, makeKey, revokeOfOther, revokeOwn } from './api-key.service.ts'

/** API keys: one's own, and what staff see of those of others. */
export function routes(app: HttpApp, { db, config }: RouteParts): void {
  const { clock } = app
  const secrets = openSecrets(config.secretKey)
  const mail = openMailQueue(config.secretKey)
  implement(app, apiKeyApi, {
    own: async ({ actor }) => {
      const { on } = await stateOf(db, ownOnly(actor))
      return { list: await keysOf(db, clock.now(), actor.accountId), offered: scopesFor(actor.role), second_factor: on }
    },

    create: ({ body, actor, request }) => makeKey(db, secrets, clock.now(), ownOnly(actor), body, { mail, ...deviceOf(request) }),

    revoke: async ({ params, actor }) => {
      await revokeOwn(db, clock.now(), ownOnly(actor), params.uuid)
      return {}
    },

    of: async ({ params, actor }) => {
      const { accountId } = await findPerson(db, actor, params.uuid)
      return { list: await keysOf(db, clock.now(), accountId) }
    },

    revokeOf: async ({ params, actor }) => {
      await revokeOfOther(db, clock.now(), actor, params.uuid)
      return {}
    },
  })
}
