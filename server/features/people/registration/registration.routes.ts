import { registrationApi, registrationSetting } from '#contract/people/registration.ts'
import { deviceOf } from '#server/access/device.ts'
import { implement, type HttpApp, type RouteParts } from '#server/access/implement.ts'
import { isMailSetUp } from '#server/features/network/mail/smtp.queries.ts'
import { openMailQueue } from '#server/features/network/mail/queue.service.ts'
import { serveSetting } from '#server/features/network/setting/serve-setting.ts'
import { limitLine } from '../auth/limit.service.ts'
import { askForConfirmation } from '../auth/recovery.service.ts'
import { openVisitCount } from '../referral/visit.service.ts'
import { checkUserData } from './check.service.ts'
import { confirmEmail } from './confirm.service.ts'
import { openForms } from './form-token.ts'
import { openForm } from './form.service.ts'
import { register } from './registration.service.ts'
import { checkRegistration } from './setting.service.ts'

/** Signing up, for whoever is not signed in. */
export function routes(app: HttpApp, { db, config }: RouteParts): void {
  const { clock } = app
  const forms = openForms(config.secretKey)
  const countVisit = openVisitCount()
  const post = { mail: openMailQueue(config.secretKey), publicUrl: config.publicUrl }
  const { settings: _settings, updateSettings: _updateSettings, ...own } = registrationApi
  serveSetting(app, db, registrationSetting, { check: (_trx, values) => checkRegistration(values) })
  implement(app, own, {
    open: async ({ body, request }) => {
      await limitLine(db, clock.now(), 'open_form', request.ip)
      if (body.ref !== '') await countVisit(db, clock.now(), { code: body.ref, ip: request.ip, ua: request.headers['user-agent'] ?? '' })
      return openForm(db, clock.now(), forms, body)
    },

    register: ({ body, request }) => register(db, clock.now(), { forms, post }, body, deviceOf(request)),

    checkUserData: async ({ body, request }) => {
      await limitLine(db, clock.now(), 'check_user_data', request.ip)
      return checkUserData(db, body)
    },

    confirm: ({ body, request }) => confirmEmail(db, clock.now(), post, body.token, request.ip),

    resend: async ({ body, request }) => {
      await askForConfirmation(db, clock.now(), body.email, request.ip)
      return {}
    },

    state: async () => ({ mail: await isMailSetUp(db) }),
  })
}
