import { afterAll, beforeAll, expect, test } from 'vitest'
import { findDifferences } from '#server/features/money/ledger/check.service.ts'
import { openDatabase, type Db } from '#server/platform/pg/database.ts'
import { dayIn } from '#server/rules/zone-day.ts'
import { cloneDatabase, type TestDatabase } from '#test/support/run/database.ts'
import { answer, type Answer, type Ask } from './ask.ts'
import { broken } from './invariants.ts'
import { makeWorld, newKey, type World } from './world.ts'

/** So many runs, files and results are each started by several at the same moment, or as many as so many minutes have room for. */
const IS_LONG = process.env['TORTURE'] !== undefined
const ROUNDS = Number(process.env['ROUNDS'] ?? (IS_LONG ? 1000 : 12))
const MINUTES = Number(process.env['MINUTES'] ?? Infinity)
let database: TestDatabase
let world: World
let pools: Db[]
beforeAll(async () => {
  database = await cloneDatabase()
  world = await makeWorld(database.db, { clicks: 16 * 2 * (ROUNDS + 1), affiliates: 2 })
  pools = Array.from({ length: 4 }, () => openDatabase(database.url, { max: 1, lazyCommits: true }))
})
afterAll(async () => {
  await Promise.all(pools.map((pool) => pool.destroy()))
  await database.drop()
})

/** The same asked by all at the same moment, the first and the third by the same person. */
const together = (asks: readonly Ask[]): Promise<Answer[]> =>
  Promise.all(asks.map((ask, at) => answer(world, pools[at]!, world.staff[at % 2]!, ask)))
const told = (answers: readonly Answer[]) => answers.map((one) => (one.done ? 'done' : one.code))
const times = <Item>(item: Item, many = 4): Item[] => Array.from({ length: many }, () => item)

test('runs, releases and results that several start at once happen once', { timeout: 7_200_000 }, async () => {
  const { db, affiliates } = world
  let paid = 0
  let round = 0
  const at = performance.now()
  for (; round < ROUNDS && performance.now() - at < MINUTES * 60_000; round++) {
    if (IS_LONG && round % 50 === 0) console.log(`${round} rounds`)
    // tries of a password are counted by the hour
    world.now += 3_600_000
    // an approved conversion of each affiliate, of the offer in dollars that holds nothing
    for (const [place] of affiliates.entries()) {
      const click = round * 32 + place * 16
      expect(await answer(world, db, world.staff[0], { do: 'report', click, status: 'approved', amount: '123.45' })).toMatchObject({
        done: true,
      })
    }
    world.now += 1000
    const until = dayIn(world.now, 'UTC')
    // the same call twice, and two more of their own
    const key = newKey()
    const run = (its: string): Ask => ({ do: 'run', key: its, affiliates: [], until })
    const runs = await together([run(key), run(key), run(newKey()), run(newKey())])
    expect(told(runs).filter((one) => one === 'done').length).toBeGreaterThan(0)
    const drafts = await db.selectFrom('invoice').select(['uuid', 'revision', 'affiliate_id']).where('status', '=', 'draft').execute()
    expect(drafts.map(({ affiliate_id }) => affiliate_id).toSorted()).toEqual(affiliates.map(({ id }) => id).toSorted())
    for (const { uuid: invoice, revision } of drafts) {
      expect(told(await together(times({ do: 'send', invoice, revision }, 2))).toSorted()).toEqual(['done', 'invoice_changed'])
      const approve: Ask = { do: 'approve', invoice, revision: revision + 1, leave: false, owing: false }
      // who asked first is answered the same again, the other one is told that it changed
      expect(told(await together(times(approve))).toSorted()).toEqual(['done', 'done', 'invoice_changed', 'invoice_changed'])
    }
    const fileKey = newKey()
    const file = (its: string): Ask => ({ do: 'file', key: its, currency: 'USD', affiliates: [], owing: [] })
    const files = await together([file(fileKey), file(newKey()), file(fileKey), file(newKey())])
    expect(new Set(files.flatMap((one) => (one.done ? one.made : [])))).toHaveProperty('size', 1)
    const [made = ''] = files.flatMap((one) => (one.done ? one.made : []))
    expect(told(await together(times({ do: 'release file', file: made }))).toSorted()).toEqual([
      'done',
      'done',
      'status_not_allowed',
      'status_not_allowed',
    ])
    const payouts = await db.selectFrom('payout').select('uuid').where('state', '=', 'sent').execute()
    expect(payouts).toHaveLength(affiliates.length)
    for (const { uuid: payout } of payouts) {
      const results = told(await together(times({ do: 'result', payout, becomes: 'settled', fee: '0' })))
      // who says it twice is answered as the first time
      expect(results.toSorted()).toEqual(['done', 'done', 'status_not_allowed', 'status_not_allowed'])
      paid++
    }
  }
  console.log(`${round} rounds in ${Math.round(performance.now() - at)} ms`)
  const settled = await db.selectFrom('payment').select(['invoice_id', 'state']).execute()
  expect(new Set(settled.map(({ invoice_id }) => invoice_id)).size).toBe(paid)
  expect(settled.map(({ state }) => state)).toEqual(times('settled', paid))
  expect(await broken(db)).toEqual([])
  expect(await findDifferences(db)).toEqual([])
})
