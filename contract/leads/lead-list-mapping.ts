import { z } from 'zod'

/** What a column of a file of people may be. */
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
] as const

/** By field the place of its column; a column that no field names is left out. */
export const leadListMapping = z
  .partialRecord(z.enum(LEAD_LIST_FIELDS), z.int().min(0).max(199))
  .refine((fields) => new Set(Object.values(fields)).size === Object.keys(fields).length, 'Each column once')
export type LeadListMapping = z.output<typeof leadListMapping>

/** What is wrong with a row of a file: which, and which field; never what stood there. */
export const leadListMistake = z.object({ row: z.int(), field: z.string(), code: z.string() })
export type LeadListMistake = z.output<typeof leadListMistake>
