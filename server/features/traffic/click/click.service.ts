import type { z } from 'zod'
import { DETAIL_FILTERS } from '#contract/traffic/click-column.ts'
import { isFilter } from '#contract/traffic/dimension.ts'
import { CLICK_KINDS, type clickApi, type clickFilters } from '#contract/traffic/click.ts'
import { textFilter } from '#contract/traffic/report.ts'
import { may } from '#server/access/actor.ts'
import { getGeneralSettings } from '#server/features/network/setting/setting.queries.ts'
import { mintClickId, readClickId } from '#server/rules/click/click-id.ts'
import { conditionsFor } from '#server/statistics/asked.ts'
import { countClicks } from '#server/statistics/click/click-count.ts'
import { readClicks } from '#server/statistics/click/click-list.ts'
import type { ClickCondition, ClickCursor, ClickOrder, ClickQuestion } from '#server/statistics/click/click-question.ts'
import { resolvePeriod } from '#server/statistics/period.ts'
import { AppError } from '#server/platform/errors.ts'
import type { ClickRow } from '#server/statistics/click/stored-click.ts'
import { clickIdKeys, keysAt, type DatedKeys } from './click-key.queries.ts'
import { presentClick, type ClickNames } from './click.present.ts'
import { listPostbacksOfClick } from '../conversion/life/detail.queries.ts'
import { showConversionsOfClick } from '../conversion/conversion.service.ts'
import { ranksByName } from '../report/entity.queries.ts'
import { isNamed, namesIn } from '../report/keys.service.ts'
import { conditionsOf, numbersOf, refuseForbidden, usedFilters } from '../report/question.service.ts'
import { currenciesOfOffers, ofType, rowScopeOf } from '../report/report.queries.ts'
import type { Asked, ReportParts } from '../report/report.service.ts'

type Input = z.output<typeof clickFilters>
type Cursor = ClickCursor & { rows: number }

/** One page of raw clicks. Throws `forbidden`, `report_too_heavy`, `statistics_away`. */
export async function listClicks(
  { db, clickhouse }: ReportParts,
  { now, actor, signal }: Asked,
  input: Input,
): Promise<z.output<typeof clickApi.list.response>> {
  // what nobody shows somebody is not told by the order of rows either
  refuseForbidden(actor, [...usedFilters(input.filters), ...(isFilter(input.sort) ? [input.sort] : [])], [])
  const order = await orderOf(db, actor, input)
  const after = input.after === null || order !== undefined ? null : readCursor(input.after)
  const until = input.until === null ? now : Date.parse(input.until)
  const [scope, type, keys, conditions] = await Promise.all([
    rowScopeOf(db, actor.scope),
    ofType(db, input.offer_type),
    clickIdKeys(db),
    clickConditions(db, actor, input),
  ])
  const { range } = resolvePeriod(input.period, input.zone ?? actor.timeZone, now)
  const ours = input.search === '' || keys === null ? null : readClickId(input.search, keys.keys)
  const question: ClickQuestion = {
    range: { from: range.from, to: Math.min(range.to, until + 1) },
    scope,
    ofType: type,
    conditions,
    kinds: input.kinds,
    only: ours && { at: ours.at, affiliate: ours.affiliateId, random: ours.random },
    foreignId: ours === null ? input.search : '',
    after,
    ...(order && { order }),
    limit: input.count,
    offset: after === null ? (input.page - 1) * input.count : 0,
  }
  // The size of the result is counted once and travels in the cursor: an export of a million clicks asks ten thousand times.
  const [rows, totals] = await Promise.all([
    readClicks(clickhouse, question, signal),
    after === null ? countClicks(clickhouse, question, signal) : undefined,
  ])
  const count = after?.rows ?? (totals ? totals.counted + totals.refused + totals.filtered + totals.test : 0)
  const names = await namesOfClicks(db, actor, rows)
  const wholeAddress = await seesWholeAddress(db, actor)
  const last = rows.at(-1)
  return {
    list: rows.map((row) => presentClick(row, keys && clickIdOf(row, keys), names, wholeAddress)),
    summary: { rows: count, totals },
    until: new Date(until).toISOString(),
    after:
      last === undefined || rows.length < input.count || order !== undefined
        ? null
        : writeCursor({ at: last.ts, affiliate: last.affiliate, random: last.rnd, rows: count }),
  }
}

