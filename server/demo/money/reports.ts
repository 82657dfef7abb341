import { conversionImportApi } from '#contract/traffic/conversion-import.ts'
import { reconciliationApi, type Reconciliation } from '#contract/money/reconciliation.ts'
import type { Actor } from '#server/access/actor.ts'
import { startApplying } from '#server/features/money/reconciliation/choose.service.ts'
import { askMatch, confirmZone, showBatch, uploadReport } from '#server/features/money/reconciliation/reconciliation.service.ts'
import { workOffReconciliation } from '#server/features/money/reconciliation/reconciliation.jobs.ts'
import { runConversionImports } from '#server/features/traffic/conversion-import/conversion-import.jobs.ts'
import { readImport, startImport } from '#server/features/traffic/conversion-import/conversion-import.service.ts'
import type { Clickhouse } from '#server/platform/clickhouse/client.ts'
import type { Db } from '#server/platform/pg/database.ts'
import type { DecidedClick } from '#server/rules/click/click-row.ts'
import type { TicketPeople } from '../tickets/make.ts'
import { reportOf, type Known } from './report-file.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

type Parts = { db: Db; clickhouse: Clickhouse }
/** Clicks that came to nothing, and what their ids are. */
type Spare = { unconverted: readonly DecidedClick[]; test: readonly DecidedClick[]; idOf: (click: DecidedClick) => string }

/** Reports of two advertisers: one was applied last week, the other waits with its differences. And a file of results that was imported. */
export async function makeReports(parts: Parts, now: number, { head, admin }: TicketPeople, spare: Spare): Promise<void> {
  const applied = await match(parts, now - 3 * DAY, head, {
    name: 'Velvet Match',
    file: 'velvet-match-results.csv',
    days: [12, 6],
    hours: 1,
    spare,
  })
  if (applied !== null) await apply(parts, now - 3 * DAY + HOUR, head, applied)
  await match(parts, now - 5 * HOUR, head, { name: 'Otter Gaming', file: 'otter-gaming-statement.csv', days: [13, 3], hours: -5, spare })
  await importResults(parts, now - 26 * HOUR, admin, 'Brightbyte Apps')
}

type Report = { name: string; file: string; days: readonly [number, number]; hours: number; spare: Spare }

/** Uploads a report and has it matched. `hours` is how far the clock of the advertiser's system is from ours. */
async function match(parts: Parts, now: number, by: Actor, { name, file, days: [from, to], hours, spare }: Report) {
  const { db } = parts
  const advertiser = await db.selectFrom('advertiser').select(['id', 'uuid']).where('name', '=', name).executeTakeFirst()
  if (advertiser === undefined) return null
  const known = await knownOf(db, advertiser.id, now - (from + 2) * DAY, now - (to - 2) * DAY)
  const period = { from: dayOf(now - from * DAY), to: dayOf(now - to * DAY) }
  const ofThem = (clicks: readonly DecidedClick[]) =>
    clicks.filter((click) => click.advertiser === advertiser.id).map((click) => ({ clickId: spare.idOf(click), at: click.click.at }))
  const text = reportOf(known, { period, hours, unknown: ofThem(spare.unconverted), tests: ofThem(spare.test) })
  const asked = reconciliationApi.read.query.parse({ name: file, advertiser_uuid: advertiser.uuid })
  const read = await uploadReport({ db, limit: () => () => {} }, now, by, asked, Buffer.from(text))
  const { uuid, revision, reading } = read
  await askMatch(db, now + 60_000, by, uuid, { revision, period, reading: { ...reading, numbers: 'comma', dates: 'dmy' } })
  await workOff(parts, now + 90_000)
  return showBatch(db, uuid)
}

async function apply(parts: Parts, now: number, by: Actor, batch: Reconciliation): Promise<void> {
  const { db } = parts
  const { revision } = await confirmZone(db, now, by, batch.uuid, { revision: batch.revision, offset: batch.offset })
  // nothing is sent to anybody
  await startApplying(db, now + HOUR, by, batch.uuid, { revision, postbacks: false })
  await workOff(parts, now + HOUR)
}

async function workOff(parts: Parts, now: number): Promise<void> {
  while (await workOffReconciliation(parts, now));
}

/** What the advertiser decided of some that were pending, as a file somebody got by mail. */
async function importResults({ db, clickhouse }: Parts, at: number, by: Actor, name: string): Promise<void> {
  const pending = await db
    .selectFrom('conversion as c')
    .innerJoin('advertiser as v', 'v.id', 'c.advertiser_id')
    .select(['c.uuid', 'c.status'])
    .where('v.name', '=', name)
    .where('c.created_at', '<', new Date(at - DAY))
    .where('c.test', '=', false)
    .where('c.status', 'in', ['pending', 'hold'])
    .orderBy('c.id', 'desc')
    .limit(24)
    .execute()
  const line = ({ uuid, status }: (typeof pending)[number], place: number) =>
    place % 6 === 5 ? `${uuid},declined,Install from a device farm` : `${uuid},${status === 'hold' ? 'hold' : 'approved'},`
  const text = ['conversion_id,status,reason', ...pending.map(line), '00000000-0000-4000-8000-000000000000,approved,'].join('\n')
  const asked = conversionImportApi.read.query.parse({ name: 'brightbyte-decisions.csv' })
  const draft = await readImport({ db, limit: () => () => {} }, at, by, asked, Buffer.from(text))
  await startImport(db, at, by, draft.uuid, {
    mapping: draft.mapping,
    words: [],
    advertiser_uuid: null,
    amount_is_sale: false,
    dates: 'auto',
  })
  while (await runConversionImports({ db, clickhouse }, at));
}

function knownOf(db: Db, advertiser: number, from: number, to: number): Promise<Known[]> {
  return db
    .selectFrom('conversion as c')
    .innerJoin('offer as o', 'o.id', 'c.offer_id')
    .innerJoin('goal as g', 'g.id', 'c.goal_id')
    .select([
      'c.transaction_id',
      'c.click_id',
      'c.created_at',
      'c.status',
      'c.reason',
      'c.revenue',
      'c.currency',
      'o.title',
      'g.title as goal',
    ])
    .where('c.advertiser_id', '=', advertiser)
    .where('c.test', '=', false)
    .where('c.created_at', '>=', new Date(from))
    .where('c.created_at', '<', new Date(to))
    .orderBy('c.created_at')
    .orderBy('c.id')
    .execute()
}

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}
