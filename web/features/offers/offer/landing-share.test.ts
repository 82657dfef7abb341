import { expect, test } from 'vitest'
import { sharesOf } from '#web/features/offers/offer/landing-share.ts'

const one = (uuid: string, weight: number, changes: { type?: string; status?: string; private?: boolean } = {}) => ({
  uuid,
  weight,
  type: 'landing',
  status: 'active',
  private: false,
  ...changes,
})

test('shares are by weight among the active landings of a type that are for everybody', () => {
  const shares = sharesOf([
    one('much', 300),
    one('little', 100),
    one('asked for', 0),
    one('waits', 500, { status: 'moderation' }),
    one('stopped', 500, { status: 'stopped' }),
    one('for some', 500, { private: true }),
    one('before', 7, { type: 'prelanding' }),
  ])
  expect(Object.fromEntries(shares)).toEqual({
    much: 75,
    little: 25,
    'asked for': 0,
    waits: 0,
    stopped: 0,
    'for some': 0,
    before: 100,
  })
})