/** undefined for the newest first, which is the order clicks are read in anyway. */
async function orderOf(db: ReportParts['db'], actor: Asked['actor'], { sort: by, direction }: Input): Promise<ClickOrder | undefined> {
  if (by === 'at' && direction === 'desc') return undefined
  return { by, direction, ranks: isFilter(by) && isNamed(by) ? await ranksByName(db, actor.scope, by) : undefined }
}

/** One click in scope with what came of it. Throws `not_found` also for what is no click id of ours, `report_too_heavy`, `statistics_away`. */
export async function explainClick(
  { db, clickhouse }: ReportParts,
  { actor, signal }: Omit<Asked, 'now'>,
  clickId: string,
): Promise<z.input<typeof clickApi.get.response>> {
  const [scope, dated] = await Promise.all([rowScopeOf(db, actor.scope), clickIdKeys(db)])
  const parts = dated && readClickId(clickId, dated.keys)
  if (dated === null || parts === null) throw new AppError('not_found')
  const { at, affiliateId: affiliate, random } = parts
  const question: ClickQuestion = {
    range: { from: at, to: at + 1 },
    scope,
    conditions: [],
    kinds: CLICK_KINDS,
    only: { at, affiliate, random },
    foreignId: '',
    after: null,
    limit: 1,
    offset: 0,
  }
  const [row] = await readClicks(clickhouse, question, signal)
  if (row === undefined) throw new AppError('not_found')
  // near a change of keys the list may name a click by another id than the one it was given: both are of our keys
  const ids = [...dated.keys.keys.keys()].map((current) => mintClickId(parts, { ...dated.keys, current }))
  const [names, wholeAddress, life, postbacks] = await Promise.all([
    namesOfClicks(db, actor, [row]),
    seesWholeAddress(db, actor),
    showConversionsOfClick(db, actor, ids),
    may(actor, 'report.money') ? listPostbacksOfClick(db, ids) : [],
  ])
  return {
    click: presentClick(row, clickId.toLowerCase(), names, wholeAddress),
    ...life,
    postbacks_in: postbacks.map(({ received_at, ...rest }) => ({ ...rest, at: received_at.toISOString() })),
  }
}

async function seesWholeAddress(db: ReportParts['db'], actor: Asked['actor']): Promise<boolean> {
  return may(actor, 'affiliate.read') || (await getGeneralSettings(db)).whole_addresses
}

/** Names of the own scope; no partner for those who may not know whose a click is. */
async function namesOfClicks(db: ReportParts['db'], actor: Asked['actor'], rows: readonly ClickRow[]): Promise<ClickNames> {
  const named = (column: keyof ClickNames) => namesIn(db, actor.scope, rows, column)
  const [offer, affiliate, advertiser, landing, prelanding] = await Promise.all([
    named('offer'),
    may(actor, 'affiliate.read') ? named('affiliate') : undefined,
    may(actor, 'report.money') ? named('advertiser') : undefined,
    named('landing'),
    named('prelanding'),
  ])
  return { offer, affiliate, advertiser, landing, prelanding }
}

/** The id is not stored: it follows from the row and the key of its day. */
function clickIdOf(row: ClickRow, dated: DatedKeys): string | null {
  const keys = keysAt(dated, row.ts)
  return keys && mintClickId({ at: row.ts, offerId: row.offer, affiliateId: row.affiliate, random: row.rnd }, keys)
}

/** A click's currency is its offer's, and the list has no lookups: offers stand for it. */
async function clickConditions(db: ReportParts['db'], actor: Asked['actor'], { filters }: Input): Promise<ClickCondition[]> {
  const none = textFilter().parse(undefined)
  const held = { ...filters, goal: none, currency: none }
  const details = DETAIL_FILTERS.flatMap((detail) => conditionsFor(filters[detail], ['']).map((condition) => ({ detail, ...condition })))
  const conditions: ClickCondition[] = [...(await conditionsOf(db, held, await numbersOf(db, actor, held))), ...details]
  const currencies = conditionsFor(filters.currency, [''])
  if (currencies.length === 0) return conditions
  const offers = [...(await currenciesOfOffers(db))]
  const of = (asked: readonly (string | number)[]) => offers.filter(([, currency]) => asked.includes(currency)).map(([id]) => id)
  return [...conditions, ...currencies.map((condition) => ({ ...condition, dimension: 'offer' as const, is: of(condition.is) }))]
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
