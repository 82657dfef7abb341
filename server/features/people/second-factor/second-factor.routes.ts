import { secondFactorApi } from '#contract/people/second-factor.ts'
import { securitySetting } from '#contract/people/security.ts'
import { serveSetting } from '#server/features/network/setting/serve-setting.ts'
import { deviceOf } from '#server/access/device.ts'
import { implement, type HttpApp, type RouteParts } from '#server/access/implement.ts'
import { ownOnly } from '../auth/own-only.ts'
import { signInByCode } from '../auth/auth.service.ts'
import { begin, confirm, findPerson, openSecrets, renewCodes, resetFactor, stateOf, turnOff } from './second-factor.service.ts'
import { checkSecurity } from './security.service.ts'
import { openSignIns } from '../sign-in/sign-in.service.ts'
import { openSteps } from './step.service.ts'

/** The second factor: signing in by it, one's own, and what staff may do for somebody who lost it. */
export function routes(app: HttpApp, { db, config }: RouteParts): void {
  const { clock } = app
  const secrets = openSecrets(config.secretKey)
  const steps = openSteps(config.secretKey)
  const signIns = openSignIns(config.secretKey)
  implement(app, secondFactorApi, {
    signIn: ({ body, request }) => signInByCode(db, { steps, secrets, signIns }, clock.now(), body, deviceOf(request)),

    state: ({ actor }) => stateOf(db, ownOnly(actor)),

    begin: ({ body, actor }) => begin(db, secrets, clock.now(), ownOnly(actor), body.password),

    confirm: async ({ body, actor }) => ({ recovery_codes: await confirm(db, secrets, clock.now(), ownOnly(actor), body.code) }),

    renewCodes: async ({ body, actor }) => ({ recovery_codes: await renewCodes(db, secrets, clock.now(), ownOnly(actor), body) }),

    turnOff: async ({ body, actor }) => {
      await turnOff(db, secrets, clock.now(), ownOnly(actor), body)
      return {}
    },

    of: async ({ params, actor }) => stateOf(db, await findPerson(db, actor, params.uuid)),

    reset: async ({ params, actor }) => {
      await resetFactor(db, config.secretKey, clock.now(), actor, params.uuid)
      return {}
    },
  })
  serveSetting(app, db, securitySetting, { check: checkSecurity })
}
