import { z } from 'zod'
import { byUuid, countryCode, line, moment, reference, uuid } from '#contract/fields.ts'

/** A lead that is only thought of. */
export const leadSimulationInput = z.object({
  affiliate_uuid: byUuid.shape.uuid,
  geo: countryCode,
  sub1: line(100).default(''),
  /** Absent = now. */
  at: moment.refine((text) => text >= '2000' && text < '2101', 'Choose a day from 2000 to 2100').optional(),
  /** Decides what is left to chance; absent = drawn. */
  draw: z.number().min(0).lt(1).optional(),
})

/** Why an offer takes no lead from somebody, before any product is looked at. */
export const LEAD_REFUSALS = ['draft', 'paused', 'stopped', 'archived', 'upcoming', 'over', 'affiliate', 'access', 'country'] as const

/** What is checked of a product, in this order; `cascade.ts` says how. */
export const LEAD_CHECKS = [
  'state',
  'credit_blocked',
  'geo',
  'affiliate',
  'sub',
  'fields',
  'hours',
  'cap',
  'rejections',
  'repeat',
  'suppressed',
  'consent',
  'tried',
] as const

export const leadSimulation = z.object({
  at: moment,
  draw: z.number(),
  refused: z.enum(LEAD_REFUSALS).nullable(),
  /** Every product in the order it would be asked in. */
  members: z.array(
    z.object({
      uuid,
      product: reference,
      advertiser: reference,
      /** Place of its group, from 1. */
      group: z.int(),
      /** first: is asked; next: is asked where those before refuse; never: one before would end the search; passed_over: by `check`. */
      turn: z.enum(['first', 'next', 'never', 'passed_over']),
      check: z.enum(LEAD_CHECKS).nullable(),
      /** The figures of the check. */
      detail: z.record(z.string(), z.string()),
      /** What it would bring and cost, goal by goal, where it says so. */
      prices: z.array(z.object({ goal: z.string(), price: z.string(), payout: z.string().nullable() })),
    }),
  ),
  /** Without anybody to ask: until when it is kept, and when somebody opens. */
  kept_until: moment.nullable(),
})
export type LeadSimulation = z.output<typeof leadSimulation>
