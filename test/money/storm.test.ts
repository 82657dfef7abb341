import { expect, test } from 'vitest'
import { findDifferences } from '#server/features/money/ledger/check.service.ts'
import { cloneDatabase } from '#test/support/run/database.ts'
import { broken } from './invariants.ts'
import { rage } from './storm.ts'
import { makeWorld } from './world.ts'

const IS_LONG = process.env['TORTURE'] !== undefined
const OPERATIONS = Number(process.env['OPERATIONS'] ?? (IS_LONG ? 100_000 : 5000))

test('sixteen connections at once, of which one is cut off now and then, leave the books sound', { timeout: 7_200_000 }, async () => {
  const database = await cloneDatabase()
  try {
    const world = await makeWorld(database.db, { clicks: Math.max(256, OPERATIONS / 20), affiliates: 3 })
    world.latest = 5
    const seed = process.env['SEED'] === 'random' ? Date.now() % 2 ** 31 : Number(process.env['SEED'] ?? '20261121')
    const at = performance.now()
    const storm = await rage(world, database.url, { operations: OPERATIONS, connections: 16, seed, killEvery: 50, papers: IS_LONG ? 1 : 3 })
    console.log(
      `${OPERATIONS} operations in ${Math.round(performance.now() - at)} ms (SEED=${seed}): ${storm.done} done, ${storm.refused} refused, ${storm.cut} cut off`,
    )
    // a deadlock, or whatever is no answer of the product
    expect(storm.faults).toEqual([])
    expect(storm.done).toBeGreaterThan(OPERATIONS / 3)
    expect(storm.cut).toBeGreaterThan(0)
    expect(await broken(database.db)).toEqual([])
    expect(await findDifferences(database.db)).toEqual([])
  } finally {
    await database.drop()
  }
})
