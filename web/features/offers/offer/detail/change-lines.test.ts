import type { TFunction } from 'i18next'
import { expect, test } from 'vitest'
import { changeLines } from '#web/features/offers/offer/detail/change-lines.ts'

const t = ((key: string) => key) as unknown as TFunction<'offer'> // names of texts are enough here
const uuid = (digit: number) => `${digit}0000000-0000-4000-8000-000000000000`

test('a change tells whom and what it names as people know them, and what is gone by a piece of its uuid', () => {
  const named = [
    { kind: 'advertiser', uuid: uuid(1), id: 1, name: 'Acme' },
    { kind: 'affiliate', uuid: uuid(2), id: 12, name: 'Media' },
    { kind: 'affiliate', uuid: uuid(3), id: 13, name: '' },
    { kind: 'landing', uuid: uuid(4), id: 4, name: 'Summer' },
  ]
  const landings = [4, 5].map((digit) => ({ landing_uuid: uuid(digit), weight: 30 }))
  const lines = (after: Record<string, unknown>) =>
    changeLines(t, { before: null, after, named }, 'USD').map(({ field, after: texts }) => [field, ...texts])
  expect(lines({ advertiser_uuid: uuid(1), landings })).toEqual([
    ['advertiser_uuid', 'Acme'],
    ['landings', 'Summer: 30', '50000000: 30'],
  ])
  expect(lines({ landing_uuid: uuid(4), reason: 'Old logo' })).toEqual([
    ['landing_uuid', 'Summer'],
    ['reason', 'Old logo'],
  ])
  expect(lines({ landing: 'Spring' })).toEqual([['landing', 'Spring']])
  expect(lines({ affiliate_id: 12 })).toEqual([['affiliate_id', '12 Media']])
  expect(lines({ affiliate_id: 13 })).toEqual([['affiliate_id', '13']])
})
