/** What a call of an advertiser says of a lead; `amount` with its currency behind it where that is said, `transaction` what they call the payment. */
export type Push = { id: string; status: string; amount: string; transaction: string }

const NAMES = {
  id: ['lead_id', 'leadid', 'lead', 'external_id', 'send_id', 'id'],
  status: ['status', 'call_status', 'lead_status', 'state', 'event', 'goal'],
  amount: ['amount', 'sum', 'deposit', 'deposit_amount', 'ftd_amount'],
  transaction: ['transaction_id', 'transaction', 'txn_id', 'tx_id', 'txid', 'deposit_id', 'payment_id'],
  currency: ['currency', 'currency_code', 'amount_currency', 'deposit_currency', 'ftd_currency'],
} as const

/** Reads a call, its query before its body; the first of the usual names that is there counts. `missing`: what must be there. */
export function readPush(
  query: unknown,
  body: unknown,
): { push: Push; params: Record<string, string>; missing: '' | 'lead_id' | 'status' } {
  const told = { ...flat(body), ...flat(query) }
  const text = (names: readonly string[]) => names.map((name) => told[name] ?? '').find((value) => value !== '') ?? ''
  const [amount, currency] = [text(NAMES.amount), text(NAMES.currency).toUpperCase()]
  const push = {
    id: text(NAMES.id),
    status: text(NAMES.status),
    amount: amount === '' ? '' : `${amount} ${currency}`.trim(),
    transaction: text(NAMES.transaction).slice(0, 120),
  }
  return { push, params: told, missing: push.id === '' ? 'lead_id' : push.status === '' ? 'status' : '' }
}

/** Texts and numbers by their names in small letters; whatever lies deeper says nothing. */
function flat(value: unknown): Record<string, string> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {}
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, 100)
      .flatMap(([name, one]) =>
        typeof one === 'string' || typeof one === 'number'
          ? [[name.toLowerCase(), String(one).replaceAll('\0', '').trim().slice(0, 300)]]
          : [],
      ),
  ) as Record<string, string>
}
