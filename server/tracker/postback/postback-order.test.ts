import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
// oxlint-disable-next-line no-restricted-imports -- this test is what keeps the two readings alike
import { parsePostback } from '#server/features/traffic/postback/parse.service.ts'
import { mintClickId, readClickIdKeys } from '#server/rules/click/click-id.ts'
import { snapshotOf } from '#test/support/fake-api.ts'
import { orderOf } from './postback-order.ts'
import type { ReceivedPostback } from './postbacks.ts'

const keys = readClickIdKeys(snapshotOf().keys)
const CLICKS = [1, 2, 3].map((random) => mintClickId({ at: 1_772_359_200_123, offerId: 1, affiliateId: 5, random }, keys))

const NAMES = ['click_id', 'ClickId', 'cid', 'txn_id', 'Action_ID', 'tid', 'txid', 'order_id', 'transaction_id', 'goal', 'amount', 'x']
const name = fc.constantFrom(...NAMES)
const value = fc.oneof(
  fc.constantFrom(...CLICKS, ...CLICKS.map((id) => id.toUpperCase()), ...CLICKS.map((id) => ` ${id}\t`), 'T1', ' T1\n', 'Ü 2', ''),
  fc.string({ unit: 'binary', maxLength: 6 }),
)
const pairs = fc.array(fc.tuple(name, value), { maxLength: 5 })
/** As a query may come: escaped here and there where it need not be. */
const query = fc
  .tuple(pairs, fc.boolean())
  .map(([list, all]) => list.map((pair) => pair.map((text) => (all ? escapeAll(text) : encodeURIComponent(text.toWellFormed()))).join('=')))
  .map((list) => list.join('&'))
const body = fc.oneof(
  query,
  pairs.map((list) => JSON.stringify(Object.fromEntries(list))),
)
const postback = fc.record({ query, body, method: fc.constantFrom('GET', 'POST'), type: fc.constantFrom('', 'application/json') })

describe('the order of a postback hangs', () => {
  it('on every click and transaction the api may read in it', () => {
    fc.assert(
      fc.property(postback, ({ query: asked, body: sent, method, type }) => {
        const received: ReceivedPostback = {
          id: 'a', received_at: '2026-03-01T10:00:00.000Z', method, query: asked, body: sent, content_type: type, ip: '127.0.0.1', headers: {},
        } // prettier-ignore
        const { fields } = parsePostback(received)
        const order = orderOf(JSON.stringify(received))
        if (!CLICKS.includes(fields.click_id)) return
        expect(order).toContain(`click ${fields.click_id}`)
        if (fields.txn_id !== '') expect(order).toContain(`transaction ${fields.txn_id}`)
      }),
      { numRuns: 2_000 },
    )
  })

  it('on every digit of a transaction that came as a number', () => {
    const received = { query: `cid=${CLICKS[0]}`, body: '{"txn_id":12345678901234567890}' }
    expect(orderOf(JSON.stringify(received))).toContain('transaction 12345678901234567890')
  })

  it('on nothing when it names no click', () => {
    expect(orderOf('{"query":"click_id=short&txn_id=T1","body":""}')).toEqual([])
    expect(orderOf('no JSON at all')).toEqual([])
  })
})

function escapeAll(text: string): string {
  return [...Buffer.from(text.toWellFormed())].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
}
