/** Parameters of an incoming postback by every name that other systems use for them, in lower case. */
export const POSTBACK_NAMES = {
  click_id: 'click_id',
  clickid: 'click_id',
  cid: 'click_id',
  goal: 'goal',
  event: 'goal',
  status: 'status',
  amount: 'amount',
  sum: 'amount',
  payout: 'amount',
  currency: 'currency',
  txn_id: 'txn_id',
  action_id: 'txn_id',
  tid: 'txn_id',
  txid: 'txn_id',
  order_id: 'txn_id',
  transaction_id: 'txn_id',
  reason: 'reason',
  comment: 'reason',
  token: 'token',
  secure: 'token',
  signature: 'signature',
  timestamp: 'timestamp',
} as const

const LONGEST_VALUE = 1_000

/** A parameter's value as it is compared and stored. */
export function cleanPostbackValue(value: string): string {
  return storable(value).trim().slice(0, LONGEST_VALUE)
}

/** Without what PostgreSQL cannot store and no value needs. */
export function storable(text: string): string {
  return text.toWellFormed().replace(/[\u0000-\u001f\u007f]/g, ' ')
}

/**
 * Parses the JSON of a postback. A number that JavaScript would round, such as a transaction id of 20 digits, stays text:
 * rounded, two of them could be one. Throws as `JSON.parse` does.
 */
export function parsePostbackJson(text: string): unknown {
  return JSON.parse(text, keepDigits)
}

function keepDigits(_name: string, value: unknown, context?: { source?: string }): unknown {
  const source = context?.source ?? ''
  if (typeof value !== 'number' || source.length > LONGEST_VALUE || !/^-?\d+(\.\d+)?$/.test(source)) return value
  const digits = source.includes('.') ? source.replace(/\.?0+$/, '') : source
  return String(value) === digits ? value : digits
}
