import type { z } from 'zod'
import type { clickApi, clickFilters } from '#contract/traffic/click.ts'
import { readClickId } from '#server/rules/click/click-id.ts'
import { countClicks } from '#server/statistics/click/click-count.ts'
import { readClicks } from '#server/statistics/click/click-list.ts'
import type { ClickCursor, ClickQuestion } from '#server/statistics/click/click-question.ts'
import { resolvePeriod } from '#server/statistics/period.ts'
import { AppError } from '#server/platform/errors.ts'
import { clickIdKeys } from './click-key.queries.ts'
import { presentClicks } from './click.present.ts'
import { conditionsOf, refuseForbidden, usedFilters } from '../report/question.service.ts'
import { currenciesOfOffers, rowScopeOf } from '../report/report.queries.ts'
import type { Asked, ReportParts } from '../report/report.service.ts'

type Input = z.output<typeof clickFilters>
type Cursor = ClickCursor & { rows: number }

/** One page of raw clicks. Throws `forbidden`, `report_too_heavy`, `statistics_away`. */
export async function listClicks(
  { db, clickhouse }: ReportParts,
  { now, actor, signal }: Asked,
  input: Input,
): Promise<z.output<typeof clickApi.list.response>> {
  refuseForbidden(actor, usedFilters(input.filters), [])
  const after = input.after === null ? null : readCursor(input.after)
  const until = input.until === null ? now : Date.parse(input.until)
  const [scope, keys, conditions] = await Promise.all([rowScopeOf(db, actor.scope), clickIdKeys(db), clickConditions(db, actor, input)])
  const { range } = resolvePeriod(input.period, input.zone ?? actor.timeZone, now)
  const ours = input.search === '' || keys === null ? null : readClickId(input.search, keys.keys)
  const question: ClickQuestion = {
    range: { from: range.from, to: Math.min(range.to, until + 1) },
    scope,
    conditions,
    kinds: input.kinds,
    only: ours && { at: ours.at, affiliate: ours.affiliateId, random: ours.random },
    affiliatesId: ours === null ? input.search : '',
    after,
    limit: input.count,
    offset: after === null ? (input.page - 1) * input.count : 0,
  }
  // The size of the result is counted once and travels in the cursor: an export of a million clicks asks ten thousand times.
  const [rows, count] = await Promise.all([
    readClicks(clickhouse, question, signal),
    after?.rows ?? countClicks(clickhouse, question, signal),
  ])
  const last = rows.at(-1)
  return {
    list: await presentClicks({ db, actor, keys }, rows),
    summary: { rows: count },
    until: new Date(until).toISOString(),
    after:
      last === undefined || rows.length < input.count
        ? null
        : writeCursor({ at: last.ts, affiliate: last.affiliate, random: last.rnd, rows: count }),
  }
}

/** A click's currency is its offer's, and the list has no lookups: offers stand for it. */
async function clickConditions(db: ReportParts['db'], actor: Asked['actor'], { filters }: Input) {
  const conditions = await conditionsOf(db, actor, { ...filters, goal: [], currency: [] })
  if (filters.currency.length === 0) return conditions
  const offers = [...(await currenciesOfOffers(db))].filter(([, currency]) => filters.currency.includes(currency)).map(([id]) => id)
  return [...conditions, { dimension: 'offer' as const, is: offers }]
}

function writeCursor({ at, affiliate, random, rows }: Cursor): string {
  return [at, affiliate, random, rows].join('.')
}

function readCursor(text: string): Cursor {
  if (!/^\d{1,14}\.\d{1,9}\.\d{1,10}\.\d{1,15}$/.test(text))
    throw new AppError('bad_request', { fields: { after: 'Take it from the page before' } })
  const [at = 0, affiliate = 0, random = 0, rows = 0] = text.split('.').map(Number)
  if (random > 0xffffffff) throw new AppError('bad_request', { fields: { after: 'Take it from the page before' } })
  return { at, affiliate, random, rows }
}
