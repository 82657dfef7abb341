import { expect, test } from 'vitest'
import { killWhilePostbacksWait } from '#test/support/fault/postback-kill-rounds.ts'

test('a tracker that is killed while postbacks wait loses none, and keeps those of each click in order', { timeout: 120_000 }, async () => {
  const { statuses, steps } = await killWhilePostbacksWait(1)
  expect(statuses).toEqual(new Set([200, 202]))
  expect(steps).toEqual(steps.map((one) => one.toSorted((a, b) => a - b)))
})
