import { expect, test } from 'vitest'
import { CONVERSION_STATUSES } from '#contract/traffic/conversion.ts'
import { mayBecome, settle } from './conversion-status.ts'

const DAY = 86_400_000

test('nothing follows once the affiliate was paid, not even another amount', () => {
  for (const from of CONVERSION_STATUSES)
    for (const to of CONVERSION_STATUSES) expect(mayBecome({ status: from, payment_state: 'paid' }, to, 'staff')).toBe(false)
  expect(mayBecome({ status: 'approved', payment_state: 'invoiced' }, 'declined', 'postback')).toBe(true)
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
