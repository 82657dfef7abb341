import { expect, test } from 'vitest'
import { killWhileLeadsAreSent } from '#test/support/fault/lead-kill-rounds.ts'

test(
  'workers killed in the middle of calls: no lead is taken twice, none is lost, and no person of a distribution either',
  { timeout: 120_000 },
  async () => {
    const { fates, sold } = await killWhileLeadsAreSent(1, 60, 4)
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
    // each became one cold lead at most, and that one was asked for by one advertiser at a time
    expect(sold).toHaveLength(12)
    for (const { status, taken: times, sessions } of sold) {
      expect([sessions, times <= 1]).toEqual([1, true])
      expect(['accepted', 'ambiguous']).toContain(status)
      if (status === 'accepted') expect(times).toBe(1)
    }
    // who was asked when the workers died may have them
    expect(sold.some(({ status }) => status === 'ambiguous')).toBe(true)
  },
)
