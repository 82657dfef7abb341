import type { z } from 'zod'
import type { conversionDetail } from '#contract/traffic/conversion.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { readClickId } from '#server/rules/click/click-id.ts'
import type { Actor } from '#server/access/actor.ts'
import { loadClickKeys, type FindClick, type StoredClick } from '../../click/click.queries.ts'
import { getConversion } from '../conversion.queries.ts'
import { presentConversion } from '../conversion.present.ts'
import { audienceOf, nameLandings } from '../conversion.service.ts'
import { clickVerdicts, conversionVerdicts, presentBookings, presentClick, presentHistory, presentIncoming } from './detail.present.ts'
import { listBookings, listHistory, listPostbacksIn } from './detail.queries.ts'
import { showPostbacksOut } from './postbacks-out.service.ts'
import { loadTerms } from '../terms.queries.ts'
import { capTerms } from '../../cap/cap.queries.ts'
import { fullCaps } from '../../cap/level.service.ts'

type Detail = z.input<typeof conversionDetail>

/** Everything that happened to one conversion in scope, as far as the caller may know it; undefined outside of the scope. */
export async function explainConversion(
  parts: { db: Db; findClick: FindClick },
  now: number,
  actor: Actor,
  key: string,
): Promise<Detail | undefined> {
  const { db } = parts
  const { scope } = actor
  const row = await getConversion(db, scope, key)
  if (row === undefined) return undefined
  const [history, incoming, outgoing, bookings, terms, click] = await Promise.all([
    listHistory(db, row.id),
    listPostbacksIn(db, row.id, row.click_id),
    showPostbacksOut(db, [row]),
    listBookings(db, row.id),
    loadTerms(db, [row.offer_number]),
    storedClick(parts, now, row.click_id),
  ])
  const landings = await nameLandings(db, scope, click === null ? [row] : [row, click])
  const { audience, wholeAddress } = await audienceOf(db, actor)
  const full = row.reason === 'cap_reached' ? await capsInTheWay(db, row) : []
  return {
    conversion: presentConversion(row, landings, audience, wholeAddress),
    click: click && presentClick(click, landings, wholeAddress),
    verdicts: [...clickVerdicts(click, audience), ...conversionVerdicts(row, terms.get(row.offer_number), full, audience)],
    history: history.map((entry) => presentHistory(entry, audience)),
    postbacks_in: incoming.map((postback) => presentIncoming(postback, audience === 'staff' && row.sees_advertiser)),
    postbacks_out: outgoing,
    money: presentBookings(bookings, audience),
  }
}

async function capsInTheWay(db: Db, row: NonNullable<Awaited<ReturnType<typeof getConversion>>>) {
  const offer = (await capTerms(db, [row.offer_number])).get(row.offer_number)
  if (offer === undefined) return []
  return fullCaps(db, offer, { at: row.created_at.getTime(), affiliateId: row.affiliate_number, payout: row.payout })
}

/** A click whose row is gone or cannot be asked for just now leaves the page without it. */
async function storedClick({ db, findClick }: { db: Db; findClick: FindClick }, now: number, clickId: string): Promise<StoredClick | null> {
  const parts = readClickId(clickId, await loadClickKeys(db, now))
  return parts === null ? null : findClick(parts).catch(() => null)
}
