import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { soundBooks } from '#test/support/books.ts'
import { killRounds } from '#test/support/kill-rounds.ts'
import { startNetwork, type Network } from '#test/support/network.ts'

let network: Network

beforeAll(async () => {
  network = await startNetwork()
}, 60_000)
afterAll(() => network.stop(), 60_000)

describe('a process that is killed under clicks and postbacks comes back, and every click and conversion is there once', () => {
  // the tracker has rounds of its own in tracker.test.ts
  test.each(['events', 'api', 'ingester'] as const)('%s', { timeout: 120_000 }, async (victim) => {
    const { seen, differences } = await killRounds(network, victim, 2)
    expect(differences).toEqual({ ...soundBooks(seen.transactions.size), rows: seen.redirected.size })
    expect({ wrong: seen.wrong, broken: seen.broken }).toEqual({ wrong: [], broken: 0 })
    expect(seen.transactions.size).toBeGreaterThan(20)
  })
})
