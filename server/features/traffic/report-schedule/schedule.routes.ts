import { reportScheduleApi } from '#contract/traffic/report-schedule.ts'
import { implement, type HttpApp, type RouteParts } from '#server/access/implement.ts'
import { isMailSetUp } from '#server/features/network/mail/smtp.queries.ts'
import { findColleagues, listSchedules } from './schedule.queries.ts'
import { pauseSchedule, presentSchedule, removeSchedule, scheduleReport, sendSchedule } from './schedule.service.ts'

/** The own reports that go out by mail. */
export function routes(app: HttpApp, { db }: RouteParts): void {
  const { clock } = app
  implement(app, reportScheduleApi, {
    list: async ({ actor }) => ({
      list: (await listSchedules(db, actor.accountId)).map(presentSchedule),
      mail: await isMailSetUp(db),
      time_zone: actor.timeZone,
    }),
    people: async ({ body }) => ({ list: await findColleagues(db, body) }),
    create: ({ body, actor }) => scheduleReport(db, clock.now(), actor, body),
    pause: ({ params, body, actor }) => pauseSchedule(db, clock.now(), actor, params.uuid, body.paused),
    sendNow: ({ params, actor }) => sendSchedule(db, clock.now(), actor, params.uuid),
    remove: async ({ params, actor }) => {
      await removeSchedule(db, clock.now(), actor, params.uuid)
      return {}
    },
  })
}
