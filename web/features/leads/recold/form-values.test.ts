import { expect, test } from 'vitest'
import { recoldInput } from '#contract/leads/recold.ts'
import { blankRecold, recoldBody, valuesOfRecold } from '#web/features/leads/recold/form-values.ts'

const UUID = '0b7a8f2e-5d0c-4c58-9d53-1c2f3a4b5c6d'

test('a form as it begins can be saved once a title, a list and an offer are chosen', () => {
  const body = recoldBody({ ...blankRecold('Europe/Rome', UUID), title: 'Again', offer_uuid: UUID })
  const saved = recoldInput.parse(body)
  expect(saved.pacing).toMatchObject({ interval_min: 60, interval_max: 180, per_day: null })
  expect(saved.schedule.hours?.map((spans) => spans.length)).toEqual([1, 1, 1, 1, 1, 0, 0])
})

test('what is stored comes back as it was, whatever windows, limits and fields it has', () => {
  const blank = recoldBody({ ...blankRecold('Europe/Rome', UUID), title: 'Again', offer_uuid: UUID })
  const stored = recoldInput.parse({
    ...blank,
    schedule: {
      ...blank.schedule,
      starts_at: '2026-12-01T08:00:00.000Z',
      hours: [
        [
          { from: 555, until: 720 },
          { from: 780, until: 1440 },
        ],
        [],
        [{ from: 1320, until: 360 }],
        [],
        [],
        [],
        [{ from: 0, until: 1440 }],
      ],
    },
    pacing: { ...blank.pacing, interval_min: 45, interval_max: 90, per_hour: 7, per_geo: { IT: 5, DE: 0 } },
    data: { ...blank.data, fields: { ip: { use: 'omit' }, funnel: { use: 'declared', value: 'second' } } },
    skip: { ...blank.skip, same_advertiser_days: 30, age_max_days: 400 },
  })
  const reference = { uuid: UUID, id: 1, name: 'One' }
  const record = { ...stored, list: reference, offer: reference, products: [] } as unknown as Parameters<typeof valuesOfRecold>[0] // what the form reads
  expect(recoldInput.parse(recoldBody(valuesOfRecold(record)))).toEqual(stored)
})
