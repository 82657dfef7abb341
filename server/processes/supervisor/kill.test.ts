import { afterAll, beforeAll, expect, test } from 'vitest'
import { soundBooks } from '#test/support/fault/books.ts'
import { killRounds } from '#test/support/fault/kill-rounds.ts'
import { startNetwork, type Network } from '#test/support/run/network.ts'

let network: Network

beforeAll(async () => {
  network = await startNetwork()
}, 60_000)
afterAll(() => network.stop(), 60_000)

test(
  'processes that are killed under clicks and postbacks come back, and every click and conversion is there once',
  {
    timeout: 240_000,
  },
  async () => {
    // one round each; the tracker has its own in tracker.test.ts, and kill.torture.ts more of all
    const { seen, differences } = await killRounds(network, ['events', 'api', 'ingester'], 1)
    expect(differences).toEqual({ ...soundBooks(seen.transactions.size), rows: seen.redirected.size })
    expect({ wrong: seen.wrong, broken: seen.broken }).toEqual({ wrong: [], broken: 0 })
    expect(seen.transactions.size).toBeGreaterThan(15)
  },
)
