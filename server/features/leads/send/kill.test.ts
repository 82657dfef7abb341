import { expect, test } from 'vitest'
import { killWhileLeadsAreSent } from '#test/support/fault/lead-kill-rounds.ts'

test('a worker killed in the middle of calls, beside another: no lead is taken twice, none is lost', { timeout: 120_000 }, async () => {
  const fates = await killWhileLeadsAreSent(1, 60)
  expect(fates).toHaveLength(60)
  const taken = fates.filter(({ status }) => status === 'accepted')
  expect(fates.filter((one) => one.taken > 1)).toEqual([])
  // who says yes has it; who was asked when the process died may have it, and nobody else is asked
  for (const { status, sends, taken: times } of fates) {
    expect(sends.filter((send) => send === 'accepted' || send === 'ambiguous' || send === 'sending').length).toBeLessThanOrEqual(1)
    if (status === 'accepted') expect(times).toBe(1)
    else expect(['ambiguous', 'rejected', 'unsold']).toContain(status)
    if (times === 1) expect(['accepted', 'ambiguous']).toContain(status)
  }
  // one worker has thirty of them at once at most
  expect(taken.length).toBeGreaterThan(0)
})
