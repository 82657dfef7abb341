import { notificationApi } from '#contract/network/notification.ts'
import { isMailSetUp } from '#server/features/network/mail/smtp.queries.ts'
import { implement, type HttpApp, type RouteParts } from '#server/access/implement.ts'
import { AppError } from '#server/platform/errors.ts'
import { choicesOf, choose } from './choice.service.ts'
import { countUnread, listNotifications, readNotification, readNotifications } from './notification.queries.ts'

/** What happened that who asks is to know of. Staff who act as an affiliate read its notifications without marking them. */
export function routes(app: HttpApp, { db }: RouteParts): void {
  const { clock } = app
  implement(app, notificationApi, {
    list: async ({ body, actor }) => {
      const { rows, list } = await listNotifications(db, clock.now(), actor, body)
      const affiliates = actor.affiliateId === null
      return {
        list: list.map(({ at, read_at, affiliate, ...row }) => ({
          ...row,
          at: at.toISOString(),
          read: read_at !== null,
          affiliate: affiliates ? affiliate : null,
        })),
        summary: { rows },
      }
    },

    unread: async ({ actor }) => ({ rows: await countUnread(db, clock.now(), actor.accountId) }),

    read: async ({ params, actor }) => {
      if (actor.acting === null && !(await readNotification(db, actor.accountId, params.uuid, clock.now()))) throw new AppError('not_found')
      return {}
    },

    choices: async ({ actor }) => ({
      ...(await choicesOf(db, actor.accountId, actor.affiliateId === null ? 'staff' : 'affiliate')),
      email: actor.email,
      mail: await isMailSetUp(db),
      time_zone: actor.timeZone,
    }),

    choose: ({ body, actor }) => choose(db, clock.now(), actor, body),

    readAll: async ({ body, actor }) => ({
      changed: actor.acting === null ? await readNotifications(db, actor.accountId, new Date(body.until), clock.now()) : 0,
    }),
  })
}
