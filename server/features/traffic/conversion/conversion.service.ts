import type { z } from 'zod'
import type { conversion, conversionApi } from '#contract/traffic/conversion.ts'
import { isFilter } from '#contract/traffic/dimension.ts'
import { may, type Actor } from '#server/access/actor.ts'
import { trafficOf } from '#server/access/traffic-type.ts'
import { getGeneralSettings } from '#server/features/network/setting/setting.queries.ts'
import type { Scope } from '#server/access/scope.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db, DbOrTrx } from '#server/platform/pg/database.ts'
import { resolvePeriod } from '#server/statistics/period.ts'
import { namesIn } from '../report/keys.service.ts'
import { numbersOf, refuseForbidden, usedFilters } from '../report/question.service.ts'
import { moments } from '../report/report.service.ts'
import { presentConversion, presentSums, sumsOf, type Audience, type Landings, type Way } from './conversion.present.ts'
import { getConversion, listConversions, listConversionsOfClick, type ConversionListRow } from './conversion.queries.ts'
import { showPostbacksOut } from './life/postbacks-out.service.ts'

/** What affiliates do not see, or not as it is kept. */
const STAFF_ORDERS: ReadonlySet<string> = new Set(['revenue', 'profit', 'amount', 'reason'])

/** One page of the conversions in scope as the caller may see them, of those there were when the first page was asked for. */
export async function showConversions(
  db: Db,
  now: number,
  actor: Actor,
  input: z.output<typeof conversionApi.list.body>,
): Promise<z.input<typeof conversionApi.list.response>> {
  const { asked, numbers, until } = await readConversionFilters(db, now, actor, input)
  const { rows, amounts, list, after } = await listConversions(db, actor.scope, asked, numbers, until)
  const { shown, audience } = await presentConversions(db, actor, list)
  return {
    list: shown,
    total: sumsOf(list, audience),
    summary: { rows, totals: { amounts: presentSums(amounts, audience) } },
    until: until.toISOString(),
    after,
  }
}

type Asked = z.output<typeof conversionApi.list.body>

/** What a filter of conversions is about, as queries take it: its days as moments, its traffic, the numbers of what it names. Throws `forbidden`. */
export async function readConversionFilters<Input extends Omit<Asked, 'traffic'> & Partial<Pick<Asked, 'traffic'>>>(
  db: DbOrTrx,
  now: number,
  actor: Actor,
  input: Input,
) {
  // what nobody shows somebody is not told by the order of rows either
  const sorted = isFilter(input.sort) ? [input.sort] : []
  refuseForbidden(actor, [...usedFilters(input.filters), ...sorted], STAFF_ORDERS.has(input.sort) ? ['revenue'] : [])
  const both = input.traffic === null && (input.offer_type !== 'api' || input.search !== '')
  const traffic = trafficOf(both ? 'all' : input.traffic, actor.scope)
  const asked = { ...input, traffic, ...(input.period && moments(resolvePeriod(input.period, input.zone ?? actor.timeZone, now).range)) }
  return { asked, numbers: await numbersOf(db, actor, input.filters), until: new Date(input.until ?? now) }
}

/** Rows of a list as the caller may see them, each with the names of its landings. */
export async function presentConversions(db: Db, actor: Actor, list: readonly ConversionListRow[]) {
  const landings = await nameLandings(db, actor.scope, list)
  const { audience, wholeAddress } = await audienceOf(db, actor)
  return { shown: list.map((row) => presentConversion(row, landings, audience, wholeAddress)), audience }
}

/** One conversion in scope as the caller may see it, by uuid or number. Throws `not_found`. */
export async function showConversion(db: Db, actor: Actor, key: string): Promise<z.input<typeof conversion>> {
  const row = await getConversion(db, actor.scope, key)
  if (row === undefined) throw new AppError('not_found')
  const landings = await nameLandings(db, actor.scope, [row])
  const { audience, wholeAddress } = await audienceOf(db, actor)
  return presentConversion(row, landings, audience, wholeAddress)
}

/** The conversions of one click in scope, oldest first, by whichever of its ids they were reported, and what the affiliate was told of them, as the caller may see it. */
export async function showConversionsOfClick(db: Db, actor: Actor, clickIds: readonly string[]) {
  const rows = await listConversionsOfClick(db, actor.scope, clickIds)
  const landings = await nameLandings(db, actor.scope, rows)
  const { audience, wholeAddress } = await audienceOf(db, actor)
  return {
    conversions: rows.map((row) => presentConversion(row, landings, audience, wholeAddress)),
    postbacks_out: await showPostbacksOut(db, rows),
  }
}

/** For whom conversions are presented, and whether visitors' addresses are shown whole. */
export async function audienceOf(db: Db, actor: Actor): Promise<{ audience: Audience; wholeAddress: boolean }> {
  const audience = may(actor, 'report.money') ? 'staff' : 'affiliate'
  return { audience, wholeAddress: audience === 'staff' || (await getGeneralSettings(db)).whole_addresses }
}

/** The names of all landings of some rows, in two queries however many rows there are. */
export async function nameLandings(db: Db, scope: Scope, rows: readonly Way[]): Promise<Landings> {
  const landingOf = await namesIn(db, scope, rows, 'landing')
  const prelandingOf = await namesIn(db, scope, rows, 'prelanding')
  return ({ landing, prelanding }) => ({ landing: landingOf(landing), prelanding: prelandingOf(prelanding) })
}
