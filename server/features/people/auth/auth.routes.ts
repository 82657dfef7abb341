import { authApi } from '#contract/people/auth.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Actor } from '#server/access/actor.ts'
import { deviceOf } from '#server/access/device.ts'
import { implement, type HttpApp, type RouteParts } from '#server/access/implement.ts'
import { hashToken } from '#server/platform/secret.ts'
import { openMailQueue } from '#server/features/network/mail/queue.service.ts'
import { isMailSetUp } from '#server/features/network/mail/smtp.queries.ts'
import { openSignIns } from '../sign-in/sign-in.service.ts'
import { openSteps } from '../second-factor/step.service.ts'
import { getAffiliate } from '../affiliate/affiliate.queries.ts'
import { recordAudit } from '../audit/audit.service.ts'
import { actAs, changePassword, setPassword, signIn } from './auth.service.ts'
import { findLink, PASSWORD_LINKS } from './link.queries.ts'
import { askForRecovery } from './recovery.service.ts'
import { getProfile, updateProfile } from './profile.service.ts'
import { listSessions } from './session.queries.ts'
import { endSessions } from './session.service.ts'

/** Sign-in, sessions, own profile and password. */
export function routes(app: HttpApp, { db, config }: RouteParts): void {
  const { clock } = app
  const steps = openSteps(config.secretKey)
  const signIns = openSignIns(config.secretKey)
  const mail = openMailQueue(config.secretKey)
  implement(app, authApi, {
    login: ({ body, request }) => signIn(db, { steps, signIns }, clock.now(), body.email, body.password, deviceOf(request)),

    logout: async ({ actor }) => {
      if (actor !== undefined) await endSessions(db, { token: actor.token })
      return {}
    },

    getAffiliateToken: async ({ body, actor, request }) => {
      const affiliate = await getAffiliate(db, actor.scope, body.uuid)
      if (affiliate === undefined) throw new AppError('not_found')
      const session = await actAs(db, clock.now(), actor, affiliate, deviceOf(request))
      return { token: session.token, uuid: body.uuid, email: affiliate.email, expires_at: session.expiresAt.toISOString() }
    },

    me: ({ actor }) => getProfile(db, actor),

    updateProfile: async ({ body, actor }) => {
      await updateProfile(db, clock.now(), actor, body)
      return getProfile(db, actor)
    },

    changePassword: async ({ body, actor, request }) => {
      refuseWhileActing(actor)
      await changePassword(db, clock.now(), actor, body, { mail, ...deviceOf(request) })
      return {}
    },

    sessions: async ({ actor }) => {
      refuseWhileActing(actor)
      const sessions = await listSessions(db, actor.accountId, clock.now())
      return {
        list: sessions.map((session) => ({
          uuid: session.uuid,
          device: session.device,
          address: session.address,
          created_at: session.created_at.toISOString(),
          last_seen_at: session.last_seen_at.toISOString(),
          current: session.id === actor.sessionId,
          acting_as: session.acting_as,
        })),
      }
    },

    revokeSession: async ({ body, actor }) => {
      refuseWhileActing(actor)
      await db.transaction().execute(async (trx) => {
        if ((await endSessions(trx, { accountId: actor.accountId, uuid: body.uuid })) === 0) throw new AppError('not_found')
        await recordAudit(trx, actor, clock.now(), { action: 'end_session', entity: 'account', entityId: actor.accountId })
      })
      return {}
    },

    passwordRecovery: async ({ body, request }) => {
      await askForRecovery(db, clock.now(), body.email, request.ip)
      return { mail: await isMailSetUp(db) }
    },

    checkLink: async ({ body }) => {
      const link = await findLink(db, hashToken(body.token), clock.now(), PASSWORD_LINKS)
      if (link === undefined) throw new AppError('link_expired')
      return { email: link.email ?? '', setup: link.account_id === null }
    },

    setPassword: ({ body, request }) => setPassword(db, clock.now(), body, { mail, ...deviceOf(request) }),
  })
}

/** Staff who act as an affiliate see its area, not its password and sessions. */
function refuseWhileActing(actor: Actor): void {
  if (actor.acting !== null) throw new AppError('forbidden')
}
