import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { moment, reference, uuid } from '#contract/fields.ts'
import { listOf, paging } from '#contract/paging.ts'

/** What people are told of. Affiliates hear of their access and status, declined conversions, deliveries given up, paused offers, their own payout, invoices, payout requests, bonuses and corrections, answers in their tickets and another domain of their links. */
export const NOTIFICATION_KINDS = [
  'access_requested',
  'access_decided',
  'affiliate_registered',
  'affiliate_status',
  'landing_decided',
  'conversions_declined',
  'cap_nearly_full',
  'cap_full',
  'credit_near',
  'credit_blocked',
  'leads_silent',
  'product_refused',
  'product_failing',
  'cold_rule_failing',
  'invoice_objection',
  'own_invoice',
  'deliveries_given_up',
  'offer_paused',
  'payout_changed',
  'invoice_moved',
  'request_decided',
  'balance_changed',
  'ticket_message',
  'accounts_assigned',
  'news',
  'system_problem',
  'domain_failing',
  'domain_replaced',
  'new_device',
] as const
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number]

/** They are kept for so many days, and so many of each person. */
export const NOTIFICATION_DAYS = 90
export const MOST_NOTIFICATIONS = 500

/** How what one is told of goes out by mail: not at all, within a minute or two, or once a day. */
export const MAIL_WAYS = ['off', 'now', 'daily'] as const
export type MailWay = (typeof MAIL_WAYS)[number]

/** Kinds with a letter of their own, which nobody chooses. */
const OWN_LETTERS = ['system_problem', 'domain_failing', 'new_device'] as const satisfies readonly NotificationKind[]
export type OwnLetter = (typeof OWN_LETTERS)[number]

/** Whether a kind goes out in a letter of its own. */
export function hasOwnLetter(kind: NotificationKind): kind is OwnLetter {
  return OWN_LETTERS.some((one) => one === kind)
}
/** Every other kind stands here: null where a side does not hear of it. */
type Side = Readonly<Record<Exclude<NotificationKind, OwnLetter>, MailWay | null>>

/** Which kinds each side hears of, and how they are mailed until somebody chooses: what has to be acted on at once, the rest together or not at all. */
export const USUAL_MAIL: Readonly<Record<'staff' | 'affiliate', Side>> = {
  staff: {
    access_requested: 'daily',
    access_decided: null,
    affiliate_registered: 'daily',
    affiliate_status: 'off',
    landing_decided: 'daily',
    conversions_declined: 'off',
    cap_nearly_full: 'daily',
    cap_full: 'now',
    credit_near: 'now',
    credit_blocked: 'now',
    leads_silent: 'now',
    product_refused: 'now',
    product_failing: 'now',
    cold_rule_failing: 'now',
    invoice_objection: 'now',
    own_invoice: 'daily',
    deliveries_given_up: 'daily',
    offer_paused: 'daily',
    payout_changed: 'off',
    invoice_moved: null,
    request_decided: null,
    balance_changed: null,
    ticket_message: 'now',
    accounts_assigned: 'daily',
    news: 'off',
    domain_replaced: null,
  },
  affiliate: {
    access_requested: null,
    access_decided: 'now',
    affiliate_registered: null,
    affiliate_status: 'daily',
    landing_decided: null,
    conversions_declined: 'daily',
    cap_nearly_full: null,
    cap_full: null,
    credit_near: null,
    credit_blocked: null,
    leads_silent: null,
    product_refused: null,
    product_failing: null,
    cold_rule_failing: null,
    invoice_objection: 'now',
    own_invoice: 'now',
    deliveries_given_up: 'now',
    offer_paused: 'now',
    payout_changed: 'now',
    invoice_moved: 'now',
    request_decided: 'now',
    balance_changed: 'now',
    ticket_message: 'now',
    accounts_assigned: null,
    news: 'daily',
    // old links may be dead: the new ones have to be in their ads today
    domain_replaced: 'now',
  },
}

/** A kind with what holds for somebody: whether the bell tells it, and how it is mailed. */
const choice = z.object({ kind: z.enum(NOTIFICATION_KINDS), bell: z.boolean(), mail: z.enum(MAIL_WAYS) })
export type NotificationChoice = z.output<typeof choice>

