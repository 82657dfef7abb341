import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isSecretName, kindOf } from './postback-names.ts'
import { pairsOf, readParameters, repairQuery } from './postback-reading.ts'

describe('a query pasted through HTML', () => {
  test.each([
    ['payout=5¤cy=USD', 'payout=5&currency=USD'],
    ['payout=5%C2%A4cy=USD', 'payout=5&currency=USD'],
    ['payout=5%c2%a4cy=USD', 'payout=5&currency=USD'],
    ['payout=5%A4cy=USD', 'payout=5&currency=USD'],
    ['payout=5Â¤cy=USD', 'payout=5&currency=USD'], // raw bytes, as node reads an address
    ['payout=5%C3%82%C2%A4cy=USD', 'payout=5&currency=USD'],
    ['a=1×tamp=2', 'a=1&timestamp=2'],
    ['a=1%C3%97tamp=2', 'a=1&timestamp=2'],
    ['a=1¶m1=x¶m2=y', 'a=1&param1=x&param2=y'],
    ['a=1®=2', 'a=1&reg=2'],
    ['a=1&amp;status=pending&amp;amp;goal=x', 'a=1&status=pending&goal=x'],
    ['amp;a=1&amp%3Bb=2', 'a=1&b=2'],
  ])('%s', (damaged, whole) => {
    expect(repairQuery(damaged)).toBe(whole)
  })

  test('that was not is left as it is', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.stringMatching(/^[a-z_]{1,9}$/), fc.string({ unit: 'grapheme' }))), (pairs) => {
        const query = new URLSearchParams(pairs.filter(([name]) => !name.startsWith('amp'))).toString()
        // what stands in a value is encoded there, so that no name and no = follows it
        if (!/%(C2%A[4-9]|C2%B[06]|C2%A[CE]|C3%97|[AB][0-9A-F]|D7)[a-z0-9_]*=/i.test(query)) expect(repairQuery(query)).toBe(query)
      }),
    )
  })
})

test('names are known in any case, with hyphens, and by how they end', () => {
  expect(['Click_ID', 'event-name', 'SUM', 'lead_state', 'my_payout', 'event3', 'conversion_state2'].map(kindOf)).toEqual([
    'click_id',
    'goal',
    'amount',
    'status?',
    'amount?',
    'event?',
    'status?',
  ])
  expect(['sub1', 'country', 'event_time', 'constructor', '__proto__', ''].map(kindOf)).toEqual(Array.from({ length: 6 }, () => undefined))
  expect(['statusCode', 'goal[]', 'conversionEvent', 'amountCents', 'payout_currency', 'lead.status', 'ActionId'].map(kindOf)).toEqual([
    'status?',
    'goal',
    'event?',
    'amount?',
    'currency',
    'status?',
    'txn_id',
  ])
  expect(['Token', 'verification-token', 'SECURE', 'signature', 'data[token]', 'click_id'].map(isSecretName)).toEqual([
    true,
    true,
    true,
    true,
    true,
    false,
  ])
})

test('a flood of parameters nobody reads pushes out none that is read', () => {
  const flood = Array.from({ length: 200 }, (_, index) => ({ name: `x${index}`, value: 'y' }))
  const { said, problem } = readParameters([...flood, { name: 'status', value: 'pending' }, ...flood, { name: 'goal', value: 'ftd' }])
  expect(said.filter(({ kind }) => kind !== 'other').map(({ name }) => name)).toEqual(['status', 'goal'])
  expect(problem).toBeNull()
  expect(readParameters(Array.from({ length: 130 }, () => ({ name: 'goal', value: 'ftd' }))).problem).toMatchObject({ reason: 'ambiguous' })
})

test('a GUID in braces is a transaction, other braces are not', () => {
  const read = (txn: string) => readParameters(pairsOf(`txn_id=${txn}`))
  expect(read('{3F2504E0-4F89-11D3-9A0C-0305E82C3301}')).toMatchObject({ problem: null })
  for (const txn of ['{order_id}', 'A-{order}', '%257Border%257D', 'undefined', 'txn_id'])
    expect(read(txn).problem).toEqual({ reason: 'placeholder', parameter: 'txn_id' })
})
