import { expect, test } from 'vitest'
import { TRANSFER_KINDS } from '#contract/money/transfer.ts'
import english from './ledger.late.en.json'
import ukrainian from './ledger.late.uk.json'

test.each([
  ['English', english],
  ['Ukrainian', ukrainian],
])('what is booked has words in %s, and nothing else has', (_, words: Record<string, string>) => {
  const kinds = Object.keys(words).flatMap((key) => (key.startsWith('event.') ? key.slice('event.'.length) : []))
  expect(kinds.toSorted()).toEqual([...TRANSFER_KINDS].toSorted())
})
