import { expect, test } from 'vitest'
import { payFor, payOf, saysMore } from './country-payout.ts'

const row = (payout_fixed: string, changes: object = {}) => ({
  landings: [],
  geos: [],
  devices: [],
  oses: [],
  payout_fixed,
  payout_percent: '0',
  ...changes,
})
const goal = (code: string, terms: ReturnType<typeof row>[], is_default = false) => ({ code, terms, is_default })
const place = (geo: string) => ({ geo, required: [], state: 'open' as const, opens_at: null, remaining: null, openings: null })
const countries = ['AT', 'DE', ''].map(place)

test('a country pays what differs there, and elsewhere what the terms of the goal say', () => {
  const leads = { payouts: [{ goal: 'ftd', geos: ['AT'], least: '330.0000', most: '440.0000' }] }
  const ftd = goal('ftd', [row('10', { devices: ['mobile'] }), row('300', { geos: ['DE'] }), row('250.0000')])
  expect(payFor(leads, ftd, 'AT')).toEqual({ least: '330.0000', most: '440.0000', percent: '0' })
  expect(payFor(leads, ftd, 'DE')).toEqual({ least: '300', most: '300', percent: '0' })
  expect(payFor(leads, ftd, '')).toEqual({ least: '250.0000', most: '250.0000', percent: '0' })
  expect(payFor(leads, goal('registration', [row('0.0000')]), 'AT')).toBeNull()
  expect(saysMore({ ...leads, countries }, ftd)).toBe(true)
  expect(saysMore({ ...leads, countries: [place('AT')] }, ftd)).toBe(false)
})

test('an offer pays from its least to its most, by country or by who takes the lead', () => {
  const goals = [goal('registration', [row('1')]), goal('ftd', [row('360')], true)]
  const payouts = (at: string, others: string) => [
    { goal: 'ftd', geos: ['AT', 'DE'], least: at, most: '500.0000' },
    { goal: 'ftd', geos: [], least: others, most: '500.0000' },
  ]
  expect(payOf({ countries, payouts: [] }, goals)).toMatchObject({ goal: { code: 'ftd' }, pay: { least: '360', most: '360' }, by: null })
  expect(payOf({ countries, payouts: payouts('330.0000', '90.0000') }, goals)).toMatchObject({ pay: { least: '90.0000' }, by: 'country' })
  expect(payOf({ countries, payouts: payouts('330.0000', '330.0000') }, goals)).toMatchObject({ by: 'taker' })
  expect(payOf({ countries, payouts: [] }, [goal('ftd', [row('0')], true), goal('sale', [row('2')])])).toMatchObject({
    goal: { code: 'sale' },
  })
  expect(payOf({ countries, payouts: [] }, [goal('ftd', [row('0', { payout_percent: '5' })], true)])).toBeNull()
})
