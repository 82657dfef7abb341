import { expect, test } from 'vitest'
import { killWhileLeadsAreSent, type Fate } from '#test/support/fault/lead-kill-rounds.ts'

/** One worker has so many leads in hand at most: twenty for each of two products. */
const IN_HAND = 40
/** What becomes of leads by their names where nobody dies: both advertisers refuse one, and nobody knows what a page of an error means. */
const UNDISTURBED: Readonly<Record<string, Partial<Fate>>> = {
  Slow: { status: 'accepted', sends: ['accepted'], taken: 1 },
  Reject: { status: 'rejected', sends: ['rejected', 'rejected'], taken: 0 },
  Broken: { status: 'ambiguous', sends: ['ambiguous'], taken: 0 },
}

test(
  'workers killed in the middle of calls: no lead is taken twice, none is lost, and no person of a distribution either',
  { timeout: 300_000 },
  async () => {
    const kills = 1
    const { fates, sold } = await killWhileLeadsAreSent(kills, 90, 4)
    expect(fates).toHaveLength(90)
    expect(fates.filter((one) => one.taken > 1)).toEqual([])
    // who says yes has it; who was asked when the process died may have it, and nobody else is asked
    for (const { status, sends, taken: times } of fates) {
      expect(sends.filter((send) => send === 'accepted' || send === 'ambiguous' || send === 'sending').length).toBeLessThanOrEqual(1)
      if (status === 'accepted') expect(times).toBe(1)
      else expect(['ambiguous', 'rejected', 'unsold']).toContain(status)
      if (times === 1) expect(['accepted', 'ambiguous']).toContain(status)
    }
    // whom nobody had in hand at that moment became what their name says, as if nobody had died
    const others = fates.filter(({ underWay }) => !underWay)
    expect(others.length).toBeGreaterThanOrEqual(90 - kills * 2 * IN_HAND)
    for (const { name, ...fate } of others) expect({ name, ...fate }).toMatchObject(UNDISTURBED[name] ?? {})
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
