import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { byUuid, moment, requiredLine } from '#contract/fields.ts'

/** What somebody may look at contacts for; a sentence says more. */
export const REVEAL_REASONS = ['check', 'advertiser', 'affiliate', 'person', 'dispute', 'technical', 'other'] as const
export const revealReason = z.enum(REVEAL_REASONS, 'Choose a reason')
export type RevealReason = z.output<typeof revealReason>

/** Why contacts are looked at, in one's own words beside the reason chosen. */
export const revealNote = requiredLine(300).min(5, 'Say it in a few words')

/** What is told of a person in the clear, in this order; neither the password nor the address they came from. */
export const REVEALED_FIELDS = ['first_name', 'last_name', 'email', 'phone', 'birth_date', 'address', 'zip', 'city', 'comment'] as const

/** Contacts are hidden again after so many minutes. */
export const REVEAL_MINUTES = 5

const quota = {
  /** Of how many leads the caller’s role may look at contacts within 24 hours; 0 = of none. */
  most: z.int(),
  /** How many of them are left. */
  left: z.int(),
  /** When the next one is free again; null while some are left, or none ever is. */
  next_at: moment.nullable(),
}

/** Contacts of people in the clear: with a reason, counted, and logged each time. */
export const revealApi = {
  quota: endpoint({
    method: 'GET',
    path: '/api/reveal/v1/quota',
    access: 'lead.reveal',
    key: 'never',
    summary: 'Of how many more leads the caller may look at contacts now.',
    response: z.object(quota),
  }),
  show: endpoint({
    method: 'POST',
    path: '/api/reveal/v1/show/:uuid',
    access: 'lead.reveal',
    key: 'never',
    summary:
      'The contacts of a lead in the own scope in the clear. Logged with the reason; a lead counts once within 24 hours, however often it is looked at.',
    params: byUuid,
    body: z.object({ reason: revealReason, note: revealNote }),
    response: z.object({
      ...quota,
      /** What is known of the person, by its name; what is not is left out. */
      contacts: z.partialRecord(z.enum(REVEALED_FIELDS), z.string()),
    }),
  }),
}
