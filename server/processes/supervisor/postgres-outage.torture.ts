import { expect, test } from 'vitest'
import { soundBooks } from '#test/support/fault/books.ts'
import { surviveOutages } from '#test/support/fault/postgres-outage.ts'
import { percentile } from '#test/support/fault/traffic-load.ts'

test('without PostgreSQL for a minute, and frozen for a while again, redirects go on, postbacks wait, and each is applied once', async () => {
  const report = await surviveOutages([
    { frozenMs: 30_000, goneMs: 30_000 },
    { frozenMs: 15_000, goneMs: 0 },
  ])
  const { seen, differences, noted, output } = report
  const milliseconds = [0.5, 0.99, 1].map((share) => percentile(seen.latencies, share).toFixed(1))
  console.log(
    `${seen.sent.size} clicks, ${report.redirectedMeanwhile} of them redirected without PostgreSQL; p50, p99, longest: ${milliseconds.join(', ')} ms\n` +
      `postbacks: ${seen.postbacks.settled} settled at once, ${seen.postbacks.queued} queued, ${seen.transactions.size} transactions; ` +
      `caught up ${(report.caughtUpMs / 1000).toFixed(1)} s after the last return`,
  )
  expect(seen.wrong).toEqual([])
  expect(seen.broken).toBe(0)
  expect(report.redirectedMeanwhile).toBeGreaterThan(15_000)
  expect(percentile(seen.latencies, 0.99)).toBeLessThan(1_000)
  expect(differences).toEqual({ ...soundBooks(seen.transactions.size), rows: seen.redirected.size })
  expect(noted).toBe(seen.postbacks.settled + seen.postbacks.queued)
  expect(output).not.toContain('starting it again')
})
