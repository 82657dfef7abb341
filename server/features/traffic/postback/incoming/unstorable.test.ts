import { afterAll, beforeAll, expect, test } from 'vitest'
import { cloneDatabase, type TestDatabase } from '#test/support/run/database.ts'
import { handOver, makeAffiliateId, makeClick, makeClickKeys, makeOffer } from '#test/support/make/money.ts'
import type { StoredClick } from '../../click/click.queries.ts'
import { receivePostback } from './receive.service.ts'

const NOW = Date.parse('2026-11-21T10:00:00Z')
let database: TestDatabase
beforeAll(async () => {
  database = await cloneDatabase()
})
afterAll(() => database.drop())

test.each([
  ['a sign in a name', { '\0status': 'approved' }],
  ['half a letter in a name', { 'note\ud800': 'some words' }],
  ['a letter where its values are cut', { note: `${'a'.repeat(199)}😀`, txn_id: `${'a'.repeat(999)}😀` }],
  ['a letter where the answer is cut', { status: `${'a'.repeat(59)}😀` }],
])('a postback is kept whoever sent it, with %s that cannot be stored', async (_what, said) => {
  const { db } = database
  const offer = await makeOffer(db)
  const click = makeClick(await makeClickKeys(db), { offerId: offer.id, affiliateId: await makeAffiliateId(db), at: NOW - 3_600_000 })
  const found = { ...click, reason: '', test: false } as unknown as StoredClick // all a conversion takes of it
  const parts = { db, findClick: async () => found, clock: { now: () => NOW } }
  const kept = async () =>
    Number(
      (
        await db
          .selectFrom('postback_in')
          .select((of) => of.fn.countAll().as('all'))
          .executeTakeFirst()
      )?.all,
    )
  for (const body of [said, { click_id: click.id, token: offer.token, ...said }]) {
    const before = await kept()
    const sent = { method: 'POST' as const, content_type: 'application/json', body: JSON.stringify(body) }
    expect((await receivePostback(parts, handOver({}, sent))).httpStatus).toBeGreaterThan(0)
    expect(await kept()).toBe(before + 1)
  }
})
