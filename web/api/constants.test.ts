import { expect, test } from 'vitest'
import { constantPairs, guestPairs, inReadersLanguage, pairsOf } from '#web/api/constant-pairs.ts'
import { CONSTANTS_LIFETIME, readCachedConstants, writeCachedConstants } from '#web/api/constants-cache.ts'

const owner = { uuid: 'u1', role: 'admin' }

function storage() {
  const map = new Map<string, string>()
  return { getItem: (key: string) => map.get(key) ?? null, setItem: (key: string, value: string) => void map.set(key, value) }
}

test('arrays become value/label pairs; maps become value = key and label = text', () => {
  expect(pairsOf(['Chrome'])).toEqual([{ value: 'Chrome', label: 'Chrome' }])
  expect(pairsOf({ UA: 'Ukraine' })).toEqual([{ value: 'UA', label: 'Ukraine' }])
})

test('phone codes read "name: +code"; on guest pages they are keyed by prefix and traffic is trafficSources', () => {
  const guest = guestPairs({
    verticals: { a: 'A' },
    geos: { UA: 'Ukraine' },
    traffic: { push: 'Push' },
    country_code_phone: { '380': 'Ukraine' },
  })
  expect(guest.country_code_phone).toEqual([{ value: '380', label: 'Ukraine: +380' }])
  expect(guest.verticals).toEqual([{ value: 'a', label: 'A' }])
  expect(guest.geos).toEqual([{ value: 'UA', label: 'Ukraine' }])
  expect(guest.trafficSources).toEqual([{ value: 'push', label: 'Push' }])
  const wire = Object.fromEntries(
    'devices geos integration_types verticals goals traffic languages paid_statuses currency payment_systems manager_roles manager_types genders time_zones lead_history_status lead_genders lead_device time'
      .split(' ')
      .map((name) => [name, {}]),
  )
  const constants = constantPairs({
    ...wire,
    browsers: ['Chrome'],
    oss: [],
    lead_os: [],
    track_domains: [],
    page_access: ['login'],
    country_code_phone: { UA: { name: 'Ukraine', code: '380' } },
    macros: [{ name: 'click_id', where: ['offer'] }],
    partner_settings: { time_zone: 'Europe/Kyiv', zone_hours: '+02:00' },
  } as unknown as Parameters<typeof constantPairs>[0]) // the maps above are built by name
  expect(constants.country_code_phone).toEqual([{ value: 'UA', label: 'Ukraine: +380' }])
  expect(constants.browsers).toEqual([{ value: 'Chrome', label: 'Chrome' }])
  expect(constants.macros).toEqual([{ value: 'click_id', label: 'click_id', where: ['offer'] }])
  expect(constants.partner_settings.time_zone).toBe('Europe/Kyiv')
})

test('the browser keeps the constants for 24 hours, for one person in one role', () => {
  const kept = storage()
  writeCachedConstants(kept, owner, { version: 'v1', saved_at: 1000, data: { a: 1 } })
  expect(CONSTANTS_LIFETIME).toBe(86_400_000)
  expect(readCachedConstants(kept, owner, 1000 + 86_399_999)).toEqual({ version: 'v1', saved_at: 1000, data: { a: 1 } })
  expect(readCachedConstants(kept, owner, 1000 + 86_400_000)).toBeUndefined()
  expect(readCachedConstants(kept, { ...owner, role: 'affiliate' }, 2000)).toBeUndefined()
  expect(readCachedConstants(kept, { ...owner, uuid: 'u2' }, 2000)).toBeUndefined()
})

test('a clock set back, broken text or a forbidden storage is the same as nothing kept', () => {
  const kept = storage()
  writeCachedConstants(kept, owner, { version: 'v1', saved_at: 5000, data: {} })
  expect(readCachedConstants(kept, owner, 4000)).toBeUndefined()
  expect(readCachedConstants({ getItem: () => '{broken' }, owner, 5000)).toBeUndefined()
  const forbidden = () => {
    throw new DOMException('denied', 'SecurityError')
  }
  expect(readCachedConstants({ getItem: forbidden }, owner, 5000)).toBeUndefined()
  expect(() => writeCachedConstants({ setItem: forbidden }, owner, { version: '', saved_at: 0, data: {} })).not.toThrow()
})

test('currencies are named in the reader’s language where there is a name, and as the server has it otherwise', () => {
  const pairs = ['USD – US Dollar', 'USDT – Tether', 'XQX – Own'].map((label) => ({ value: label.split(' ')[0] ?? '', label }))
  expect(pairs.map(inReadersLanguage('uk')).map(({ label }) => label)).toEqual(['USD – долар США', 'USDT – Tether', 'XQX – Own'])
  expect(pairs.map(inReadersLanguage('en'))).toEqual(pairs)
})
