import { expect, test } from 'vitest'
import { killWhilePostbacksWait } from '#test/support/fault/postback-kill-rounds.ts'

test('a tracker that is killed twenty times while postbacks wait loses none, and keeps those of each click in order', async () => {
  const { statuses, steps } = await killWhilePostbacksWait(20)
  expect(statuses).toEqual(new Set([200, 202]))
  expect(steps).toEqual(steps.map((one) => one.toSorted((a, b) => a - b)))
})
