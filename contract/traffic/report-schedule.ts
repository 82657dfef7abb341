import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { line, moment, reference, requiredLine, uuid } from '#contract/fields.ts'
import { reportInput } from './report.ts'

/** How often a report goes out. */
export const SCHEDULE_EVERY = ['day', 'week', 'month'] as const
/** Nobody reads more. */
export const MOST_SCHEDULES = 20
export const MOST_RECIPIENTS = 20
/** A file that is larger is left out; the mail then only leads to the report. */
export const LARGEST_ATTACHMENT = 5 * 1024 * 1024

const person = reference

export const reportSchedule = z.object({
  uuid,
  name: z.string(),
  address: z.string(),
  every: z.enum(SCHEDULE_EVERY),
  day: z.int(),
  hour: z.int(),
  recipients: z.array(person),
  paused: z.boolean(),
  next_at: moment,
  last_at: moment.nullable(),
  last_sent: z.int(),
  /** Why somebody did not get it last; '' where all did. */
  last_problem: z.string(),
})
export type ReportSchedule = z.output<typeof reportSchedule>

/** Reports by mail. Everybody has their own; staff may send them to colleagues, of whom each gets the figures they may see. */
export const reportScheduleApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/report-schedule/v1/list',
    access: 'report.read',
    summary: 'The own scheduled reports.',
    response: z.object({ list: z.array(reportSchedule), mail: z.boolean(), time_zone: z.string() }),
  }),
  people: endpoint({
    method: 'POST',
    path: '/api/report-schedule/v1/people',
    access: 'report.money',
    reads: true,
    summary: 'Colleagues to send a report to, at most 50.',
    body: z.object({ search: line(100).default('') }),
    response: z.object({ list: z.array(person) }),
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/report-schedule/v1/create',
    access: 'report.read',
    summary:
      'Sends a report by mail from now on, at an hour of the own zone; `day` is that of the week (1 = Monday) or of the month. Affiliates send it to themselves only.',
    body: z.object({
      name: requiredLine(60),
      question: reportInput,
      address: line(4000),
      every: z.enum(SCHEDULE_EVERY),
      day: z.int().min(1).max(31).default(1),
      hour: z.int().min(0).max(23),
      /** Nobody named is oneself. */
      recipient_uuids: z.array(uuid).max(MOST_RECIPIENTS).default([]),
    }),
    response: reportSchedule,
  }),
  pause: endpoint({
    method: 'POST',
    path: '/api/report-schedule/v1/pause/:uuid',
    access: 'report.read',
    summary: 'Pauses an own one, or lets it go on from its next time.',
    params: z.object({ uuid }),
    body: z.object({ paused: z.boolean() }),
    response: reportSchedule,
  }),
  sendNow: endpoint({
    method: 'POST',
    path: '/api/report-schedule/v1/send-now/:uuid',
    access: 'report.read',
    summary: 'Sends an own one within a minute, besides its times.',
    params: z.object({ uuid }),
    response: reportSchedule,
  }),
  remove: endpoint({
    method: 'POST',
    path: '/api/report-schedule/v1/remove/:uuid',
    access: 'report.read',
    summary: 'Deletes an own one.',
    params: z.object({ uuid }),
    response: z.object({}),
  }),
}
