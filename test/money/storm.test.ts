import { expect, test } from 'vitest'
import { findDifferences } from '#server/features/money/ledger/check.service.ts'
import { openDatabase } from '#server/platform/pg/database.ts'
import { cloneDatabase } from '#test/support/run/database.ts'
import { broken } from './invariants.ts'
import { patient, rage } from './storm.ts'
import { makeWorld } from './world.ts'

const IS_LONG = process.env['TORTURE'] !== undefined
const OPERATIONS = Number(process.env['OPERATIONS'] ?? (IS_LONG ? 100_000 : 5000))
/** The books are looked at after each of so many parts: a long run that is cut short has said something by then. */
const PARTS = IS_LONG ? 10 : 1

test('sixteen connections at once, of which one is cut off now and then, leave the books sound', { timeout: 7_200_000 }, async () => {
  const database = await cloneDatabase()
  const db = openDatabase(patient(database.url))
  try {
    const world = await makeWorld(db, { clicks: Math.max(256, OPERATIONS / 20), affiliates: 3 })
    world.latest = 5
    const seed = process.env['SEED'] === 'random' ? Date.now() % 2 ** 31 : Number(process.env['SEED'] ?? '20261121')
    const at = performance.now()
    const sum = { done: 0, refused: 0, cut: 0, kills: 0, slow: 0 }
    const faults: string[] = []
    for (let part = 0; part < PARTS; part++) {
      const storm = await rage(world, database.url, {
        operations: Math.ceil(OPERATIONS / PARTS),
        connections: 16,
        seed: seed + part,
        killEvery: 50,
        papers: IS_LONG ? 1 : 3,
      })
      for (const name of ['done', 'refused', 'cut', 'kills', 'slow'] as const) sum[name] += storm[name]
      // a deadlock, or whatever is no answer of the product; the books are looked at even so
      const found = [...storm.faults, ...(await broken(db)), ...(await findDifferences(db)).map((one) => JSON.stringify(one))]
      faults.push(...found.map((fault) => `part ${part + 1} (SEED=${seed}): ${fault}`))
      console.log(
        `part ${part + 1} of ${PARTS} (SEED=${seed}), ${Math.round(performance.now() - at)} ms: ${sum.done} done, ${sum.refused} refused, ${sum.cut} cut off by ${sum.kills} kills, ${sum.slow} slow; ${found.length} faults: ${found.slice(0, 5).join('\n')}`,
      )
    }
    expect(faults).toEqual([])
    expect(sum.done).toBeGreaterThan(OPERATIONS / 3)
    expect(sum.cut).toBeGreaterThan(0)
  } finally {
    await db.destroy()
    await database.drop()
  }
})
