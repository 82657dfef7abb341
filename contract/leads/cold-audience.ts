import { z } from 'zod'
import { countryCode, day, requiredLine, uuid } from '#contract/fields.ts'
import { conversionStatus } from '#contract/traffic/conversion.ts'
import { CALL_STATUSES } from './call-status.ts'
import { INTEGRATION_TYPE_KEYS } from './integration-type.ts'
import { leadStatus } from './lead.ts'

/** So many conditions a rule may have in all, so many groups of them, and so many values each. */
export const MOST_CONDITIONS = 30
export const MOST_GROUPS = 10
const MOST_VALUES = 250

/** Nobody has said, or there is none. */
export const NONE = 'none'

const among = { op: z.enum(['in', 'not_in']) }
const some = <Value extends z.ZodType>(value: Value) => z.array(value).min(1, 'Choose at least one').max(MOST_VALUES)
const choice = <const Field extends string, Value extends z.ZodType>(field: Field, value: Value) =>
  z.object({ field: z.literal(field), ...among, values: some(value) })
const number = <const Field extends string>(field: Field, most: number) =>
  z.object({ field: z.literal(field), op: z.enum(['at_least', 'at_most']), value: z.int().min(0).max(most) })
const text = <Field extends z.ZodType>(field: Field) =>
  z.object({ field, op: z.enum(['is', 'is_not', 'contains', 'contains_not']), text: requiredLine(255) })
const word = requiredLine(100)

/** Fields whose values are chosen of a list that never changes. */
export const COLD_STATUS_FIELDS = {
  session_status: leadStatus.options,
  call_status: [NONE, ...CALL_STATUSES],
  conversion_status: [NONE, ...conversionStatus.options],
  integration_type: INTEGRATION_TYPE_KEYS,
  gender: ['male', 'female', 'other', 'unknown'],
} as const
/** Fields that name people and things of the network by their uuids. */
export const COLD_REFERENCE_FIELDS = ['affiliate', 'manager', 'offer', 'rejected_by_advertiser', 'rejected_by_product', 'list'] as const
export type ColdReferenceField = (typeof COLD_REFERENCE_FIELDS)[number]
export const COLD_NUMBER_FIELDS = ['age_days', 'last_send_days', 'sends'] as const
export const COLD_SUBS = ['sub1', 'sub2', 'sub3', 'sub4', 'sub5', 'sub6', 'sub7', 'sub8', 'sub9', 'sub10'] as const
/** Fields that are compared with a text. */
export const COLD_TEXT_FIELDS = ['reject_reason', ...COLD_SUBS] as const

/** What a rule may ask of a lead, in the order in which it is offered. */
export const COLD_FIELDS = [
  'registered',
  'age_days',
  'last_send_days',
  'sends',
  'affiliate',
  'manager',
  'offer',
  'integration_type',
  'rejected_by_advertiser',
  'rejected_by_product',
  'reject_reason',
  'session_status',
  'call_status',
  'goal',
  'conversion_status',
  'country',
  'language',
  'gender',
  'os',
  'device',
  ...COLD_SUBS,
  'list',
] as const
export type ColdField = (typeof COLD_FIELDS)[number]

/**
 * One thing asked of a lead. `registered`: its day in the network’s zone; `last_send_days` at least N: nobody was offered the person within
 * N days, at most N: somebody was; `sends`: how often they were offered; `rejected_by_…`, `reject_reason`: by advertisers of the rule’s
 * scope alone; `list`: is among its people now.
 */
const coldCondition = z.discriminatedUnion(
  'field',
  [
    z.object({ field: z.literal('registered'), op: z.enum(['from', 'until']), day }),
    number('age_days', 3650),
    number('last_send_days', 3650),
    number('sends', 1000),
    choice('affiliate', uuid),
    choice('manager', uuid),
    choice('offer', uuid),
    choice('rejected_by_advertiser', uuid),
    choice('rejected_by_product', uuid),
    choice('list', uuid),
    choice('integration_type', z.enum(COLD_STATUS_FIELDS.integration_type)),
    choice('session_status', leadStatus),
    choice('call_status', z.enum(COLD_STATUS_FIELDS.call_status)),
    choice('conversion_status', z.enum(COLD_STATUS_FIELDS.conversion_status)),
    choice('gender', z.enum(COLD_STATUS_FIELDS.gender)),
    choice('country', countryCode),
    choice('language', z.string().regex(/^[a-z]{2}$/, 'Two small letters, such as en')),
    choice('os', word),
    choice('device', word),
    choice('goal', z.string().trim().min(1, 'Required').max(64)),
    text(z.literal('reject_reason')),
    text(z.enum(COLD_SUBS)),
  ],
  { error: 'No lead can be asked for this field' },
)
export type ColdCondition = z.output<typeof coldCondition>

const match = z.enum(['all', 'any'])

/** Whom a rule takes: all or any of some groups, each of all or any of its conditions; without groups everybody. */
export const coldAudience = z
  .object({
    match,
    groups: z
      .array(z.object({ match, conditions: z.array(coldCondition).min(1, 'Add a condition').max(MOST_CONDITIONS) }))
      .max(MOST_GROUPS),
  })
  .refine(({ groups }) => groups.reduce((sum, { conditions }) => sum + conditions.length, 0) <= MOST_CONDITIONS, {
    path: ['groups'],
    message: `At most ${MOST_CONDITIONS} conditions`,
  })
export type ColdAudience = z.output<typeof coldAudience>
