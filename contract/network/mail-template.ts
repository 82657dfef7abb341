import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { languageCode, paragraph, requiredLine, version } from '#contract/fields.ts'
import { COMMON_MAIL_MACROS, MAIL_EVENT_NAMES, MAIL_EVENTS, type MailEvent, type MailMacro } from './mail.ts'

const which = { event: z.enum(MAIL_EVENT_NAMES), language: languageCode }
const words = { subject: requiredLine(150), body: paragraph(8_000).min(1, 'Required') }

export const mailTemplate = z.object({
  ...which,
  subject: z.string(),
  body: z.string(),
  /** Whether these are the network's own words and not the usual ones. */
  own: z.boolean(),
  version,
})

export const mailTemplateInput = z.object({ ...which, ...words, version })
export type MailTemplateInput = z.input<typeof mailTemplateInput>

/** The macros a template of an event may hold. */
export function macrosOf(event: MailEvent): (MailMacro | (typeof COMMON_MAIL_MACROS)[number])[] {
  return [...MAIL_EVENTS[event], ...COMMON_MAIL_MACROS]
}

/** Texts of messages, per event and language. */
export const mailTemplateApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/mail-template/v1/list',
    access: 'setting.smtp',
    summary: 'The texts of every event in every language.',
    response: z.object({ list: z.array(mailTemplate) }),
  }),
  update: endpoint({
    method: 'POST',
    path: '/api/mail-template/v1/update',
    access: 'setting.smtp',
    key: 'never',
    summary: 'Puts the text of one event and language in other words; macros that nothing fills are refused by name.',
    body: mailTemplateInput,
    response: mailTemplate,
  }),
  reset: endpoint({
    method: 'POST',
    path: '/api/mail-template/v1/reset',
    access: 'setting.smtp',
    key: 'never',
    summary: 'Goes back to the usual text of one event and language.',
    body: z.object({ ...which, version }),
    response: mailTemplate,
  }),
  preview: endpoint({
    method: 'POST',
    path: '/api/mail-template/v1/preview',
    access: 'setting.smtp',
    reads: true,
    summary: 'Shows a text as it would arrive, filled with made-up values; nothing is sent or kept.',
    body: z.object({ ...which, ...words }),
    response: z.object({ subject: z.string(), html: z.string(), text: z.string() }),
  }),
}
