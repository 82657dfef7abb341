import { createHash } from 'node:crypto'
import { lineOf } from '#server/platform/address.ts'
import { isListed } from '#server/platform/network.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { findClickId, type ClickIdKeys } from '#server/rules/click/click-id.ts'
import type { ReceivedPostback } from '#server/rules/conversion/postback-hand-over.ts'
import { loadTerms } from '../../conversion/terms.queries.ts'
import { hashOf, tokensOf } from './authorize.service.ts'
import { findPartnersTokens, ownersOfTokens, type IncomingRow, type IncomingSettings } from './incoming.queries.ts'
import { tokensLike, valuesOf } from './parse.service.ts'

/** So many calls of strangers are kept within an hour: of one address, and of all together. */
const OF_ONE = 60
const OF_ALL = 3_000
const HOUR = 3_600_000
/** So much of each is kept, in characters. */
const KEPT = 1_024

/** Tokens are longer; no other value need be looked up. */
const SHORTEST_TOKEN = 8
/** So far a token is looked for within what is no value of its own: beyond what is kept of a stranger, lest half of one be. */
const SEARCHED = KEPT + 256

/**
 * Who may have sent a call that nobody could read: it holds a click id of ours or somebody's token under whatever name, or
 * comes from a listed address, and so it may be money. Null for a stranger's. It is the click's advertiser's, else that of whose token it
 * shows. `secrets` are to be taken out of what is kept.
 */
export async function recogniseSender(
  db: Db,
  received: ReceivedPostback,
  known: { keys: ClickIdKeys; settings: IncomingSettings; networks: readonly string[] },
): Promise<{ about: Partial<IncomingRow>; secrets: string[] } | null> {
  const values = valuesOf(received)
  const click = findClickId([received.path, received.query, received.body, ...values], known.keys)
  const pieces = [received.path, received.query.slice(0, SEARCHED), received.body.slice(0, SEARCHED)].flatMap(tokensLike)
  const candidates = [...values.filter((value) => value.length >= SHORTEST_TOKEN), ...pieces]
  const tokens = await findPartnersTokens(db, candidates)
  const own = known.settings.token
  if (own !== null && candidates.includes(own)) tokens.push(own)
  if (click === null && tokens.length === 0 && !isListed(received.ip, [...known.settings.allowed_ips, ...known.networks])) return null

  const terms = click === null ? undefined : (await loadTerms(db, [click.parts.offerId])).get(click.parts.offerId)
  const token = tokens[0]
  // with the tokens of two it is nobody's
  const [sender, ...others] = terms === undefined ? await ownersOfTokens(db, tokens, Date.parse(received.received_at)) : []
  return {
    about: {
      ...(click !== null && { clickId: click.id }),
      ...(token !== undefined && { tokenHash: hashOf(token) }),
      ...(sender !== undefined && others.length === 0 && { advertiserId: sender }),
      ...(click !== null && terms && { offerId: terms.id, affiliateId: click.parts.affiliateId, advertiserId: terms.advertiser_id }),
    },
    secrets: [...tokens, ...(terms ? tokensOf(terms, known.settings) : [])],
  }
}

/** Whether a call holds the token of an advertiser, an offer or the network, wherever it has it. */
export async function holdsToken(db: Db, received: ReceivedPostback, { token }: IncomingSettings): Promise<boolean> {
  const values = valuesOf(received).filter((value) => value.length >= SHORTEST_TOKEN)
  return (token !== null && values.includes(token)) || (await findPartnersTokens(db, values)).length > 0
}

/** Whether a call is WooCommerce's ping, its number alone: it comes unsigned when a webhook is saved, which is not where it is answered anything but 200. */
export function isPing({ method, body }: ReceivedPostback): boolean {
  return method === 'POST' && /^\s*webhook_id=\d{1,12}\s*$/.test(body)
}

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
    stranger: true,
    query: beginningOf(row.query),
    body: beginningOf(row.body),
    fields: { click_id: click_id.slice(0, 255), txn_id: txn_id.slice(0, 255), currency: '', reason: '', said: [], problem: null },
  }
}

function beginningOf(text: string): string {
  if (text.length <= KEPT) return text
  return `${text.slice(0, KEPT).toWellFormed()}… (${text.length} characters, SHA-256 ${createHash('sha256').update(text).digest('hex')})`
}
