import { mailApi } from '#contract/network/mail.ts'
import { mailTemplateApi } from '#contract/network/mail-template.ts'
import { smtpApi } from '#contract/network/smtp.ts'
import { openPanelAddress } from '#server/features/network/domain/address.service.ts'
import { implement, type HttpApp, type RouteParts } from '#server/access/implement.ts'
import { openRecentTries } from '#server/platform/recent-tries.ts'
import { presentMail } from './mail.present.ts'
import { listMail } from './mail.queries.ts'
import { retryMail } from './log.service.ts'
import { checkSmtp, readSmtp, testSmtp, updateSmtp } from './smtp.service.ts'
import { allTemplates, previewTemplate, resetTemplate, updateTemplate } from './template.service.ts'

/** Checks and test messages of one person within ten minutes. */
const MOST_TRIES = 20
const TEN_MINUTES = 10 * 60_000

/** The mail server, the texts of messages, and the log of what was sent. */
export function routes(app: HttpApp, { db, config }: RouteParts): void {
  const { clock } = app
  const limit = openRecentTries(MOST_TRIES, TEN_MINUTES)
  const { secretKey } = config
  const panel = openPanelAddress(config)
  const parts = { db, secretKey, panel }

  implement(app, smtpApi, {
    read: ({ actor }) => readSmtp(db, secretKey, clock.now(), actor),
    update: async ({ body, actor }) => {
      await updateSmtp(db, secretKey, clock.now(), actor, body)
      return readSmtp(db, secretKey, clock.now(), actor)
    },
    check: async ({ body, actor }) => {
      limit(actor.accountId, clock.now())
      return checkSmtp(parts, actor, body)
    },
    test: async ({ body, actor }) => {
      limit(actor.accountId, clock.now())
      return testSmtp(parts, clock.now(), actor, body)
    },
  })
  implement(app, mailTemplateApi, {
    list: async () => ({ list: await allTemplates(db) }),
    update: ({ body, actor }) => updateTemplate(db, clock.now(), actor, body),
    reset: ({ body, actor }) => resetTemplate(db, clock.now(), actor, body),
    preview: ({ body }) => previewTemplate(db, panel, body),
  })
  implement(app, mailApi, {
    list: async ({ body }) => {
      const { rows, list } = await listMail(db, clock.now(), body)
      return { list: list.map(presentMail), summary: { rows } }
    },
    retry: async ({ body, actor }) => ({ queued: await retryMail(db, clock.now(), actor, body.uuids) }),
  })
}
