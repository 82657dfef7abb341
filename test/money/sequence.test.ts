import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findDifferences } from '#server/features/money/ledger/check.service.ts'
import { cloneDatabase } from '#test/support/run/database.ts'
import { wish } from './choose.ts'
import { follow } from './sequence.ts'
import { makeWorld } from './world.ts'

/**
 * How long a sequence is, and how many there are. A failure names its seed and its step: `SEED=<seed> STEPS=<step + 1>` runs that much
 * of it again, and `SHRINK=1` looks for a shorter one.
 */
const IS_LONG = process.env['TORTURE'] !== undefined
const STEPS = Number(process.env['STEPS'] ?? (IS_LONG ? 1500 : 400))
const RUNS = IS_LONG ? 20 : 1

test('whatever is asked one after the other, every answer and after it every balance is the model’s', { timeout: 1_800_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.noBias(wish), { minLength: 1500, maxLength: 1500 }), async (wishes) => {
      const database = await cloneDatabase()
      try {
        const world = await makeWorld(database.db, { clicks: 48, affiliates: 2 })
        const { codes } = await follow(world, wishes.slice(0, STEPS))
        // enough of it was done, and refused, to mean something
        if (STEPS >= 400) {
          expect(codes.size).toBeGreaterThan(40)
          expect([...codes]).toContain('receive exchanged done')
          expect([...codes]).toContain('pay exchanged done')
        }
        expect(await findDifferences(database.db)).toEqual([])
      } finally {
        await database.drop()
      }
    }),
    { numRuns: RUNS, endOnFailure: process.env['SHRINK'] === undefined },
  )
})
