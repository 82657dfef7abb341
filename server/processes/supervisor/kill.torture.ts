import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { soundBooks } from '#test/support/fault/books.ts'
import { killRounds } from '#test/support/fault/kill-rounds.ts'
import { startNetwork, type Network } from '#test/support/run/network.ts'

const ROUNDS = 20
let network: Network

beforeAll(async () => {
  network = await startNetwork()
})
afterAll(() => network.stop())

describe(`a process that is killed ${ROUNDS} times under clicks and postbacks: every click and conversion is there once`, () => {
  test.each(['tracker', 'events', 'api', 'ingester'] as const)('%s', async (victim) => {
    const { seen, differences } = await killRounds(network, [victim], ROUNDS)
    const { rows, conversions } = differences
    console.log(
      `${victim}: ${ROUNDS} rounds, ${seen.sent.size} clicks sent, ${seen.redirected.size} redirected, ${rows} rows, ${conversions} conversions`,
    )
    expect({ ...differences, rows: 0 }).toEqual({ ...soundBooks(seen.transactions.size), rows: 0 })
    expect(seen.wrong).toEqual([])
    // Only visitors of a dead tracker may find nobody; what they sent may be stored or not.
    if (victim !== 'tracker') expect({ broken: seen.broken, rows }).toEqual({ broken: 0, rows: seen.redirected.size })
  })
})
