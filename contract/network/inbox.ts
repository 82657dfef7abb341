import { z } from 'zod'
import type { Permission } from '#contract/access.ts'
import { endpoint } from '#contract/endpoint.ts'
import { moment, reference, uuid } from '#contract/fields.ts'
import { currency } from '#contract/money/amount.ts'
import { capLevel } from '#contract/offers/offer-cap.ts'
import { MAX_PAGE_SIZE, paging } from '#contract/paging.ts'

/** What waits for somebody's decision, and the right it takes to decide. Who lacks it is told of none. */
export const INBOX_KINDS = {
  access: 'offer.write',
  affiliates: 'affiliate.write',
  landings: 'landing.write',
  conversions: 'conversion.decide',
  /** Postbacks to affiliates that were given up, unless they were sent again, dismissed, or their postback was removed. */
  deliveries: 'affiliate.write',
  /** Postbacks of advertisers that need a mapping, and what they say of paid conversions where the network asks first. */
  postbacks: 'postback.log',
  /** Caps of running offers that are filled to `NEARLY_FULL` percent, or full; also where that has paused the offer. */
  caps: 'offer.write',
  /** The daily address of rates, where nothing came of it. */
  rates: 'currency.rate',
  /** Leads a check held until somebody has looked at them; `text` is the lead's number, `reason` the word its affiliate is told. */
  leads: 'lead.decide',
  /** Leads whose advertiser answered unclearly; `text` is the product, `reason` the lead's number. Decided where it is shown. */
  sends: 'lead.decide',
  /** What advertisers told of leads and nothing could be made of, or could not be booked; `text` is the product and what they said, `reason` one of STUCK_REASONS or a code of POSTBACK_REFUSALS. Decided at its desk. */
  stuck: 'lead.decide',
  /** Tickets whose affiliate waits for an answer. */
  tickets: 'ticket.manage',
  /** Requests to be paid, runs, invoices, objections, files, reports, proposals, credit near its end, overdue advertisers, payments that came back, invoices with reverse charge to be issued by a day. Decided where it stands. */
  money: 'billing.read',
  /** Referrals whose commission is kept back because both sides seem to be one. */
  referrals: 'billing.approve',
} as const satisfies Record<string, Permission>
export type InboxKind = keyof typeof INBOX_KINDS

/** In the order they are shown. */
export const INBOX_KIND_IDS = Object.keys(INBOX_KINDS) as [InboxKind, ...InboxKind[]] // keys of a literal object

/** From how many percent on a cap waits for somebody to look at it. */
export const NEARLY_FULL = 80

/** Failed postbacks, of either direction, wait for so many days; older ones stand in the log. */
export const INBOX_DAYS = 30

/** So many of a kind are listed at once; of more the oldest are decided first, or in the list of all. */
export const INBOX_MOST = MAX_PAGE_SIZE

const counts = z.object(Object.fromEntries(INBOX_KIND_IDS.map((kind) => [kind, z.int()])) as Record<InboxKind, z.ZodInt>)

/** One thing that waits. What does not belong to its kind is null or ''. */
export const inboxRow = z.object({
  /** Names it within its kind, and the deciding endpoint takes it: a uuid, of postbacks of advertisers a number. Of access and caps it is made up. */
  id: z.string(),
  /** Since when it waits; null = nobody noted it. */
  at: moment.nullable(),
  offer: reference.nullable(),
  /**
   * Its name is '' where it is a stranger's: whose offer is asked for sees what helps to decide (country, traffic, record), while who the
   * affiliate is stays with its own manager.
   */
  affiliate: reference.nullable(),
  advertiser: reference.nullable(),
  landing: reference.nullable(),
  /** Its name is the subject. */
  ticket: reference.nullable(),
  conversion: z.object({ uuid: z.string(), id: z.string() }).nullable(),
  /** The country of the click, or of the affiliate who asks; '' where it is unknown. */
  geo: z.string(),
  /** Where the affiliate who asks says its traffic comes from. */
  sources: z.array(z.string()),
  /** What became of the conversions of the affiliate who asks, in the caller's scope and `INBOX_DAYS`; approved with those on hold. */
  record: z.object({ approved: z.int(), declined: z.int() }).nullable(),
  /** The member of staff who asks; of a ticket who is to answer it, of a referral who brought the affiliate. */
  by: z.string().nullable(),
  /** What was said with it: a message, an address, what a postback held. */
  text: z.string(),
  /** Why it failed: a code of POSTBACK_REFUSALS, or the last error of a delivery; of a ticket its category; of money what kind of task it is. */
  reason: z.string(),
  goal: z.string(),
  money: z.object({ currency, payout: z.string(), revenue: z.string() }).nullable(),
  /** `paused`: the offer takes no visitors at the moment. */
  cap: capLevel.extend({ percent: z.int(), currency, paused: z.boolean() }).nullable(),
})
export type InboxRow = z.output<typeof inboxRow>

/** What waits for the caller's decision, in the own scope. */
export const inboxApi = {
  counts: endpoint({
    method: 'GET',
    path: '/api/inbox/v1/counts',
    access: 'report.money',
    summary: 'How much of each kind waits for a decision the caller may make.',
    response: counts,
  }),
  list: endpoint({
    method: 'POST',
    path: '/api/inbox/v1/list',
    access: 'report.money',
    reads: true,
    summary: 'The first of one kind that wait: requests by their age, failures newest first, caps by how full they are.',
    body: z.object({ kind: z.enum(INBOX_KIND_IDS), count: paging.count }),
    response: z.object({ rows: z.int(), list: z.array(inboxRow) }),
  }),
  dismiss: endpoint({
    method: 'POST',
    path: '/api/inbox/v1/dismiss',
    access: 'report.money',
    summary: 'Takes failed postbacks out of the inbox of everybody, or puts them back; those that stand there already are passed over.',
    body: z.object({
      deliveries: z.array(uuid).max(1000).default([]),
      /** Numbers of postbacks of advertisers. */
      postbacks: z
        .array(z.string().regex(/^\d{1,18}$/))
        .max(1000)
        .default([]),
      dismissed: z.boolean(),
    }),
    response: z.object({ changed: z.int() }),
  }),
}
