import type { z } from 'zod'
import { type postbackLogRow } from '#contract/traffic/postback.ts'
import { OWN_POSTBACK_STATUSES, type delivery, type deliveryDetail, type ownPostback } from '#contract/traffic/own-postback.ts'
import type { SentHeader } from '#contract/traffic/postback-message.ts'
import { NEEDS_MAPPING } from '#contract/traffic/postback-outcome.ts'
import type { listAttempts } from '../conversion/life/detail.queries.ts'
import { plainLine } from '#server/rules/plain-line.ts'
import type { IncomingLogRow, OutgoingLogRow } from './log.queries.ts'
import type { DeliveryRow, OwnPostbackRow } from './own.queries.ts'

type Row = z.input<typeof postbackLogRow>

/** What came in, as the log of staff shows it. */
export function presentIncoming(row: IncomingLogRow): Row {
  return {
    id: row.id,
    direction: 'in',
    at: row.at.toISOString(),
    method: row.method,
    address: `${row.path}${row.query === '' ? '' : `?${row.query}`}`,
    body: row.body,
    ip: row.ip,
    outcome: row.outcome,
    reason: row.reason,
    parameter: row.parameter,
    detail: row.stranger ? '' : plainLine(row.detail),
    needs_mapping:
      row.outcome === 'refused' && !row.stranger && row.dismissed_at === null && NEEDS_MAPPING.some((one) => one === row.reason),
    dismissed: dismissalOf(row),
    http_status: row.http_status,
    tries: 1,
    next_try_at: row.next_try_at?.toISOString() ?? null,
    click_id: row.click_id,
    transaction_id: row.transaction_id,
    goal: row.goal,
    ...partnersOf(row),
  }
}

/** What went out, as the log of staff shows it. */
export function presentOutgoing(row: OutgoingLogRow): Row {
  return {
    id: row.id,
    direction: 'out',
    at: row.at.toISOString(),
    method: row.method,
    address: row.url,
    body: '',
    ip: '',
    outcome: row.state,
    reason: row.error,
    parameter: '',
    detail: '',
    needs_mapping: false,
    dismissed: dismissalOf(row),
    http_status: row.http_status,
    tries: row.tries,
    next_try_at: row.next_try_at?.toISOString() ?? null,
    click_id: row.click_id,
    transaction_id: row.transaction_id ?? '',
    goal: row.goal,
    ...partnersOf(row),
  }
}

function dismissalOf({ dismissed_at, dismissed_by }: Pick<IncomingLogRow, 'dismissed_at' | 'dismissed_by'>): Row['dismissed'] {
  return dismissed_at === null ? null : { at: dismissed_at.toISOString(), by: dismissed_by ?? '' }
}

/** An affiliate's own postback. */
export function presentOwnPostback(row: OwnPostbackRow): z.input<typeof ownPostback> {
  return {
    uuid: row.uuid,
    offer:
      row.offer_uuid === null || row.offer_number === null || row.offer_title === null
        ? null
        : { uuid: row.offer_uuid, id: row.offer_number, name: row.offer_title },
    goal: row.goal_code,
    statuses: row.statuses as z.input<typeof ownPostback>['statuses'], // only known ones are saved; the response schema checks again
    method: row.method,
    url: row.url,
    body_type: row.body_type,
    body: row.body,
    headers: row.headers.map((one) => ({ ...one, secret: one.value === null })),
    signed: row.signed,
    signing_before_until: row.signing_before_until?.toISOString() ?? null,
    status: OWN_POSTBACK_STATUSES.find((status) => status === row.status) ?? 'paused',
    failures: row.failures,
    suspended_at: row.suspended_at?.toISOString() ?? null,
    held: Number(row.held),
    last_error: row.last_error ?? '',
    created_at: row.created_at.toISOString(),
    version: row.version,
  }
}

/** One of what was sent to an affiliate, as that affiliate sees it. */
export function presentDelivery(row: DeliveryRow): z.input<typeof delivery> {
  return {
    uuid: row.uuid,
    created_at: row.created_at.toISOString(),
    postback_uuid: row.postback_uuid,
    offer: { uuid: row.offer_uuid, id: row.offer_number, name: row.offer_title },
    conversion: { uuid: row.conversion_uuid, id: row.conversion_number },
    status: row.status,
    method: row.method,
    url: row.url,
    state: row.state,
    tries: row.tries,
    next_try_at: row.next_try_at?.toISOString() ?? null,
    http_status: row.http_status,
    error: row.error,
  }
}

/** The same with its attempts. */
export function presentDeliveryDetail(
  row: DeliveryRow & { body: string; headers: SentHeader[] },
  attempts: Awaited<ReturnType<typeof listAttempts>>,
): z.input<typeof deliveryDetail> {
  return {
    ...presentDelivery(row),
    body: row.body,
    headers: row.headers,
    attempts: attempts.map((attempt) => ({ ...attempt, at: attempt.at.toISOString() })),
  }
}

/** Only the partners the caller may name, where the postback has any. */
function partnersOf(row: IncomingLogRow | OutgoingLogRow): Pick<Row, 'offer' | 'affiliate' | 'advertiser' | 'conversion'> {
  return {
    offer: referenceOf(row.offer_uuid, row.offer_number, row.offer_title),
    affiliate: row.sees_affiliate ? referenceOf(row.affiliate_uuid, row.affiliate_number, row.affiliate_name) : null,
    advertiser: row.sees_advertiser ? referenceOf(row.advertiser_uuid, row.advertiser_number, row.advertiser_name) : null,
    conversion:
      row.conversion_uuid === null || row.conversion_number === null ? null : { uuid: row.conversion_uuid, id: row.conversion_number },
  }
}

function referenceOf(uuid: string | null, id: number | null, name: string | null): Row['offer'] {
  return uuid === null || id === null || name === null ? null : { uuid, id, name }
}
