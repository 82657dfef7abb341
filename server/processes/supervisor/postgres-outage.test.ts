import { expect, test } from 'vitest'
import { soundBooks } from '#test/support/fault/books.ts'
import { surviveOutages } from '#test/support/fault/postgres-outage.ts'

test('without PostgreSQL for five seconds redirects go on, postbacks wait, and each is applied once', { timeout: 300_000 }, async () => {
  const { seen, differences, noted, output, redirectedMeanwhile } = await surviveOutages([{ frozenMs: 2_500, goneMs: 2_500 }])
  expect(seen.wrong).toEqual([])
  expect(seen.broken).toBe(0)
  // a redirect that asked the database would wait for it
  expect(redirectedMeanwhile).toBeGreaterThan(300)
  expect(seen.postbacks.queued).toBeGreaterThan(20)
  expect(differences).toEqual({ ...soundBooks(seen.transactions.size), rows: seen.redirected.size })
  expect(noted).toBe(seen.postbacks.settled + seen.postbacks.queued)
  expect(output).not.toContain('starting it again')
})
