import { expect, test } from 'vitest'
import { understand, type PostbackWord } from './postback-meaning.ts'
import { pairsOf, readParameters } from './postback-reading.ts'

const GOALS = ['sale', 'ftd', 'reg'].map((code) => ({ code, type: 'CPA', is_default: code === 'sale', retired: false }))

/** A call as it is booked, `goal status amount currency transaction`, or its refusal and the parameter at fault. */
function told(query: string, { words = [], currency = 'USD' }: { words?: PostbackWord[]; currency?: string } = {}): string {
  const { plain, said, problem } = readParameters(pairsOf(query))
  if (problem !== null) return `${problem.reason} ${problem.parameter}`
  const meant = understand(said, {
    goals: GOALS,
    words,
    statuses: {},
    unnamedStatus: 'approved',
    currency: plain.currency || currency,
    currencyNamed: plain.currency !== '',
  })
  if ('refusal' in meant) return `${meant.refusal} ${meant.parameter ?? ''}`
  return [meant.goal.code, meant.status, meant.amount ?? '-', plain.currency || '-', plain.txn_id || '-'].join(' ')
}

test.each([
  ...['deposit_currency', 'currency_iso', 'transaction_currency', 'af_currency', 'currencyId', 'ccy', 'valuta', 'user_currency', 'account_currency', 'Währung'].map(
    (name) => [`amount=10&${name}=eur`, 'sale approved 10 EUR -'],
  ),
  ['amount=10&currency=EUR&deposit_currency=EUR', 'sale approved 10 EUR -'],
  ['amount=10&amountCurrency=EUR&currency=USD', 'sale approved 10 EUR -'],
  ['sale_amount=10&sale_currency=EUR&user_currency=USD', 'sale approved 10 EUR -'],
  ['amount=10&currency=USD&user_currency=EUR', 'ambiguous user_currency'],
  ['amount=10&payout=10&currency=USD&payout_currency=EUR', 'ambiguous payout_currency'],
  ['amount=10&currency_rate=1.08&currency_format=2', 'sale approved 10 - -'],
  ['event_revenue=10&currency=EUR&event_revenue_usd=21.6', 'sale approved 10 EUR -'],
  ['event_revenue=10&currency=USD&event_revenue_usd=21.6', 'ambiguous event_revenue_usd'],
  ['event_revenue=10&event_revenue_usd=21.6', 'ambiguous event_revenue_usd'],
  ['amount=10&currency=EUR&event_revenue_usd=21.6', 'ambiguous event_revenue_usd'],
])('a currency: %s', (query, result) => {
  expect(told(query)).toBe(result)
}) // prettier-ignore
