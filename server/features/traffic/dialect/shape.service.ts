import type { z } from 'zod'
import { toUnits } from '#contract/money/amount.ts'
import { numbersUnder, type Dialect } from '#contract/traffic/dialect.ts'
import type { shapeApi } from '#contract/traffic/shape.ts'
import type { Actor } from '#server/access/actor.ts'
import { requireCurrency } from '#server/features/money/currency/currency.service.ts'
import { getAdvertiser, type AdvertiserRow } from '#server/features/people/advertiser/advertiser.queries.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import { getIncomingSettings } from '#server/features/traffic/postback/incoming/incoming.queries.ts'
import { rehearseReplay, replayIncoming } from '#server/features/traffic/postback/incoming/replay.service.ts'
import type { Clickhouse } from '#server/platform/clickhouse/client.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db, DbOrTrx } from '#server/platform/pg/database.ts'
import { sameJson } from '#server/platform/same-json.ts'
import { columnsOf, type Sample } from '#server/rules/conversion/dialect/columns.ts'
import { findPreset, PRESETS } from '#server/rules/conversion/dialect/presets.ts'
import { kindOf } from '#server/rules/conversion/postback-names.ts'
import { isEarnedIn } from '#server/rules/conversion/dialect/naming.ts'
import { readAmount } from '#server/rules/conversion/amount-reading.ts'
import { proposeDialect, type Field } from '#server/rules/conversion/dialect/propose.ts'
import { getDialect, listFixedPrices, listGoalCodes } from './dialect.queries.ts'
import { addVersion } from './dialect.service.ts'
import { countOfShape, listOfShape, offersLacking } from './shape.queries.ts'

type Parts = { db: Db; clickhouse: Clickhouse }
type Named = { advertiser_uuid: string; shape: string }
/** How trackers call a further payment, and the goal it is booked as. */
const REBILL = 'rebill'
const MOST_LACKING = 5
const MOST_SAMPLES = 200
const MOST_APPLIED = 500

/** How calls of a shape are probably to be read. Throws `not_found`. */
export async function proposeForShape(
  db: Db,
  actor: Actor,
  { advertiser_uuid, shape }: Named,
): Promise<z.input<typeof shapeApi.propose.response>> {
  const advertiser = await advertiserOf(db, actor, advertiser_uuid)
  const calls = await listOfShape(db, advertiser.id, shape, MOST_SAMPLES)
  if (calls.length === 0) throw new AppError('not_found')
  const [row, goals, { statuses }] = [
    await getDialect(db, advertiser.id),
    await listGoalCodes(db, advertiser.id),
    await getIncomingSettings(db),
  ]
  const words = new Set([...advertiser.postback_words.map(({ word }) => word), ...Object.keys(statuses)].map((word) => word.toLowerCase()))
  const saved = row?.dialect ?? null
  const samples = calls.map(({ click_id, unknown, ...call }) => ({ call, clickId: click_id, unknown }))
  const {
    dialect,
    fields,
    words: open,
  } = proposeDialect(samples, {
    goals,
    words,
    current: saved,
    presets: PRESETS,
    sharing: goals.some(({ sharing }) => sharing),
  })
  return {
    version: row?.version ?? 0,
    dialect,
    preset_title: findPreset(dialect.preset)?.title ?? '',
    replaces: saved === null || saved.preset === dialect.preset ? null : (findPreset(saved.preset)?.title ?? ''),
    fields,
    words: open,
    goals: goals.map(({ code, title }) => ({ code, title })),
    rebills: tellsRebills(samples, fields) ? await offersLacking(db, advertiser.id, shape, REBILL, MOST_LACKING) : [],
    amount:
      (goals.some(({ sharing }) => sharing) ? unsold(fields, dialect) : null) ??
      placeless(fields, { saved, dialect }, await listFixedPrices(db, advertiser.id)),
  }
}

/** Whether calls say under a status or an event that somebody paid again. */
function tellsRebills(samples: readonly Sample[], fields: readonly Field[]): boolean {
  const told = new Set(fields.flatMap(({ name, means }) => (means === 'status' || means === 'goal' ? [name.toLowerCase()] : [])))
  return columnsOf(samples).columns.some(
    ({ name, values }) => told.has(name.toLowerCase()) && values.some((value) => value.toLowerCase() === REBILL),
  )
}

/** The amount of calls about goals that share a sale, where it may be what the sale brought and none is sure: by any preset somebody has to say. */
function unsold(fields: readonly Field[], { preset }: Dialect) {
  const told = fields.filter(({ calls }) => calls > 0)
  if (told.some(({ name, means }) => means === 'sale' || (means === 'amount' && !isEarnedIn(preset, name)))) return null
  const mayBe = ({ name, means }: Field) => means === 'amount' || (means === null && kindOf(name) === 'amount?')
  const field = told.find((one) => isEarnedIn(preset, one.name) && mayBe(one))
  return field === undefined ? null : { name: field.name, samples: field.samples, shares: true, prices: [] }
}

