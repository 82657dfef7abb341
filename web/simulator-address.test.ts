import { expect, test } from 'vitest'
import type { z } from 'zod'
import { click } from '#contract/traffic/click.ts'
import { simulatedClick, simulatorHref } from './simulator-address.ts'

const OFFER = '0b7f5f0e-0000-4000-8000-000000000001'
const AFFILIATE = '0b7f5f0e-0000-4000-8000-000000000002'

/** A click of which everything is told that the simulator asks. */
function clickOf(more: Partial<z.output<typeof click>> = {}): z.output<typeof click> {
  const texts = Object.fromEntries(Object.keys(click.shape).map((name) => [name, '']))
  const none = { uuid: null, id: '', label: '' }
  return {
    ...texts,
    at: '2026-11-20T22:15:00.000Z',
    offer: { uuid: OFFER, id: '7', label: 'Casino' },
    affiliate: { uuid: AFFILIATE, id: '12', label: 'Morgenrot' },
    landing: { uuid: '0b7f5f0e-0000-4000-8000-000000000003', id: '5', label: 'Wheel' },
    prelanding: none,
    geo: 'US',
    region: 'California',
    city: 'Los Angeles',
    device: 'mobile',
    os: 'Android',
    os_version: '14',
    browser: 'Chrome',
    language: 'en',
    network: 'Google LLC (AS15169)',
    ...more,
  } as z.output<typeof click> // every text it has is there
}

test('the simulator is asked about all that is known of a click', () => {
  const address = new URL(simulatorHref(clickOf()) ?? '', 'http://panel')
  expect(address.pathname).toContain(OFFER)
  expect(address.searchParams.get('tab')).toBe('simulator')
  expect(simulatedClick(address.searchParams)).toEqual({
    affiliate: AFFILIATE,
    affiliate_id: '12',
    affiliate_name: 'Morgenrot',
    geo: 'US',
    place: 'US/California/Los Angeles',
    device: 'mobile',
    os: 'Android',
    os_version: '14',
    browser: 'Chrome',
    language: 'en',
    network: 'Google LLC (AS15169)',
    landing: '5',
    at: '2026-11-20T22:15:00.000Z',
  })
})

test.each<[string, Partial<z.output<typeof click>>]>([
  ['an offer nobody knows', { offer: { uuid: null, id: '7', label: '' } }],
  ['a masked affiliate', { affiliate: undefined }],
  ['a device nobody can choose', { device: 'bot' }],
])('nothing is asked about a click of %s', (_whose, more) => {
  expect(simulatorHref(clickOf(more))).toBeUndefined()
})

test('an address that asks nothing is no question', () => {
  expect(simulatedClick(new URLSearchParams('tab=simulator'))).toBeNull()
})
