import { createConversions, draftConversion } from '#server/features/traffic/conversion/draft.service.ts'
import { loadTerms } from '#server/features/traffic/conversion/terms.queries.ts'
import type { Clickhouse } from '#server/platform/clickhouse/client.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { makeAffiliateId, makeClick, makeClickKeys, makeOffer, storeClicks } from '#test/support/make/money.ts'

const DAY = 86_400_000
const CHUNK = 2_000
/** The clock of the report is three hours ahead of UTC. */
const AHEAD = 3 * 3_600_000

/**
 * A month of an advertiser's conversions, 20 offers and 50 affiliates, three in ten of them pending and the others approved at $15, and a
 * CSV about them of as many lines. Of a hundred conversions three are not in it, two stand there by the click alone, one by nothing but
 * offer, amount and time, two in capitals, five declined, three with another amount; in place of the three that lack stand one
 * line twice, one of a click that brought no conversion, and one of a click nobody knows.
 */
export async function makeReport(
  { db, clickhouse }: { db: Db; clickhouse: Clickhouse },
  advertiserId: number,
  lines: number,
  now: number,
): Promise<{ csv: string; period: { from: string; to: string } }> {
  const keys = await makeClickKeys(db)
  const offers = await Promise.all(Array.from({ length: 20 }, () => makeOffer(db, { advertiserId })))
  const affiliates = await Promise.all(Array.from({ length: 50 }, () => makeAffiliateId(db)))
  const terms = await loadTerms(
    db,
    offers.map(({ id }) => id),
  )
  const today = now - (now % DAY)
  const start = today - 30 * DAY
  const clickOf = (number: number, at: number) =>
    makeClick(keys, {
      offerId: offers[number % offers.length]?.id ?? 0,
      affiliateId: affiliates[number % affiliates.length] ?? 0,
      at: at - 3_600_000,
    })
  const said: string[] = []
  for (let from = 0; from < lines; from += CHUNK) {
    const made = Array.from({ length: Math.min(CHUNK, lines - from) }, (_none, index) => {
      const number = from + index
      // evenly over 29 days, so that no clock moves one out of them
      const at = Math.floor(start + DAY / 2 + ((number + 0.5) / lines) * 29 * DAY)
      return { number, at, click: clickOf(number, at), other: clickOf(number, at) }
    })
    const drafts = made.map(({ number, at, click }) => {
      const offer = terms.get(click.offerId)
      const [goal] = offer?.goals ?? []
      const status = Math.floor(number / 100) % 10 < 3 ? ('pending' as const) : ('approved' as const)
      const report = { status, amount: null, currency: null, transactionId: `t-${number}`, reason: '', converted: null }
      const draft = offer && goal && draftConversion(offer, goal, click, report, at, now)
      if (!draft) throw new Error('no offer')
      return draft
    })
    await db.transaction().execute((trx) => createConversions(trx, drafts, now))
    await storeClicks(clickhouse, [
      ...made.map(({ click }) => click),
      ...made.flatMap(({ number, other }) => (number % 100 === 1 ? other : [])),
    ])
    for (const { number, at, click, other } of made) {
      const time = new Date(at + AHEAD).toISOString().slice(0, 19).replace('T', ' ')
      const line = (transaction: string, clickId: string, { status = 'Approved', amount = '15.00', reason = '' } = {}) =>
        said.push([transaction, clickId, time, click.offerId, status, amount, reason].join(','))
      const place = number % 100
      const name = `t-${number}`
      if (place === 0) continue
      if (place === 1) line(`t-${number}-new`, other.id)
      else if (place === 2) line(`t-${number}-unknown`, other.id)
      else if (place < 5) line('', click.id)
      else if (place === 5) line('', '')
      else if (place < 8) line(name.toUpperCase(), click.id)
      else if (place < 13) line(name, click.id, { status: 'Declined', reason: 'Fake phone' })
      else if (place < 16) line(name, click.id, { amount: '12.50' })
      else line(name, click.id)
      if (place === 99) line(name, click.id)
    }
  }
  const day = (at: number) => new Date(at).toISOString().slice(0, 10)
  return {
    csv: ['Transaction ID,Click ID,Conversion date,Offer ID,Status,Payout,Reason', ...said].join('\n'),
    period: { from: day(start), to: day(today - DAY) },
  }
}
