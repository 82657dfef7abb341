import { createHash } from 'node:crypto'
import { lineOf } from '#server/platform/address.ts'
import type { IncomingRow } from './incoming.queries.ts'

/** So many calls of strangers are kept within an hour: of one address, and of all together. */
const OF_ONE = 60
const OF_ALL = 3_000
const HOUR = 3_600_000
/** So much of each is kept, in characters. */
const KEPT = 1_024

export type StrangerLimit = (address: string, at: number) => boolean

/**
 * Counts what comes from who shows neither a token nor a click id of ours, in this process; false for what is not kept: anybody
 * can send such calls, and they must not fill the database. They are answered all the same.
 */
export function openStrangerLimit(): StrangerLimit {
  let hour = 0
  let all = 0
  let ofOne = new Map<string, number>()
  return (address, at) => {
    const now = Math.floor(at / HOUR)
    if (now !== hour) [hour, all, ofOne] = [now, 0, new Map()]
    const line = lineOf(address)
    const calls = ofOne.get(line) ?? 0
    if (calls >= OF_ONE || all >= OF_ALL) return false
    ofOne.set(line, calls + 1)
    all++
    return true
  }
}

/** What is kept of a stranger's call: its beginning, and where that is not all of it, how long it was and its hash. */
export function cutStranger(row: IncomingRow): IncomingRow {
  const { click_id, txn_id } = row.fields
  return {
    ...row,
    query: beginningOf(row.query),
    body: beginningOf(row.body),
    fields: { click_id: click_id.slice(0, 255), txn_id: txn_id.slice(0, 255), currency: '', reason: '', said: [], problem: null },
  }
}

function beginningOf(text: string): string {
  if (text.length <= KEPT) return text
  return `${text.slice(0, KEPT).toWellFormed()}… (${text.length} characters, SHA-256 ${createHash('sha256').update(text).digest('hex')})`
}