/** The amount of calls about goals with a price of their own, where it is another: nobody has said yet whether it is our revenue, the payout, or neither. */
function placeless(
  fields: readonly Field[],
  { saved, dialect }: { saved: Dialect | null; dialect: Dialect },
  prices: Awaited<ReturnType<typeof listFixedPrices>>,
) {
  const field = fields.find(({ means, calls }) => means === 'amount' && calls > 0)
  if (field === undefined || prices.length === 0) return null
  if (saved?.names.some(({ name }) => name.toLowerCase() === field.name.toLowerCase()) === true) return null
  const isPrice = (sample: string) => {
    const numbers = numbersUnder(dialect, field.name)
    const format = numbers === 'auto' || numbers === 'unsaid' ? undefined : numbers
    const reading = readAmount(sample, { number: false, currency: prices[0]?.currency ?? 'USD', format })
    if (reading === null || !('amount' in reading)) return false
    const units = toUnits(reading.amount)
    return units === 0n || prices.some(({ payout, revenue }) => units === toUnits(payout) || units === toUnits(revenue))
  }
  return field.samples.every(isPrice) ? null : { name: field.name, samples: field.samples, shares: false, prices }
}

/** What the kept calls of a shape would book by a dialect nobody has saved. Throws `not_found`. */
export async function rehearseShape(
  parts: Parts,
  now: number,
  actor: Actor,
  { advertiser_uuid, shape, dialect }: Named & { dialect: Dialect },
): Promise<z.input<typeof shapeApi.rehearse.response>> {
  const advertiser = await advertiserOf(parts.db, actor, advertiser_uuid)
  const ids = (await listOfShape(parts.db, advertiser.id, shape, MOST_APPLIED)).map(({ id }) => id)
  const as = { advertiserId: advertiser.id, spoken: { version: 0, dialect, secret: null } }
  const { sums, full, applied, unauthorized, failed } = await rehearseReplay(parts, now, ids, { as })
  return {
    calls: await countOfShape(parts.db, advertiser.id, shape),
    looked: ids.length,
    applied,
    sums,
    full,
    unauthorized,
    failed: counted(failed),
  }
}

/**
 * Saves a dialect and applies the kept calls of a shape by it. Where somebody else has just saved the same one, only the
 * calls are applied, each of them once. Throws `not_found`, `conflict`, `unknown_reference`.
 */
export async function applyToShape(
  parts: Parts,
  now: number,
  actor: Actor,
  { advertiser_uuid, shape, dialect, version, before }: z.output<typeof shapeApi.apply.body>,
): Promise<z.input<typeof shapeApi.apply.response>> {
  const { db } = parts
  const saved = await db.transaction().execute(async (trx) => {
    const advertiser = await advertiserOf(trx, actor, advertiser_uuid, true)
    const last = await getDialect(trx, advertiser.id)
    if (last !== undefined && sameJson(last.dialect, dialect)) return { advertiser, version: last.version }
    if (dialect.currency !== null) await requireCurrency(trx, dialect.currency)
    return { advertiser, version: await addVersion(trx, now, actor, { advertiserId: advertiser.id, seen: version, dialect, secret: null }) }
  })
  const rows = await listOfShape(db, saved.advertiser.id, shape, MOST_APPLIED, before)
  const ids = rows.map(({ id }) => id)
  const { replayed, unauthorized, failed } = await replayIncoming(parts, now, ids)
  await recordAudit(db, actor, now, {
    action: 'replay',
    entity: 'postback',
    entityId: 'in',
    after: { ids, replayed, dialect_version: saved.version },
  })
  return {
    version: saved.version,
    replayed,
    unauthorized,
    failed: counted(failed),
    before: rows.length < MOST_APPLIED ? null : (ids.at(-1) ?? null),
  }
}

async function advertiserOf(db: DbOrTrx, actor: Actor, uuid: string, lock = false): Promise<AdvertiserRow> {
  const advertiser = await getAdvertiser(db, actor.scope, uuid, lock)
  if (advertiser === undefined) throw new AppError('not_found')
  return advertiser
}

/** Each reason once, the most frequent first. */
function counted(failed: readonly { reason: string; parameter: string }[]): { reason: string; parameter: string; calls: number }[] {
  const counts = new Map<string, { reason: string; parameter: string; calls: number }>()
  for (const { reason, parameter } of failed) {
    const key = `${reason} ${parameter}`
    const one = counts.get(key) ?? { reason, parameter, calls: 0 }
    counts.set(key, { ...one, calls: one.calls + 1 })
  }
  return [...counts.values()].toSorted((a, b) => b.calls - a.calls)
}
