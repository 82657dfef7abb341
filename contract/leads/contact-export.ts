import { z } from 'zod'
import { bytes, endpoint } from '#contract/endpoint.ts'
import { moment, requiredLine, uuid } from '#contract/fields.ts'
import { revealReason } from './reveal.ts'
import { sessionFilters } from './user-session.ts'

/** A file with contacts is deleted after so many hours; that there was one stays known. */
export const CONTACT_EXPORT_HOURS = 24

/**
 * - *refused*: who asked may not do it any more;
 * - *failed*: what is sealed could not be read;
 * - *deleted*: its hours are over, or who asked deleted it.
 */
const CONTACT_EXPORT_STATES = ['waiting', 'ready', 'refused', 'failed', 'deleted'] as const

/** Why contacts are taken out, in one's own words. It stands in the log: a telephone or an e-mail address has no place there. */
const note = requiredLine(300)
  .min(5, 'Say it in a few words')
  .refine((text) => !/\S@\S|\d(?:[\s().-]*\d){6}/.test(text), 'Leave contacts out: this stands in the log')

const contactExport = z.object({
  uuid,
  created_at: moment,
  state: z.enum(CONTACT_EXPORT_STATES),
  reason: revealReason,
  note: z.string(),
  /** How many leads were asked for; of a file that is made, how many it holds. */
  rows: z.int(),
  /** Until when the file is kept; null while there is none. */
  expires_at: moment.nullable(),
  /** How often it was taken. */
  downloads: z.int(),
})
export type ContactExport = z.output<typeof contactExport>

const quota = {
  /** Of how many leads the caller’s role may export contacts within 24 hours; 0 = of none. */
  most: z.int(),
  /** How many of them are left. */
  left: z.int(),
}

/** Contacts of many leads in the clear, as a file: with a reason, counted, logged, marked with who took it, and deleted after a day. */
export const contactExportApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/contact-export/v1/list',
    access: 'lead.export',
    key: 'never',
    summary: 'The latest files the caller asked for, and of how many more leads they may.',
    response: z.object({ ...quota, list: z.array(contactExport) }),
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/contact-export/v1/create',
    access: 'lead.export',
    key: 'never',
    summary: 'Asks for a file of the leads that filters find in the own scope now. A worker makes it; what is looked for stands in no log.',
    body: z.object({
      ...sessionFilters,
      /** Of them those whose people are in a lead list; nobody of a file is. */
      lead_list_uuid: uuid.nullable().default(null),
      reason: revealReason,
      note,
    }),
    response: contactExport,
  }),
  file: endpoint({
    method: 'POST',
    path: '/api/contact-export/v1/file/:uuid',
    access: 'lead.export',
    key: 'never',
    summary: 'The file as CSV, for who asked for it and nobody else. Logged each time.',
    params: z.object({ uuid }),
    response: bytes,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/contact-export/v1/delete/:uuid',
    access: 'lead.export',
    key: 'never',
    summary: 'Deletes a file of the caller before its time. It counts within 24 hours all the same.',
    params: z.object({ uuid }),
    response: z.object({}),
  }),
}
