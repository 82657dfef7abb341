import { expect, test } from 'vitest'
import { soundBooks } from '#test/support/fault/books.ts'
import { surviveOutages } from '#test/support/fault/postgres-outage.ts'

// One instance and one traffic for all: to begin and end them costs more than a fault. The tracker has its own in
// tracker.test.ts; kill.torture.ts and postgres-outage.torture.ts hold more of each.
test(
  'under clicks and postbacks killed processes come back, then redirects go on without PostgreSQL for five seconds: every click and conversion is there once',
  { timeout: 300_000 },
  async () => {
    const outage = { frozenMs: 2_500, goneMs: 2_500 }
    const { seen, differences, noted, output, redirectedMeanwhile } = await surviveOutages([outage], ['events', 'api', 'ingester'])
    expect(seen.wrong).toEqual([])
    expect(seen.broken).toBe(0)
    // a redirect that asked the database would wait for it
    expect(redirectedMeanwhile).toBeGreaterThan(150)
    expect(seen.postbacks.queued).toBeGreaterThan(20)
    const sound = { ...soundBooks(seen.transactions.size), rows: seen.redirected.size }
    // of a run that needs a second try only this is kept
    expect(differences, JSON.stringify({ differences, sound })).toEqual(sound)
    expect(noted).toBe(seen.postbacks.settled + seen.postbacks.queued)
    expect(output).not.toContain('starting it again')
  },
)
