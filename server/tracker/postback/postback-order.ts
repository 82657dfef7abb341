import { CLICK_ID_LENGTH } from '#server/rules/click/click-id.ts'
import { cleanPostbackValue, parsePostbackJson, POSTBACK_NAMES } from '#server/rules/conversion/postback-reading.ts'
import type { ReceivedPostback } from './postbacks.ts'

/** What the order of a postback hangs on: two that share a key have to be applied in the order in which they came. */
export type OrderKeys = readonly string[]

const CLICK_ID = new RegExp(`^[a-z0-9]{${CLICK_ID_LENGTH}}$`)
const NAMES: Readonly<Record<string, string>> = POSTBACK_NAMES

/**
 * Reads a postback as it lies in the line. The api knows a conversion by transaction or click, so both are keys; of a
 * parameter given twice, or under two names, all values are, because a key too many only makes somebody wait.
 *
 * Without a click id the api has no offer, so no conversion to change, and refuses whatever came before: such a postback
 * has no key, and neither waits nor is waited for.
 */
export function orderOf(line: string): OrderKeys {
  const pairs = readPairs(line).map(([name, value]) => [name.toLowerCase(), cleanPostbackValue(value)] as const)
  const clicks = pairs.map(([, value]) => value.toLowerCase()).filter((value) => CLICK_ID.test(value))
  const transactions = pairs.filter(([name, value]) => NAMES[name] === 'txn_id' && value !== '').map(([, value]) => value)
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
    const value = parsePostbackJson(text)
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}
