import { expect, test } from 'vitest'
import { hoursIn, hoursText } from './hours-text.ts'

test('hours are read as people write them, and written back the same', () => {
  expect(hoursIn('9-18')).toEqual([{ from: 540, until: 1080 }])
  expect(hoursIn('09:00–13:30, 22:00 - 6:00')).toEqual([
    { from: 540, until: 810 },
    { from: 1320, until: 360 },
  ])
  expect(hoursIn('0-24')).toEqual([{ from: 0, until: 1440 }])
  expect(hoursIn(' ')).toEqual([])
  for (const wrong of ['nine', '9', '9-9', '25-26', '9:75-10', '9-18-20', '18-0']) expect(hoursIn(wrong)).toBeNull()
  expect(hoursText([[{ from: 540, until: 1440 }], [], [], [], [], [], []])[0]).toBe('09:00–24:00')
})
