import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSealer } from '#server/platform/seal.ts'
import { cloneDatabase, type TestDatabase } from '#test/support/run/database.ts'
import { openMailQueue } from './queue.service.ts'

const KEY = 'one key of an instance, long enough for it'
const NOW = Date.parse('2026-11-21T10:00:00Z')
const LINK = {
  event: 'set_password',
  to: { email: 'ann@partners.example', language: 'uk' },
  values: { name: 'Ann', link: 'https://panel/x' },
} as const
let database: TestDatabase

beforeAll(async () => {
  database = await cloneDatabase()
})
afterAll(() => database.drop())

test('a message is queued with what it is about, and what fills it is sealed', async () => {
  const queue = openMailQueue(KEY)
  await queue.add(database.db, NOW, { ...LINK, expires: NOW + 3_600_000 })
  const row = await database.db.selectFrom('mail').selectAll().executeTakeFirstOrThrow()
  expect(row).toMatchObject({ event: 'set_password', language: 'uk', recipient: 'ann@partners.example', status: 'waiting', attempts: 0 })
  expect(row.expires_at.getTime()).toBe(NOW + 3_600_000)
  expect(row.sealed?.includes('https://panel')).toBe(false)
  expect(JSON.parse(openSealer(KEY, 'mail').open(row.sealed ?? Buffer.alloc(0)))).toEqual(LINK.values)
})

test('nothing is queued by a transaction that fails', async () => {
  const before = await database.db.selectFrom('mail').select('id').execute()
  const failing = database.db.transaction().execute(async (trx) => {
    await openMailQueue(KEY).add(trx, NOW, LINK)
    throw new Error('the rest failed')
  })
  await expect(failing).rejects.toThrow('the rest failed')
  expect(await database.db.selectFrom('mail').select('id').execute()).toHaveLength(before.length)
})
