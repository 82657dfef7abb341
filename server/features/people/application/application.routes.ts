import { applicationApi } from '#contract/people/application.ts'
import { implement, type HttpApp, type RouteParts } from '#server/access/implement.ts'
import { listAcceptedBy } from '#server/features/network/legal/legal.queries.ts'
import { openPanelAddress } from '#server/features/network/domain/address.service.ts'
import { openMailQueue } from '#server/features/network/mail/queue.service.ts'
import { AppError } from '#server/platform/errors.ts'
import { isoDates } from '#server/platform/iso-dates.ts'
import { getAffiliate } from '../affiliate/affiliate.queries.ts'
import { findBroughtBy } from '../referral/referral.queries.ts'
import { findApplication } from './application.queries.ts'
import { sendConfirmation } from './application.service.ts'
import { listInvitations } from './invitation.queries.ts'
import { invite, revokeInvitation } from './invitation.service.ts'

/** Applications of affiliates who signed up, and invitations to do so. */
export function routes(app: HttpApp, { db, config }: RouteParts): void {
  const { clock } = app
  const post = { mail: openMailQueue(config.secretKey), publicUrl: config.publicUrl, panel: openPanelAddress(config) }
  implement(app, applicationApi, {
    get: async ({ params, actor }) => {
      const affiliate = await getAffiliate(db, actor.scope, params.uuid)
      if (affiliate === undefined) throw new AppError('not_found')
      const [found, accepted, brought = null] = await Promise.all([
        findApplication(db, affiliate.id),
        listAcceptedBy(db, affiliate.id),
        findBroughtBy(db, actor.scope, affiliate.id),
      ])
      return { application: found === undefined ? null : { ...isoDates(found), brought, accepted: accepted.map(isoDates) } }
    },

    resend: async ({ params, actor }) => {
      await sendConfirmation(db, clock.now(), actor, post, params.uuid)
      return {}
    },

    invite: ({ body, actor }) => invite(db, clock.now(), actor, post, body),

    invitations: async ({ body, actor }) => {
      const { rows, list } = await listInvitations(db, actor.scope, clock.now(), body)
      return { list: list.map(isoDates), summary: { rows } }
    },

    revoke: async ({ params, actor }) => {
      await revokeInvitation(db, clock.now(), actor, params.uuid)
      return {}
    },
  })
}
