import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findDifferences } from '#server/features/money/ledger/check.service.ts'
import { openDatabase, type Db } from '#server/platform/pg/database.ts'
import { cloneDatabase, type TestDatabase } from '#test/support/run/database.ts'
import { answer, type Ask } from './ask.ts'
import { broken } from './invariants.ts'
import { parse } from './naive.ts'
import { CURRENCIES, makeWorld, type World } from './world.ts'

const IS_LONG = process.env['TORTURE'] !== undefined
const INVOICES = IS_LONG ? 100 : 16
let database: TestDatabase
let world: World
let used = 0
beforeAll(async () => {
  database = await cloneDatabase()
  world = await makeWorld(database.db, { clicks: 16 * 400, affiliates: 2 })
})
afterAll(() => database.drop())

const ask = async (asked: Ask, db: Db = world.db) => {
  const told = await answer(world, db, world.staff[0], asked)
  return told.done ? told.made : Promise.reject(new Error(told.code))
}

/** Approved conversions of an affiliate in a currency, of clicks nobody has used. */
async function earn(affiliate: number, currency: string, amounts: readonly number[]): Promise<{ uuid: string; click: number }[]> {
  const { clicks, offers } = world
  const offer = offers.find(({ terms, holdDays }) => terms.currency === currency && holdDays === 0)
  const free = clicks.flatMap((click, at) => (at >= used && click.offerId === offer?.terms.id && click.affiliateId === affiliate ? at : []))
  const made: { uuid: string; click: number }[] = []
  for (const [place, cents] of amounts.entries()) {
    const click = free[place] ?? 0
    const [uuid = ''] = await ask({
      do: 'report',
      click,
      status: 'approved',
      amount: `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`,
    })
    made.push({ uuid, click })
    used = click + 1
  }
  return made
}

/** All that stands in the books and on conversions. */
async function all(): Promise<string[]> {
  const { rows } = await sql<{ row: string }>`
    select kind || ' ' || owner_id || ' ' || currency || ' ' || trim_scale(balance) as row from ledger_account where balance <> 0
    union all select id || ' ' || status || ' ' || payment_state || ' ' || trim_scale(invoiced) || ' ' || trim_scale(billed) from conversion order by 1`.execute(
    world.db,
  )
  return rows.map(({ row }) => row)
}
const stateOf = (uuid: string) =>
  world.db
    .selectFrom('invoice')
    .select(['uuid as invoice', 'revision', 'net', 'vat', 'total'])
    .where('uuid', '=', uuid)
    .executeTakeFirstOrThrow()

test('an invoice that is made and freed again, by whatever way, leaves everything as it was', { timeout: 600_000 }, async () => {
  const ways = fc.constantFrom('delete', 'decline', 'cancel', 'take off', 'refresh')
  const cents = fc.array(fc.integer({ min: 1, max: 999_999 }), { minLength: 1, maxLength: 4 })
  await fc.assert(
    fc.asyncProperty(cents, fc.constantFrom(...Object.keys(CURRENCIES)), fc.nat(1), ways, async (amounts, currency, place, way) => {
      world.now += 1000
      const rows = await earn(world.affiliates[place]!.id, currency, amounts)
      const before = await all()
      const [invoice = ''] = await ask({ do: 'pick', uuids: rows.map(({ uuid }) => uuid), clicks: [], owing: false })
      const step = async (name: 'send' | 'decline' | 'remove' | 'cancel' | 'refresh') => ask({ do: name, ...(await stateOf(invoice)) })
      const { net, vat, total } = await stateOf(invoice)
      expect(parse(net) + parse(vat)).toBe(parse(total))
      if (way === 'take off') {
        const { rows: lines } = await sql<{
          id: string
        }>`select l.id from invoice_line l join invoice i on i.id = l.invoice_id where i.uuid = ${invoice}`.execute(world.db)
        await ask({
          do: 'take off',
          ...(await stateOf(invoice)),
          lines: lines.map(({ id }) => ({ id: Number(id), click: null, adjustment: null })),
        })
      } else if (parse(net) > 0n && way !== 'delete') {
        if (way === 'refresh') await step('refresh')
        await step('send')
        if (way === 'cancel') {
          await ask({ do: 'approve', ...(await stateOf(invoice)), leave: false, owing: false })
          await step('cancel')
        } else await step(way === 'decline' ? 'decline' : 'remove')
      } else await step('remove')
      expect(await all()).toEqual(before)
    }),
    { numRuns: IS_LONG ? 300 : 6, endOnFailure: true },
  )
  expect(await findDifferences(database.db)).toEqual([])
})

/** A database in which one in three transactions is taken back at its very end. */
function unlucky(db: Db, random: () => number): Db {
  const transaction = () => ({
    execute: <Result>(work: Parameters<ReturnType<Db['transaction']>['execute']>[0]) =>
      db.transaction().execute(async (trx) => {
        const result = await work(trx)
        if (random() < 0.34) throw new TakenBack()
        return result as Result // whatever the work answers
      }),
  })
  return new Proxy(db, { get: (its, name) => (name === 'transaction' ? transaction : Reflect.get(its, name, its)) })
}
class TakenBack extends Error {}

test('numbers have no gap and no double, however many are given at once and whatever is taken back', { timeout: 600_000 }, async () => {
  const waiting: string[] = []
  for (let place = 0; place < INVOICES; place++) {
    world.now += 1000
    const [row] = await earn(world.affiliates[0]!.id, place % 2 === 0 ? 'USD' : 'JPY', [12_345 + place])
    const [invoice = ''] = await ask({ do: 'pick', uuids: [row?.uuid ?? ''], clicks: [], owing: false })
    await ask({ do: 'send', ...(await stateOf(invoice)) })
    waiting.push(invoice)
  }
  const pools = Array.from({ length: 8 }, () => openDatabase(database.url, { max: 1, lazyCommits: true }))
  const seed = Number(process.env['SEED'] ?? 7) || 7
  let drawn = seed
  const random = () => (drawn = (drawn * 48_271) % 2_147_483_647) / 2_147_483_647
  const queue = waiting.values()
  let takenBack = 0
  await Promise.all(
    pools.map(async (pool) => {
      const db = unlucky(pool, random)
      for (const invoice of queue) {
        let isDone = false
        while (!isDone) {
          const asked: Ask = { do: 'approve', ...(await stateOf(invoice)), leave: false, owing: false }
          isDone = await ask(asked, db).then(
            () => true,
            (error: unknown) => {
              if (!(error instanceof TakenBack)) throw error
              takenBack++
              return false
            },
          )
        }
      }
    }),
  )
  await Promise.all(pools.map((pool) => pool.destroy()))
  expect(takenBack).toBeGreaterThan(1)
  const numbers = await world.db.selectFrom('invoice').select(['series_number']).where('uuid', 'in', waiting).execute()
  expect(new Set(numbers.map(({ series_number }) => series_number)).size).toBe(INVOICES)
  expect(await broken(database.db)).toEqual([])
  expect(await findDifferences(database.db)).toEqual([])
})
