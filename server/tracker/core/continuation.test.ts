import { afterEach, beforeEach, expect, test } from 'vitest'
import { INTERNAL_SECRET, startFakeApi, type FakeApi } from '#test/support/run/fake-api.ts'
import { offerOf } from '#test/support/make/snapshot.ts'
import { openContinuations } from './continuation.ts'

const CLICKED = Date.parse('2026-11-21T10:00:00Z')
const STORED = { landing: 7, columns: { sub1: 'kept', geo: 'UA', city: 'Lviv' } }
const asked = {
  clickId: 'c'.repeat(40),
  parts: { at: CLICKED, offerId: 1, affiliateId: 5, random: 1 },
  offer: offerOf({ landings: [{ id: 7, url: 'https://landing.example/?s={sub1}-{city}', weight: 1, kind: 'landing', active: true }] }),
  trafficback: 'https://back.example/',
  asker: { ip: '203.0.113.1', ua: 'Asker/1' },
}

let api: FakeApi
let now = 0
beforeEach(async () => {
  api = await startFakeApi()
  now = CLICKED + 1_000
})
afterEach(() => api.stop())

const open = () => openContinuations({ api: { url: api.url, secret: INTERNAL_SECRET }, clock: { now: () => now } })

test('a way on waits for the row of a young click, and is remembered', async () => {
  let looks = 0
  api.answerClick = () => (++looks < 3 ? null : STORED)
  const { find } = open()
  expect(await find(asked)).toEqual({ kind: '302', location: 'https://landing.example/?s=kept-Lviv' })
  expect(looks).toBe(3)
  expect(await find(asked)).toEqual({ kind: '302', location: 'https://landing.example/?s=kept-Lviv' })
  expect(looks).toBe(3)
})

test('of a click that is old and not stored nobody waits for the row', async () => {
  let looks = 0
  api.answerClick = () => {
    looks++
    return null
  }
  now = CLICKED + 11_000
  expect(await open().find(asked)).toEqual({ kind: '302', location: 'https://back.example/' })
  expect(looks).toBe(1)
})
