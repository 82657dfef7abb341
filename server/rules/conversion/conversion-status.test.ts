import { expect, test } from 'vitest'
import { CONVERSION_STATUSES } from '#contract/traffic/conversion.ts'
import { mayBecome, settle } from './conversion-status.ts'

const DAY = 86_400_000

test('what is invoiced or paid may still change or be declined, but waits for nothing', () => {
  for (const payment_state of ['invoiced', 'paid'] as const) {
    expect(mayBecome({ status: 'approved', payment_state }, 'approved', 'postback')).toBe(true)
    expect(mayBecome({ status: 'approved', payment_state }, 'declined', 'postback')).toBe(true)
    for (const to of ['pending', 'hold'] as const)
      for (const from of CONVERSION_STATUSES) expect(mayBecome({ status: from, payment_state }, to, 'staff')).toBe(false)
  }
})

test('a postback cannot take a conversion out of the trash, staff can', () => {
  expect(mayBecome({ status: 'trash', payment_state: 'open' }, 'approved', 'postback')).toBe(false)
  expect(mayBecome({ status: 'trash', payment_state: 'open' }, 'approved', 'staff')).toBe(true)
})

test('approved waits out the hold days counted from the conversion', () => {
  expect(settle('approved', { at: 0, holdDays: 0, now: 0 })).toEqual({ status: 'approved', holdUntil: null })
  expect(settle('approved', { at: 0, holdDays: 7, now: 6 * DAY })).toEqual({ status: 'hold', holdUntil: 7 * DAY })
  expect(settle('approved', { at: 0, holdDays: 7, now: 7 * DAY })).toEqual({ status: 'approved', holdUntil: null })
})

test('hold without hold days is a decision still to come', () => {
  expect(settle('hold', { at: 0, holdDays: 0, now: 0 })).toEqual({ status: 'pending', holdUntil: null })
  expect(settle('hold', { at: 0, holdDays: 7, now: 0 })).toEqual({ status: 'hold', holdUntil: 7 * DAY })
  expect(settle('declined', { at: 0, holdDays: 7, now: 0 })).toEqual({ status: 'declined', holdUntil: null })
})
