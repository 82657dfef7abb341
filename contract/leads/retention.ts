import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { moment } from '#contract/fields.ts'
import { defineSetting } from '#contract/network/define-setting.ts'
import { INTEGRATION_TYPE_KEYS, type IntegrationType } from './integration-type.ts'

/** Whose data is kept for a time of its own: of each kind of leads, and of people who came in a file alone. */
export const RETENTION_KINDS = [...INTEGRATION_TYPE_KEYS, 'file'] as const
export type RetentionKind = IntegrationType | 'file'

/** Fewer would forget leads advertisers still work on. */
export const LEAST_RETENTION_DAYS = 30
/** People who are forgotten in one night; the others follow. */
export const MOST_A_NIGHT = 2_000
/** So many are counted. */
export const MOST_EXPIRED_COUNTED = 10_000

/** Days after the last change of a lead; null = kept. */
const days = z.int().min(LEAST_RETENTION_DAYS, 'At least 30 days').max(3650).nullable()
const fields = Object.fromEntries(RETENTION_KINDS.map((kind) => [kind, days])) as Record<RetentionKind, typeof days> // each kind once

/** After how many days nobody knows any more who somebody was. */
export const retentionSetting = defineSetting(
  'retention',
  { access: 'person.manage', about: 'after how many days people of leads are forgotten', key: 'never' },
  fields,
  Object.fromEntries(RETENTION_KINDS.map((kind) => [kind, null])) as Record<RetentionKind, null>, // each kind once
)
export type Retention = typeof retentionSetting.defaults

export const retentionDaysApi = { read: retentionSetting.read, update: retentionSetting.update }

export const retentionApi = {
  preview: endpoint({
    method: 'POST',
    path: '/api/retention/v1/preview',
    access: 'person.manage',
    reads: true,
    summary: 'How many people would be forgotten tonight by these days, and how many of those past their days are kept, with why.',
    body: z.object(fields),
    response: z.object({
      /** Counted up to 10,000. */
      people: z.int(),
      more: z.boolean(),
      /** Of them, who came first. */
      oldest: moment.nullable(),
      /** Restricted; leads that wait for something; money of affiliates that is open; what advertisers were not billed for or have not paid. */
      kept: z.object({ restricted: z.int(), open: z.int(), unpaid: z.int(), unbilled: z.int() }),
      /** Of whom the clock forgot within the last day. */
      last_night: z.int(),
    }),
  }),
}
