import { expect, test } from 'vitest'
import { periodWords } from '#web/features/leads/recold/recold-words.ts'

const counts = {
  pending: 16,
  scheduled: 9,
  sending: 0,
  accepted: 1,
  rejected: 0,
  no_capacity: 0,
  failed: 0,
  ambiguous: 0,
  skipped: 254,
  cancelled: 0,
}
const pacing = { interval_min: 120, interval_max: 240 } as Parameters<typeof periodWords>[0]['pacing'] // all that is read of it

test('whoever is passed over takes no time of a distribution', () => {
  const words = (row: Pick<Parameters<typeof periodWords>[0], 'counts' | 'waiting'>) =>
    periodWords({ ...row, pacing }, (key, of) => `${String(of?.['number'])} ${key}`)
  expect(words({ counts, waiting: 0 })).toBe('≈ 1 lasting.hour 15 lasting.minute')
  expect(words({ counts: { ...counts, pending: 0, scheduled: 0, accepted: 0 }, waiting: 0 })).toBe('')
})
