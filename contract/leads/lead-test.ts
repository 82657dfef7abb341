import { z } from 'zod'
import { byUuid, countryCode, line, moment, reference, uuid } from '#contract/fields.ts'
import { outcome } from './integration-spec.ts'
import { LEAD_CHECKS } from './lead-simulation.ts'
import { leadFields, leadStatus } from './lead.ts'
import { madeCall } from './product.ts'

/** A lead nobody is, which goes the whole way of an offer. What is not told of the person is made up for the country. */
export const leadTestInput = z.object({
  affiliate_uuid: byUuid.shape.uuid,
  country: countryCode,
  sub1: line(100).default(''),
  values: z.object(leadFields).default({}),
})

/** What a test lead came to, round by round. */
export const leadTest = z.object({
  session: z.object({ uuid, id: z.string() }),
  at: moment,
  /** received: it is still being offered. */
  outcome: leadStatus,
  reason: z.string(),
  rounds: z.array(
    z.object({
      at: moment,
      /** Whom the cascade looked at, in its order, up to the one that was asked. */
      considered: z.array(
        z.object({
          product: reference.nullable(),
          check: z.enum(LEAD_CHECKS).nullable(),
          detail: z.record(z.string(), z.string()),
        }),
      ),
      /** null = nobody was left to ask. */
      send: z
        .object({
          product: reference,
          advertiser: reference,
          /** null = it has not answered. */
          outcome: outcome.nullable(),
          reason: z.string(),
          extracted: z.object({ external_id: z.string().nullable(), redirect: z.boolean() }),
          calls: z.array(madeCall),
        })
        .nullable(),
    }),
  ),
})
export type LeadTest = z.output<typeof leadTest>
