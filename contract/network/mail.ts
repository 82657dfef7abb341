import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { languageCode, line, moment, someOf, uuid } from '#contract/fields.ts'
import { listOf, paging, sorting } from '#contract/paging.ts'

/**
 * What a message can be about, with the macros that its templates may hold besides those every template has (`COMMON_MAIL_MACROS`).
 * An event stands here, has a subject and a text in each language (`mail-text.ts`), and is queued where it happens.
 */
export const MAIL_EVENTS = {
  /** Somebody tries the settings. */
  test: [],
  /** Staff made the account: a link sets its first password. */
  set_password: ['name', 'link'],
  /** Somebody who forgot the password asked for another. */
  password_recovery: ['name', 'link'],
  /** The password was changed: whoever did not do it has to know. `keys` is how many API keys ended with it. */
  password_changed: ['name', 'keys', 'device', 'address', 'time'],
  /** Staff took the second factor off somebody who lost it. */
  second_factor_reset: ['name', 'time'],
  /** Somebody came in by a device not seen before: likewise. */
  new_device: ['name', 'device', 'address', 'place', 'time'],
  /** An API key was made for the account: likewise. */
  api_key_made: ['name', 'key', 'device', 'address', 'time'],
  /** An affiliate wants this address instead of the one there is. */
  email_change: ['name', 'link'],
  /** To the old address: whoever did not change it has to know. */
  email_changed: ['name', 'device', 'address', 'time'],
  /** A code that confirms one change of where an affiliate is paid: `method` says what is to change. */
  payment_method_code: ['name', 'method', 'code', 'device', 'address', 'time'],
  /** Where an affiliate is paid was changed: likewise. `paid` says from when on money goes there. */
  payment_method_changed: ['name', 'method', 'paid', 'device', 'address', 'time'],
  /** Somebody signed up and shows that the address is theirs. */
  email_confirmation: ['name', 'link'],
  /** The address is confirmed, staff look at the application. */
  registration_received: ['name'],
  registration_approved: ['name', 'link'],
  registration_rejected: ['name', 'reason'],
  /** Somebody said something in a ticket: `text` is what was said, several messages one after another. */
  ticket_message: ['name', 'author', 'number', 'subject', 'text', 'link'],
  /** A domain of the network fails what is looked at. */
  domain_failing: ['name', 'domain', 'problem', 'link'],
  /** What somebody is told of, gathered for a minute; `items` is one to a line, each with where it leads. */
  notifications: ['name', 'count', 'items', 'unsubscribe'],
  /** The same once a day. */
  notification_digest: ['name', 'count', 'items', 'unsubscribe'],
  /** A report by the clock, as a file where it is not too large. */
  scheduled_report: ['name', 'report', 'period', 'rows', 'link'],
  /** An advertiser’s invoice is overdue. */
  invoice_overdue: ['name', 'number', 'amount', 'due', 'days'],
  /** Staff invite somebody to sign up. */
  invitation: ['link'],
  /** Something is wrong with the instance itself: `problem` says what. */
  system_problem: ['name', 'problem', 'link'],
} as const satisfies Record<string, readonly string[]>
export type MailEvent = keyof typeof MAIL_EVENTS
export const MAIL_EVENT_NAMES = Object.keys(MAIL_EVENTS) as [MailEvent, ...MailEvent[]] // keys of a literal object

/** What an event itself fills in. */
export type MailMacro = (typeof MAIL_EVENTS)[MailEvent][number]

/** Values that strangers may have typed, with how much of each a message carries: none of them becomes a link. */
export const TYPED_MAIL_MACROS: Readonly<Partial<Record<MailMacro, number>>> = { name: 100, author: 200, subject: 150, key: 100 }

/** What every template may hold: the network's title, the address of its panel, and whom to ask. */
export const COMMON_MAIL_MACROS = ['network', 'panel', 'contact'] as const

/** Waiting ones are tried again; `refused` is the receiving server's last word, `failed` ours after the last try, `expired` came too late. */
export const MAIL_STATUSES = ['waiting', 'sent', 'refused', 'failed', 'expired'] as const

export const mailStatus = z.enum(MAIL_STATUSES)

/** Why a message did not go, or not yet; `detail` beside it holds the server's own words. */
export const MAIL_PROBLEMS = [
  'host_not_found',
  'connection_refused',
  'timed_out',
  'connection_lost',
  'greeting_refused',
  'not_tls',
  'no_starttls',
  'tls_failed',
  'certificate_untrusted',
  'certificate_expired',
  'certificate_other_name',
  'sign_in_refused',
  'sender_refused',
  'recipient_refused',
  'message_refused',
  'reserved_address',
  'unreadable',
  'not_set_up',
] as const

/** One message as staff see it: never what filled it, which may sign somebody in. */
export const mailRow = z.object({
  uuid,
  event: z.enum(MAIL_EVENT_NAMES),
  language: languageCode,
  recipient: z.string(),
  /** As it was sent; '' before. */
  subject: z.string(),
  status: mailStatus,
  attempts: z.int(),
  created_at: moment,
  /** When a waiting one is tried next. */
  next_at: moment.nullable(),
  settled_at: moment.nullable(),
  expires_at: moment,
  reason: z.enum(MAIL_PROBLEMS).nullable(),
  detail: z.string(),
  /** Whether it can be sent once more: it failed, and is still of use. */
  again: z.boolean(),
})

export const mailFilters = z.object({
  ...paging,
  ...sorting(['created_at', 'status', 'event', 'recipient', 'attempts', 'settled_at']),
  /** A part of the recipient. */
  search: line(100).default(''),
  status: someOf(mailStatus),
  event: someOf(z.enum(MAIL_EVENT_NAMES)),
  from: moment.nullable().default(null),
  to: moment.nullable().default(null),
})

/** What was mailed to people, and what still waits. */
export const mailApi = {
  list: endpoint({
    method: 'POST',
    path: '/api/mail/v1/list',
    access: 'setting.smtp',
    reads: true,
    summary: 'Messages of the last 90 days with what became of them; never what filled them.',
    body: mailFilters,
    response: listOf(mailRow),
  }),
  retry: endpoint({
    method: 'POST',
    path: '/api/mail/v1/retry',
    access: 'setting.smtp',
    summary: 'Sends up to 100 refused or failed messages once more, as long as what they carry is of use; others are passed over.',
    body: z.object({ uuids: z.array(uuid).min(1).max(100) }),
    response: z.object({ queued: z.int() }),
  }),
}
