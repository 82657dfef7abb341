import type { z } from 'zod'
import { accountType } from '#contract/money/account.ts'
import type { conversionDetail } from '#contract/traffic/conversion.ts'
import { verdictDetail } from '#contract/traffic/verdict.ts'
import { REFUSALS, TOLD_REFUSALS } from '#contract/traffic/refusal.ts'
import { readableAddress } from '#server/platform/address.ts'
import { CLICK_FLAG } from '#server/rules/click/click-row.ts'
import type { StoredClick } from '../../click/click.queries.ts'
import type { getConversion } from '../conversion.queries.ts'
import type { Audience, Landings } from '../conversion.present.ts'
import type { listAttempts, listBookings, listHistory, listPostbacksIn, listPostbacksOut } from './detail.queries.ts'
import type { OfferTerms } from '../terms.queries.ts'
import type { fullCaps } from '../../cap/level.service.ts'
import { reasonForAffiliate } from '#server/rules/conversion/reason.ts'

type Detail = z.input<typeof conversionDetail>
type Row = NonNullable<Awaited<ReturnType<typeof getConversion>>>
type RowsOf<List extends (...given: never[]) => Promise<unknown[]>> = Awaited<ReturnType<List>>[number]

/** A change of the status, with what the affiliate could check of it; who of the staff it was is theirs to know. */
export function presentHistory(entry: RowsOf<typeof listHistory>, audience: Audience): Detail['history'][number] {
  return {
    chain_seq: entry.chain_seq,
    at: entry.at.toISOString(),
    from: entry.from_status,
    to: entry.to_status,
    reason: audience === 'affiliate' ? reasonForAffiliate(entry.reason) : entry.reason,
    origin: entry.origin,
    actor: audience === 'staff' ? entry.actor : null,
    payout: String(entry.body['payout']),
    hash: entry.hash?.toString('hex') ?? '',
  }
}

/** An advertiser's postback: as it came, or only what became of it. */
export function presentIncoming(
  { received_at, address, ...rest }: RowsOf<typeof listPostbacksIn>,
  whole: boolean,
): Detail['postbacks_in'][number] {
  return { ...rest, at: received_at.toISOString(), ...(whole ? { ip: address } : { ip: '', query: '', body: '' }) }
}

/** A delivery to the affiliate with its own attempts out of all. */
export function presentOutgoing(
  { id, created_at, ...rest }: RowsOf<typeof listPostbacksOut>,
  attempts: readonly RowsOf<typeof listAttempts>[],
): Detail['postbacks_out'][number] {
  return {
    ...rest,
    at: created_at.toISOString(),
    next_try_at: rest.next_try_at?.toISOString() ?? null,
    attempts: attempts
      .filter((one) => one.delivery_id === id)
      .map(({ delivery_id: _id, ...attempt }) => ({ ...attempt, at: attempt.at.toISOString() })),
  }
}

/** The click as it was stored. */
export function presentClick(click: StoredClick, landings: Landings, wholeAddress: boolean): NonNullable<Detail['click']> {
  return {
    at: new Date(click.at).toISOString(),
    reason: click.reason,
    flags: Object.entries(CLICK_FLAG).flatMap(([name, bit]) => ((click.flags & bit) === 0 ? [] : [name])),
    geo: click.geo,
    device: click.device,
    os: click.os,
    browser: click.browser,
    lang: click.lang,
    ip: readableAddress(click.ip, !wholeAddress),
    ua: click.ua,
    source: click.source,
    subs: click.subs,
    aff_click_id: click.affClickId,
    ...landings(click),
  }
}

/** The tracker stores the first check that failed; those before it passed, those after were never made. */
export function clickVerdicts(click: StoredClick | null, audience: Audience): Detail['verdicts'] {
  if (click === null) return []
  const failed = REFUSALS.findIndex((reason) => reason === click.reason)
  // what an advertiser owes is nothing an affiliate hears of, not even that it was looked at
  return REFUSALS.slice(0, failed === -1 ? undefined : failed + 1).flatMap((check, index) =>
    audience === 'affiliate' && check in TOLD_REFUSALS ? [] : [{ check, passed: index !== failed, detail: null }],
  )
}

/** What the postback had to pass, each full cap by itself, and the payout rule. Of a cap of the whole offer affiliates learn the share only. */
export function conversionVerdicts(
  row: Row,
  terms: OfferTerms | undefined,
  full: Awaited<ReturnType<typeof fullCaps>>,
  audience: Audience,
): Detail['verdicts'] {
  const seconds = Math.round((row.created_at.getTime() - row.click_at.getTime()) / 1000)
  const staff = audience === 'staff'
  const { payout_fixed, payout_percent, revenue_fixed, revenue_percent, id } = row.rule
  // a lead has no click too old, and no time too short or too long
  const times: Detail['verdicts'] =
    terms === undefined
      ? []
      : [
          {
            check: 'click_lifetime',
            passed: true,
            detail: verdictDetail('age', { days: String(Math.floor(seconds / 86_400)), limit: String(terms.click_lifetime_days) }),
          },
          {
            check: 'conversion_time',
            passed: true,
            // who knows the limits of the check against fraud stays within them
            detail: staff
              ? verdictDetail('delay', {
                  seconds: String(seconds),
                  from: String(terms.min_conversion_time ?? 0),
                  to: String(terms.max_conversion_time ?? ''),
                })
              : null,
          },
        ]
  return [
    ...times,
    // what came declined asked for no place
    ...(full.length === 0 || row.within_cap
      ? [{ check: 'conversion_cap', passed: row.within_cap || row.reason !== 'cap_reached', detail: null }]
      : full.map(({ cap: { period, scope, measure, limit }, used, percent }) => ({
          check: 'conversion_cap',
          passed: false,
          detail: verdictDetail('cap', {
            period,
            scope,
            measure,
            limit,
            percent,
            currency: row.currency,
            used: staff || scope === 'affiliate' ? used : '',
          }),
        }))),
    {
      check: 'hold',
      passed: row.status !== 'hold',
      detail: row.hold_until === null ? null : verdictDetail('hold', { until: row.hold_until.toISOString() }),
    },
    {
      check: 'payout_rule',
      passed: true,
      detail: staff ? verdictDetail('rule', { id: String(id), payout_fixed, payout_percent, revenue_fixed, revenue_percent }) : null,
    },
  ]
}

/** Entries put together by their booking; an affiliate's are those of its own accounts. */
export function presentBookings(rows: Awaited<ReturnType<typeof listBookings>>, audience: Audience): Detail['money'] {
  const transfers = new Map<string, Detail['money'][number]>()
  for (const row of rows) {
    if (audience === 'affiliate' && accountType(row.account).told !== true) continue
    const transfer = transfers.get(row.id) ?? { at: row.at.toISOString(), kind: row.kind, currency: row.currency, entries: [] }
    transfers.set(row.id, transfer)
    transfer.entries.push({ account: row.account, amount: row.amount })
  }
  return [...transfers.values()]
}
