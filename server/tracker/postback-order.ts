import { CLICK_ID_LENGTH } from '#server/rules/click-id.ts'
import type { ReceivedPostback } from './postbacks.ts'

/** What the order of a postback hangs on: two that share a key have to be applied in the order in which they came. */
export type OrderKeys = readonly string[]

const CLICK_ID = new RegExp(`^[a-z0-9]{${CLICK_ID_LENGTH}}$`)
/** As the api reads them: parse.service.ts. */
const TRANSACTION_NAMES = new Set(['txn_id', 'action_id', 'tid', 'txid', 'order_id', 'transaction_id'])

/**
 * Reads a postback as it lies in the line. The api knows a conversion by transaction or click, so both are keys; of a
 * parameter given twice, or under two names, all values are, because a key too many only makes somebody wait.
 *
 * Without a click id the api has no offer, so no conversion to change, and refuses whatever came before: such a postback
 * has no key, and neither waits nor is waited for.
 */
export function orderOf(line: string): OrderKeys {
  const pairs = readPairs(line).map(([name, value]) => [name.toLowerCase(), clean(value)] as const)
  const clicks = pairs.map(([, value]) => value.toLowerCase()).filter((value) => CLICK_ID.test(value))
  const transactions = pairs.filter(([name, value]) => TRANSACTION_NAMES.has(name) && value !== '').map(([, value]) => value)
  if (clicks.length === 0) return []
  return [...new Set([...clicks.map((id) => `click ${id}`), ...transactions.map((id) => `transaction ${id}`)])]
}

function readPairs(line: string): [string, string][] {
  const { query = '', body = '' } = asObject(line) as Partial<ReceivedPostback> // what the tracker wrote
  const members = Object.entries(asObject(body)).map(([name, value]): [string, string] => [name, String(value)])
  return [...new URLSearchParams(query), ...new URLSearchParams(body), ...members]
}

function asObject(text: string): object {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}

/** As the api cleans a value before it compares it. */
function clean(value: string): string {
  return value
    .toWellFormed()
    .replace(/[\u0000-\u001f\u007f]/g, ' ')
    .trim()
    .slice(0, 1_000)
}
