import { expect, test } from 'vitest'
import { understand, withoutEventNumber, type PostbackWord } from './postback-meaning.ts'
import { pairsOf, readParameters } from './postback-reading.ts'

const GOALS = ['sale', 'ftd', 'reg'].map((code) => ({ code, type: 'CPA', is_default: code === 'sale', retired: false }))

/** `ftd` shares an amount, the others are paid by a fixed price. */
const SHARING = new Set(['ftd'])

/** A call as it is booked, `goal status amount currency transaction`, or its refusal and the parameter at fault. */
function told(
  query: string,
  {
    words = [],
    currency = 'USD',
    goals = GOALS,
    isAffise = false,
  }: { words?: PostbackWord[]; currency?: string; goals?: typeof GOALS; isAffise?: boolean } = {},
): string {
  const { plain, said: sent, problem } = readParameters(pairsOf(query))
  if (problem !== null) return `${problem.reason} ${problem.parameter}`
  const { said, number } = withoutEventNumber(sent, { goals, words })
  const meant = understand(said, {
    goals,
    words,
    statuses: {},
    unnamedStatus: 'approved',
    currency: plain.currency || currency,
    currencyNamed: plain.currency !== '',
    sharing: SHARING,
    firstIsDefault: isAffise,
  })
  if ('refusal' in meant) return `${meant.refusal} ${meant.parameter ?? ''}`
  return [meant.goal.code, meant.status, meant.amount ?? '-', plain.currency || '-', plain.txn_id || number || '-'].join(' ')
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
  ['amount=10.500&currency=KWD', 'sale approved 10.500 KWD -'],
  ['amount=10,000&currency=JPY', 'sale approved 10000 JPY -'],
  ['amount=10,000', 'amount_ambiguous amount'],
])('a currency: %s', (query, result) => {
  expect(told(query)).toBe(result)
}) // prettier-ignore

const UUID = '3f2504e0-4f89-11d3-9a0c-0305e82c3301'

test.each([
  ...['order_number', 'payment_id', 'deposit_id', 'invoice_id', 'invoice', 'order', 'order_no', 'conversion_id', 'sale_id', 'purchase_id', 'receipt_id', 'OrderNumber', 'shop_order_id', 'order_ref', 'trxId'].map(
    (name) => [`amount=5&${name}=A-1001`, 'sale approved 5 - A-1001'],
  ),
  ['payment_id=P1&order_id=O1&invoice=I1', 'sale approved - - O1'],
  ['invoice=I1&order_id=O1&payment_id=P1', 'sale approved - - O1'],
  ['payment_id=P1&order_number=O1&txn_id=T1', 'sale approved - - T1'],
  ['b_order_id=B1&a_order_id=A1', 'sale approved - - A1'],
  ['a_order_id=A1&b_order_id=B1', 'sale approved - - A1'],
  ['order_number=1&order_number=2', 'ambiguous order_number'],
  ['order_number={order}', 'placeholder order_number'],
  ['order=returned', 'status_unknown order'],
  ['status=approved&order=created&parent_order_id=7', 'sale approved - - -'],
  ['invoice.id=7', 'body_nested invoice.id'],
  ['txn_id=T1&invoice.id=7', 'sale approved - - T1'],
  ['order[city]=Kyiv', 'sale approved - - -'],
  [`event_id=${UUID}`, `sale approved - - ${UUID}`],
  [`eventid=${UUID}&goal=ftd&order_no=7`, 'ftd approved - - 7'],
  ['event_id=17000000001', 'sale approved - - 17000000001'],
  ['event_id=2', 'goal_unknown event_id'],
  ['event_id=Purchase', 'goal_unknown event_id'],
])('a transaction: %s', (query, result) => {
  expect(told(query)).toBe(result)
}) // prettier-ignore

test('an event called by a number is that event', () => {
  expect(told(`event_id=${UUID}`, { words: [{ word: UUID, status: null, goal: 'reg' }] })).toBe('reg approved - - -')
})

