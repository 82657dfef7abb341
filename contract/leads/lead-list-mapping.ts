import { z } from 'zod'

/** What a column of a file of people may be. A row needs a telephone or an e-mail address, and a country. */
export const LEAD_LIST_FIELDS = [
  'first_name',
  'last_name',
  'full_name',
  'email',
  'phone',
  'country',
  'language',
  'gender',
  'birth_date',
  'city',
  'zip',
  'address',
  'ip',
  'user_agent',
  'registered_at',
  'consent_at',
  'consent_text',
  /** Advertisers that are named, several by a semicolon or |. */
  'consent_recipients',
] as const
export const leadListField = z.enum(LEAD_LIST_FIELDS)
export type LeadListField = z.output<typeof leadListField>

/** By field the place of its column; a column that no field names is left out. */
export const leadListMapping = z
  .partialRecord(leadListField, z.int().min(0).max(199))
  .refine((fields) => new Set(Object.values(fields)).size === Object.keys(fields).length, 'Each column once')
export type LeadListMapping = z.output<typeof leadListMapping>

/**
 * What is wrong with a row of a file: too long; a formula; control characters or broken ones; more cells than there are columns; no
 * contact; no telephone, address, date … at all; a country nobody named; an agreement without its moment; nothing the database stores.
 */
export const LEAD_LIST_MISTAKES = [
  'too_long',
  'formula',
  'broken',
  'columns',
  'no_contact',
  'phone',
  'email',
  'country',
  'no_country',
  'language',
  'gender',
  'day',
  'moment',
  'ip',
  'no_moment',
  'unstorable',
] as const
export const leadListMistakeCode = z.enum(LEAD_LIST_MISTAKES)
export type LeadListMistakeCode = z.output<typeof leadListMistakeCode>

/** Why a row of a file was not taken, and which field that is about ('' = the row); never what stood there. */
export const leadListMistake = z.object({ row: z.int(), field: z.string(), code: z.string() })
export type LeadListMistake = z.output<typeof leadListMistake>
