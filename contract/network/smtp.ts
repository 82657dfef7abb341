import { z } from 'zod'
import { email, line, moment, version } from '#contract/fields.ts'
import { endpoint } from '#contract/endpoint.ts'
import { MAIL_PROBLEMS } from './mail.ts'
import { lastChange, sectionOf } from './define-setting.ts'
import { stored } from '#contract/shape.ts'

/** tls: encrypted from the start (port 465); starttls: encrypted before anything is said (587), or not at all; none: in clear. */
export const SMTP_SECURITIES = ['tls', 'starttls', 'none'] as const

const NUMBER = 'A whole number from 1 to 6000'
const PORT = 'A whole number from 1 to 65535'
const port = z.number(PORT).int(PORT).min(1, PORT).max(65_535, PORT)
/** A name or an address, without a port; '' = no mail. */
const host = line(253)
  .toLowerCase()
  .regex(/^([a-z0-9]([a-z0-9.-]*[a-z0-9])?|[0-9a-f:]+)?$/, 'The name of a server, such as smtp.example.com')
const hostName = line(253)
  .toLowerCase()
  .regex(/^([a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+)?$/, 'A domain, such as example.com')
const selector = line(63)
  .toLowerCase()
  .regex(/^([a-z0-9]([a-z0-9-]*[a-z0-9])?)?$/, 'Letters, digits and hyphens')
const optionalEmail = z.union([z.literal(''), email])

/** How the server is reached, and as whom. Every link that signs somebody in goes there: only who may set its secrets changes it. */
export const smtpConnection = { host, port, security: z.enum(SMTP_SECURITIES), user: line(254) }

export const smtpFields = {
  ...smtpConnection,
  sender_email: optionalEmail,
  sender_name: line(100),
  /** Where answers go; '' = to the sender. */
  reply_to: optionalEmail,
  /** Signs every message where both are there, and a key. */
  dkim_domain: hostName,
  dkim_selector: selector,
  /** Messages handed to the server within a minute, at most. */
  per_minute: z.number(NUMBER).int(NUMBER).min(1, NUMBER).max(6_000, NUMBER),
}

/** The network's mail server and sender. Its password and DKIM key stand elsewhere, sealed: they are never read by anybody. */
export const smtpSetting = sectionOf('smtp', smtpFields, {
  host: '',
  port: 587,
  security: 'starttls',
  user: '',
  sender_email: '',
  sender_name: '',
  reply_to: '',
  dkim_domain: '',
  dkim_selector: '',
  per_minute: 60,
})

/** Whether mail can leave: a server, and somebody it comes from. */
export function canSend({ host, sender_email }: { host: string; sender_email: string }): boolean {
  return host !== '' && sender_email !== ''
}

/** null = as it is. A password of '' takes it away; a key of 'new' is made here. Secrets go in and never come out. */
const secrets = {
  password: z.string().max(500).nullable(),
  dkim_key: z.union([z.literal('new'), z.string().trim().max(8_000)]).nullable(),
}

export const smtpInput = z.object({ ...smtpFields, ...secrets, version })
export type SmtpInput = z.input<typeof smtpInput>

export const smtp = z.object({
  ...stored(smtpFields),
  version,
  password_set: z.boolean(),
  /** The TXT record that lets receivers check signatures; null without a key. */
  dkim_record: z.object({ name: z.string(), value: z.string() }).nullable(),
  /** Whether the caller may change the connection and its secrets. */
  may_set_secrets: z.boolean(),
  /** Whether messages leave at all. */
  sends: z.boolean(),
  changed: lastChange,
  waiting: z.int(),
  /** When a test message was last taken by the server. */
  tested_at: moment.nullable(),
})

/** The steps of a look at the server, in their order. */
export const SMTP_STEPS = ['settings', 'connect', 'encrypt', 'sign_in', 'send'] as const
/** What became of a look at the server, or of a test message. */
export const smtpOutcome = z.object({
  ok: z.boolean(),
  /** Each step in its order until the one that failed; `detail` is what went wrong, in the server's words where it said some. */
  steps: z.array(z.object({ step: z.enum(SMTP_STEPS), ok: z.boolean(), reason: z.enum(MAIL_PROBLEMS).nullable(), detail: z.string() })),
})
export type SmtpOutcome = z.output<typeof smtpOutcome>

/** The network's mail server. */
export const smtpApi = {
  read: endpoint({
    method: 'GET',
    path: '/api/setting/v1/smtp',
    access: 'setting.smtp',
    summary: 'Reads the mail server and sender; of secrets only whether they are set.',
    response: smtp,
  }),
  update: endpoint({
    method: 'POST',
    path: '/api/setting/v1/update-smtp',
    access: 'setting.smtp',
    key: 'never',
    summary:
      'Changes them. The connection and its secrets are changed by admins only, and another server or user asks for the password anew.',
    body: smtpInput,
    response: smtp,
  }),
  check: endpoint({
    method: 'POST',
    path: '/api/setting/v1/check-smtp',
    access: 'setting.smtp',
    key: 'never',
    summary: 'Reaches the server with these values, encrypts and signs in; sends nothing. At most 20 in ten minutes.',
    body: smtpInput,
    response: smtpOutcome,
  }),
  test: endpoint({
    method: 'POST',
    path: '/api/setting/v1/test-smtp',
    access: 'setting.smtp',
    key: 'never',
    summary: 'Sends a test message with these values, at most 20 in ten minutes.',
    body: smtpInput.extend({ to: email }),
    response: smtpOutcome,
  }),
}
