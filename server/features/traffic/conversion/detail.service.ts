import type { z } from 'zod'
import type { conversionDetail } from '#contract/traffic/conversion.ts'
import { verdictDetail } from '#contract/traffic/verdict.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { readClickId } from '#server/rules/click/click-id.ts'
import { CLICK_FLAG, REFUSALS } from '#server/rules/click/click-row.ts'
import type { Scope } from '#server/access/scope.ts'
import { loadClickKeys, type FindClick, type StoredClick } from '../click/click.queries.ts'
import { getConversion } from './conversion.queries.ts'
import { presentConversion } from './present.service.ts'
import { listAttempts, listBookings, listHistory, listPostbacksIn, listPostbacksOut } from './detail.queries.ts'
import { loadTerms, type OfferTerms } from './terms.queries.ts'

type Detail = z.input<typeof conversionDetail>
type Row = NonNullable<Awaited<ReturnType<typeof getConversion>>>

/** Everything that happened to one conversion in scope; undefined outside of it. */
export async function explainConversion(
  parts: { db: Db; findClick: FindClick },
  now: number,
  scope: Scope,
  key: string,
): Promise<Detail | undefined> {
  const { db } = parts
  const row = await getConversion(db, scope, key)
  if (row === undefined) return undefined
  const [history, incoming, outgoing, bookings, terms, click] = await Promise.all([
    listHistory(db, row.id),
    listPostbacksIn(db, row.id, row.click_id),
    listPostbacksOut(db, row.id),
    listBookings(db, row.id),
    loadTerms(db, [row.offer_number]),
    storedClick(parts, now, row.click_id),
  ])
  const attempts = await listAttempts(
    db,
    outgoing.map((delivery) => delivery.id),
  )
  return {
    conversion: presentConversion(row, 'staff'),
    click: click && presentClick(click),
    verdicts: [...clickVerdicts(click), ...conversionVerdicts(row, terms.get(row.offer_number))],
    history: history.map((entry) => ({
      seq: entry.seq, at: entry.at.toISOString(), from: entry.from_status, to: entry.to_status, reason: entry.reason, origin: entry.origin, actor: entry.actor,
      payout: String(entry.body['payout']), hash: entry.hash.toString('hex'),
    })), // prettier-ignore
    postbacks_in: incoming.map(({ received_at, address, ...rest }) => ({ ...rest, at: received_at.toISOString(), ip: address })),
    postbacks_out: outgoing.map(({ id, created_at, ...rest }) => ({
      ...rest,
      at: created_at.toISOString(),
      next_try_at: rest.next_try_at?.toISOString() ?? null,
      attempts: attempts
        .filter((one) => one.delivery_id === id)
        .map(({ delivery_id: _id, ...attempt }) => ({ ...attempt, at: attempt.at.toISOString() })),
    })),
    money: presentBookings(bookings),
  }
}

/** A click whose row is gone or cannot be asked for just now leaves the page without it. */
async function storedClick({ db, findClick }: { db: Db; findClick: FindClick }, now: number, clickId: string): Promise<StoredClick | null> {
  const parts = readClickId(clickId, await loadClickKeys(db, now))
  return parts === null ? null : findClick(parts).catch(() => null)
}

function presentClick(click: StoredClick): NonNullable<Detail['click']> {
  return {
    at: new Date(click.at).toISOString(), reason: click.reason, flags: Object.entries(CLICK_FLAG).flatMap(([name, bit]) => ((click.flags & bit) === 0 ? [] : [name])),
    geo: click.geo, device: click.device, os: click.os, browser: click.browser, lang: click.lang, ip: click.ip, ua: click.ua, source: click.source, subs: click.subs,
    aff_click_id: click.affClickId, landing_id: click.landing, prelanding_id: click.prelanding,
  } // prettier-ignore
}

/** The tracker stores the first check that failed; those before it passed, those after were never made. */
function clickVerdicts(click: StoredClick | null): Detail['verdicts'] {
  if (click === null) return []
  const failed = REFUSALS.findIndex((reason) => reason === click.reason)
  return REFUSALS.slice(0, failed === -1 ? undefined : failed + 1).map((check, index) => ({
    check,
    passed: index !== failed,
    detail: null,
  }))
}

function conversionVerdicts(row: Row, terms: OfferTerms | undefined): Detail['verdicts'] {
  const seconds = Math.round((row.created_at.getTime() - row.click_at.getTime()) / 1000)
  const { payout_fixed, payout_percent, revenue_fixed, revenue_percent, id } = row.rule
  return [
    {
      check: 'click_lifetime',
      passed: true,
      detail: verdictDetail('age', { days: String(Math.floor(seconds / 86_400)), limit: String(terms?.click_lifetime_days ?? '') }),
    },
    {
      check: 'conversion_time',
      passed: true,
      detail: verdictDetail('delay', {
        seconds: String(seconds),
        from: String(terms?.min_conversion_time ?? 0),
        to: String(terms?.max_conversion_time ?? ''),
      }),
    },
    {
      check: 'conversion_cap',
      passed: row.reason !== 'cap_reached',
      detail: row.cap_day === null ? null : verdictDetail('cap_day', { day: row.cap_day }),
    },
    {
      check: 'hold',
      passed: row.status !== 'hold',
      detail: row.hold_until === null ? null : verdictDetail('hold', { until: row.hold_until.toISOString() }),
    },
    {
      check: 'payout_rule',
      passed: true,
      detail: verdictDetail('rule', { id: String(id), payout_fixed, payout_percent, revenue_fixed, revenue_percent }),
    },
  ]
}

function presentBookings(rows: Awaited<ReturnType<typeof listBookings>>): Detail['money'] {
  const transfers = new Map<string, Detail['money'][number]>()
  for (const row of rows) {
    const transfer = transfers.get(row.id) ?? { at: row.at.toISOString(), kind: row.kind, currency: row.currency, entries: [] }
    transfers.set(row.id, transfer)
    transfer.entries.push({ account: row.account, amount: row.amount })
  }
  return [...transfers.values()]
}