export const notificationChoices = z.object({
  /** None of these mails goes out; what keeps the account safe does. */
  stopped: z.boolean(),
  /** When the digest goes out, in the own zone. */
  hour: z.int().min(0).max(23),
  choices: z.array(choice).max(NOTIFICATION_KINDS.length),
})

export const notification = z.object({
  uuid,
  kind: z.enum(NOTIFICATION_KINDS),
  at: moment,
  read: z.boolean(),
  offer: reference.nullable(),
  /** Its name is '' where it is a stranger's; affiliates are told of none. */
  affiliate: reference.nullable(),
  landing: reference.nullable(),
  /** Its name is the subject. */
  ticket: reference.nullable(),
  /** What was published, in the language of who asks. */
  news: z.object({ uuid, name: z.string() }).nullable(),
  /** What became of it, the period of a cap, what was given to a manager (affiliate, advertiser, manager), which line of the system page has a problem, the check that a domain fails, the domain links have now ('' = the usual address), or what became of an invoice or request. */
  status: z.string(),
  /** Why, or what a cap measures, or the domain itself. */
  /** Why; of a payout what changed, such as `Sale: 10 USD → 12 USD`; of an invoice its number and sum. */
  reason: z.string(),
  /** How many, of what is told together; of a cap the percentage. */
  count: z.int(),
})
export type Notification = z.output<typeof notification>

const OF_A_PLACE = 'product '
const OF_ALL_PLACES = 'whole product '

/** What a notification of a product's limit has as its reason: of one place of it in an offer, or of the product over all offers. */
export function productCapReason({ title, whole }: { title: string; whole: boolean }): string {
  return (whole ? OF_ALL_PLACES : OF_A_PLACE) + title
}

/** The product such a reason names; null where a cap is one of an offer, which says what it measures. */
export function productOfCap({ kind, reason }: Pick<Notification, 'kind' | 'reason'>): { title: string; whole: boolean } | null {
  if (kind !== 'cap_full' && kind !== 'cap_nearly_full') return null
  if (reason.startsWith(OF_ALL_PLACES)) return { title: reason.slice(OF_ALL_PLACES.length), whole: true }
  return reason.startsWith(OF_A_PLACE) ? { title: reason.slice(OF_A_PLACE.length), whole: false } : null
}

/** What happened that the caller is to know of; nobody reads anybody else's. */
export const notificationApi = {
  list: endpoint({
    method: 'POST',
    path: '/api/notification/v1/list',
    access: 'signedIn',
    reads: true,
    summary: 'The own notifications, newest first.',
    body: z.object(paging),
    response: listOf(notification),
  }),
  unread: endpoint({
    method: 'GET',
    path: '/api/notification/v1/unread',
    access: 'signedIn',
    summary: 'How many of the own notifications are unread.',
    response: z.object({ rows: z.int() }),
  }),
  read: endpoint({
    method: 'POST',
    path: '/api/notification/v1/read/:uuid',
    access: 'signedIn',
    remembers: true,
    summary: 'Marks one as read.',
    params: z.object({ uuid }),
    response: z.object({}),
  }),
  choices: endpoint({
    method: 'GET',
    path: '/api/notification/v1/choices',
    access: 'signedIn',
    summary: 'What one is told of, in the bell and by mail, and when the digest goes out.',
    response: notificationChoices.extend({
      /** Where the mails go; nowhere until the network has set up mail. */
      email: z.string(),
      mail: z.boolean(),
      time_zone: z.string(),
    }),
  }),
  choose: endpoint({
    method: 'POST',
    path: '/api/notification/v1/choose',
    access: 'signedIn',
    summary: 'Changes that. Kinds one does not hear of are passed over.',
    body: notificationChoices,
    response: notificationChoices,
  }),
  readAll: endpoint({
    method: 'POST',
    path: '/api/notification/v1/read-all',
    access: 'signedIn',
    remembers: true,
    summary: 'Marks all as read that came until a moment.',
    body: z.object({ until: moment }),
    response: z.object({ changed: z.int() }),
  }),
}