test.each([
  ['state=CA&amount=5', 'sale approved 5 - -'],
  ['state=ua', 'sale approved - - -'],
  ['state=US-TX', 'sale approved - - -'],
  ['state=New York', 'sale approved - - -'],
  ['state=Germany', 'sale approved - - -'],
  ['state=NO', 'status_unknown state'],
  ['state=rejected', 'sale declined - - -'],
  ['state=callback', 'status_unknown state'],
  ['sale_status=CA', 'status_unknown sale_status'],
  ['event_revenue=49.99&event_value={"af_revenue":"49.99","af_currency":"EUR","af_order_id":"A-1","af_quantity":2,"af_price":24.995}', 'sale approved 49.99 EUR A-1'],
  ['event_revenue=49.99&event_value={"af_revenue":"50"}', 'ambiguous event_value.af_revenue'],
  ['event_value={"af_revenue":"49.99"}', 'amount_unknown event_value.af_revenue'],
  ['event_value={"status":"declined"}', 'body_nested event_value.status'],
  ['event_value={amount}', 'placeholder event_value'],
  ['registration=2026-11-20&amount=5', 'sale approved 5 - -'],
  ['goal=ftd&registration=2026-11-20 10:00:00', 'ftd approved - - -'],
  ['registration=kyc', 'goal_unknown registration'],
  ['amount=20&unit_price=10&quantity=2&commission=3', 'sale approved 20 - -'],
  ['sale_amount=20&commission=3', 'sale approved 20 - -'],
  ['payout=20&commission=3', 'ambiguous commission'],
  ['commission=3', 'amount_unknown commission'],
  ['status=approved&previous_status=pending&old_status=declined', 'sale approved - - -'],
  ['old_status=pending&status=declined', 'sale declined - - -'],
  ['status=approved&payment_status=pending', 'sale approved - - -'],
  ['status=approved&payment_status=processing', 'sale approved - - -'],
  ['status=approved&payment_status=refunded', 'status_unknown payment_status'],
  ['status=approved&payment_status=declined', 'ambiguous payment_status'],
  ['status=approved&cookie_consent=rejected', 'sale approved - - -'],
  ['status=approved&gift_message=sorry I cancelled our dinner', 'sale approved - - -'],
  ['rejected_reason=bad', 'status_missing rejected_reason'],
  ['decline_reason=bad', 'status_missing decline_reason'],
  ['reason=duplicate', 'status_missing reason'],
  ['status=approved&rejected_reason=bad', 'status_unknown rejected_reason'],
  ['status=declined&rejected_reason=bad', 'sale declined - - -'],
  ['status=trash&reason=test lead', 'sale trash - - -'],
  ['status=approved&reason=test lead', 'test_call reason'],
  ['status=trash&x=test lead', 'test_call x'],
])('what only seems to speak against: %s', (query, result) => {
  expect(told(query)).toBe(result)
}) // prettier-ignore

test.each([
  ...['is_ftd=0', 'isFtd=false', 'hasFTD=0', 'deposited=0', 'has_deposit=no', 'is_deposit=0', 'depositor=false', 'first_deposit=0', 'is_ftd=', 'ftd_date=', 'FTDDate=null'].map(
    (query) => [query, `status_unknown ${query.toLowerCase().replace(/=.*/, '')}`],
  ),
  ['first_deposit=50', 'status_unknown first_deposit'],
  ['is_ftd=1', 'status_unknown is_ftd'],
  ['goal=ftd&is_ftd=0', 'status_unknown is_ftd'],
  ['goal=ftd&is_ftd=1', 'ftd approved - - -'],
  ['goal=reg&ftd_date=&deposited=', 'reg approved - - -'],
  ['status=rejected&is_ftd=0', 'sale declined - - -'],
  ['status=pending&is_ftd=false', 'sale pending - - -'],
  ['ftd_date=2026-11-20', 'sale approved - - -'],
])('a deposit that is asked for: %s', (query, result) => {
  expect(told(query)).toBe(result)
}) // prettier-ignore

test('a no to a deposit is none, whatever its word means elsewhere', () => {
  expect(told('is_ftd=0', { words: [{ word: '0', status: 'approved', goal: null }] })).toBe('status_unknown is_ftd')
  expect(told('is_ftd=1', { words: [{ word: '1', status: null, goal: 'ftd' }] })).toBe('ftd approved - - -')
})

