import { expect, test } from 'vitest'
import { killWhileLeadsAreSent } from '#test/support/fault/lead-kill-rounds.ts'

test('workers killed again and again in the middle of calls take no lead twice and lose none', async () => {
  const { fates, sold } = await killWhileLeadsAreSent(12, 400, 40)
  expect(fates).toHaveLength(400)
  expect(fates.filter(({ taken }) => taken > 1)).toEqual([])
  expect(fates.filter(({ taken, status }) => taken === 1 && status !== 'accepted' && status !== 'ambiguous')).toEqual([])
  expect(fates.filter(({ taken, status }) => status === 'accepted' && taken !== 1)).toEqual([])
  expect(fates.filter(({ sends }) => sends.includes('sending'))).toEqual([])
  expect(sold).toHaveLength(120)
  expect(sold.filter(({ taken, sessions }) => taken > 1 || sessions > 1)).toEqual([])
})