test.each([
  ['goal=ftd&sale_amount=100&payout=12', 'ftd approved 100 - -'],
  ['goal=ftd&payout=12&order_total=100&commission=7', 'ftd approved 100 - -'],
  ['goal=ftd&amount=100&earnings=12', 'ftd approved 100 - -'],
  ['goal=ftd&sale_amount=100&revenue=12&payout=9', 'ftd approved 100 - -'],
  ['goal=ftd&payout=12', 'amount_ambiguous payout'],
  ['goal=ftd&revenue=12', 'amount_ambiguous revenue'],
  ['goal=ftd&payoutAmount=12', 'amount_ambiguous payoutamount'],
  ['goal=ftd&commission=12', 'amount_ambiguous commission'],
  ['goal=ftd&earnings=12', 'amount_ambiguous earnings'],
  ['goal=ftd&amount=0&payout=12', 'amount_ambiguous payout'],
  ['goal=ftd&payout=12&status=declined', 'ftd declined - - -'],
  ['goal=ftd&event_revenue=12&currency=USD', 'ftd approved 12 USD -'],
  ['goal=sale&payout=12', 'sale approved 12 - -'],
  ['goal=sale&revenue=12', 'sale approved 12 - -'],
  ['goal=sale&sale_amount=100&payout=12', 'sale approved 100 - -'],
  ['goal=sale&payout=12&amount=100&commission=7', 'sale approved 100 - -'],
  ['goal=sale&payout=12&commission=7', 'ambiguous commission'],
  // what may be an amount confirms what was paid, and is no sale
  ['goal=sale&payout=12&value=12', 'sale approved 12 - -'],
  ['goal=sale&payout=12&amount=abc', 'amount_invalid amount'],
  // what it was paid in says nothing of the sale
  ['goal=sale&amount=100&payout=5&payout_currency=EUR', 'ambiguous payout_currency'],
  ['goal=ftd&amount=100&payout=5&payout_currency=EUR', 'ambiguous payout_currency'],
  ['goal=ftd&amount=100&payout=5&currency=USD', 'ftd approved 100 USD -'],
  ['goal=sale&sale_amount=0.00&payout=12', 'sale approved 12 - -'],
  ['goal=sale&amount=100&sale_amount=90', 'ambiguous sale_amount'],
])('what a sale brought is not the sale that is shared: %s', (query, result) => {
  expect(told(query)).toBe(result)
})

test.each([
  ['goal=ftd&ftd_amount=0', 'amount_ambiguous ftd_amount'],
  ['goal=ftd&amount=0&deposit_amount=0.00', 'amount_ambiguous deposit_amount'],
  ['deposit_amount=0&amount=5', 'amount_ambiguous deposit_amount'],
  ['goal=ftd&status=declined&amount=0&ftd_amount=0', 'ftd declined 0 - -'],
  ['goal=reg&amount=0&ftd_amount=0', 'reg approved 0 - -'],
  ['goal=ftd&amount=50&ftd_amount=50', 'ftd approved 50 - -'],
])('a deposit of nothing is none: %s', (query, result) => {
  expect(told(query)).toBe(result)
})

test.each([
  ['deposit_sum=0&amount=55.10&status=approved', 'share approved 55.10 - -'],
  ['deposit_sum=0&amount=-20&status=approved', 'share approved -20 - -'],
  ['deposit_sum=0&amount=0', 'amount_ambiguous deposit_sum'],
  ['deposit_sum=0', 'amount_ambiguous deposit_sum'],
  ['goal=ftd&deposit_sum=0&amount=55.10', 'amount_ambiguous deposit_sum'],
])('a share of what was earned is owed on a day without deposits: %s', (query, result) => {
  const goals = ['share', 'ftd'].map((code) => ({ code, type: 'RevShare', is_default: code === 'share', retired: false }))
  expect(told(query, { goals })).toBe(result)
})

test.each([
  ['goal=1', false, 'goal_unknown goal'],
  ['goal=1', true, 'ftd approved - - -'],
  ['goal=2', true, 'goal_unknown goal'],
])(
  'goals are counted from the one a call without a goal is about, and where that is another here only that one is sure: %s',
  (query, isAffise, result) => {
    const goals = ['reg', 'ftd'].map((code) => ({ code, type: 'CPA', is_default: code === 'ftd', retired: false }))
    expect(told(query, { goals, isAffise })).toBe(result)
  },
)
