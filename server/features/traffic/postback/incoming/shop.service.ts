import { fromUnits, toUnits } from '#contract/money/amount.ts'
import { findDecimals } from '#server/features/money/currency/currency.queries.ts'
import { exchanged } from '#server/features/money/currency/exchange.ts'
import type { DbOrTrx, Trx } from '#server/platform/pg/database.ts'
import { isLost } from '#server/rules/conversion/conversion-status.ts'
import { isShop, orderNumber, refundCall, tellsRefundsApart } from '#server/rules/conversion/dialect/refunds.ts'
import type { ReceivedPostback } from '#server/rules/conversion/postback-hand-over.ts'
import type { NotUnderstood } from '#server/rules/conversion/postback-meaning.ts'
import { readJson, storableJson } from '#server/rules/conversion/postback-reading.ts'
import { declinedByAdvertiser } from '#server/rules/conversion/reason.ts'
import type { Report } from '../../conversion/draft.service.ts'
import { identitiesOf } from '../../conversion/apply-report.service.ts'
import { findConversion, lockIdentities } from '../../conversion/conversion-row.queries.ts'
import type { OfferTerms } from '../../conversion/terms.queries.ts'
import { hashOf, isSignedBy, isToken, weigh } from './authorize.service.ts'
import type { Identified, Interpreted } from './interpreted.ts'
import { orderChangedAt, type ParsedPostback, type PostbackFields } from './parse.service.ts'
import { latestChange, type IncomingSettings } from './incoming.queries.ts'
import { advertiserOfToken, conversionsOfOrder, getShopOrder, listSigners, noteRefunds, type Signer } from './shop.queries.ts'

/** The advertisers whose shop a call is of: by its signature, else by the token it brings; none = nobody's. */
export async function shopsOf(
  {
    db,
    openSecret,
    signers,
  }: { db: DbOrTrx; openSecret?: ((sealed: Buffer) => string) | undefined; signers?: (() => Promise<Signer[]>) | undefined },
  received: ReceivedPostback,
  parsed: ParsedPostback,
  settings: Pick<IncomingSettings, 'allowed_ips'>,
): Promise<Signer[]> {
  const listed = () => signers?.() ?? listSigners(db)
  if (isSigned(received)) return signersOf(received, await listed(), openSecret)
  return parsed.secrets.token === '' ? [] : sendersOf(db, received, parsed, await listed(), settings)
}

/**
 * The advertisers whose shop has signed a call: mostly one, several where they share a shop; none = nobody has. A shop sends every order, also those nobody brought, and
 * switches off what does not answer 200: who shows no right signature is answered as anybody.
 */
function signersOf(received: ReceivedPostback, signers: readonly Signer[], openSecret: ((sealed: Buffer) => string) | undefined): Signer[] {
  const at = Date.parse(received.received_at)
  return signers.filter(({ dialect, secret, token, previous_token, previous_token_until }) => {
    const { signature } = dialect
    const given = signature === null ? '' : (received.headers[signature.header] ?? '')
    if (signature === null || given === '') return false
    const isTaken = previous_token_until !== null && at < previous_token_until.getTime()
    const own = secret !== null && openSecret ? [openSecret(Buffer.from(secret, 'base64'))] : []
    return isSignedBy(received.body, given, signature.encoding, [...own, ...[token, isTaken ? previous_token : null].filter(isToken)])
  })
}

/**
 * The advertisers whose token a shop's call brings, where it brings no signature: what tells of its orders by a token may tell so of what
 * went back of them. Only of calls that are an order or a refund of their shop, and from where they may come.
 */
async function sendersOf(
  db: DbOrTrx,
  received: ReceivedPostback,
  { secrets: { token } }: ParsedPostback,
  signers: readonly Signer[],
  settings: Pick<IncomingSettings, 'allowed_ips'>,
): Promise<Signer[]> {
  const json = readJson(received.body).value
  const ofShop = signers.filter(
    ({ dialect: { preset } }) => refundCall(preset, json) !== null || (preset === 'shopify' && orderNumber(preset, json) !== ''),
  )
  if (ofShop.length === 0) return []
  const at = Date.parse(received.received_at)
  const given = hashOf(token)
  const owner = await advertiserOfToken(db, token)
  return ofShop.filter((one) => {
    const isTaken = one.previous_token_until !== null && at < one.previous_token_until.getTime()
    const own = [one.token, isTaken ? one.previous_token : null].filter(isToken).map(hashOf)
    return (own.includes(given) || owner === one.advertiser_id) && weigh(true, received.ip, one, settings) === null
  })
}

/** Whether a call has a header in which some system signs. */
export function isSigned({ method, headers }: ReceivedPostback): boolean {
  return method === 'POST' && ['x-shopify-hmac-sha256', 'x-wc-webhook-signature'].some((name) => headers[name])
}

/** A refund that a shop tells of by itself, as a call about the conversion of its order; null = it is none. */
export async function readRefund(
  db: DbOrTrx,
  signers: readonly Signer[],
  received: ReceivedPostback,
  parsed: ParsedPostback,
): Promise<ToldRefund | null> {
  const json = signers.length === 0 ? undefined : readJson(received.body).value
  let early: ToldRefund | null = null
  for (const { advertiser_id, version, dialect } of signers) {
    const refund = refundCall(dialect.preset, json)
    const [of] = refund === null ? [] : await conversionsOfOrder(db, advertiser_id, refund.order)
    if (refund === null) continue
    const { order, id, amount, currency, at } = refund
    // some sign for a shop whose refunds nobody reads
    const reading = signers.filter((one) => refundCall(one.dialect.preset, json) !== null)
    const fields: PostbackFields = storableJson({
      click_id: of?.click_id ?? '',
      txn_id: order,
      currency,
      reason: '',
      said: [],
      problem: null,
      ...(at !== '' && { changed_at: at }),
      refund: { id, amount, ...(of === undefined && { of: reading.map((one) => one.advertiser_id) }) },
    })
    const told = { version, parsed: { ...parsed, fields, refusal: null } }
    if (of !== undefined) return { ...told, early: false }
    early ??= { ...told, early: true }
  }
  return early
}
/** `early`: nobody of ours has a conversion of its order, or not yet. */
export type ToldRefund = { version: number; parsed: ParsedPostback; early: boolean }

/**
 * What is left of an order by its refunds, as a report about its conversion: another amount, or a decline once nothing is
 * left. Read again under the locks of the conversion, so that two refunds at once add up.
 */
export async function interpretRefund(
  db: DbOrTrx,
  { terms, parts }: Pick<Identified, 'terms'> & { parts: { at: number } },
  fields: PostbackFields,
): Promise<Interpreted | NotUnderstood> {
  const [first, ...others] = await conversionsOfOrder(db, terms.advertiser_id, fields.txn_id)
  const goal = terms.goals.find(({ id }) => id === first?.goal_id)
  if (first === undefined || goal === undefined || first.click_id !== fields.click_id)
    return { refusal: 'goal_unknown', parameter: 'order_id' }
  if (others.length > 0) {
    const goals = [first, ...others].map((one) => one.goal).join(', ')
    return {
      refusal: 'ambiguous',
      parameter: 'order_id',
      detail: `order_id=${fields.txn_id.slice(0, 60)} is of several conversions (${goals})`,
    }
  }
  const of = { terms, goal, clickId: fields.click_id, clickAt: parts.at, transactionId: fields.txn_id }
  const left = async (at: DbOrTrx, lock: boolean): Promise<Interpreted | NotUnderstood> => {
    const conversion = await findConversion(at, of, lock)
    if (conversion === undefined) return { refusal: 'goal_unknown', parameter: 'order_id' }
    const told = await withDecimals(at, fields, conversion.reported_currency)
    const report = reportOf(told, conversion, await getShopOrder(at, conversion.id), terms.spoken?.dialect?.words ?? [])
    return 'refusal' in report ? report : { of, report, fields: told }
  }
  const meant = await left(db, false)
  if ('refusal' in meant) return meant
  const underLocks = async (trx: Trx) => {
    await lockIdentities(trx, identitiesOf(terms, [goal], of.clickId, of.transactionId))
    return left(trx, true)
  }
  return { ...meant, underLocks }
}

/** A refund to the decimals of the currency its order is in: what is less than its smallest unit is nothing. */
async function withDecimals(db: DbOrTrx, fields: PostbackFields, currency: string | null): Promise<PostbackFields> {
  const { refund } = fields
  if (refund === undefined || refund.amount === null || currency === null) return fields
  const decimals = await findDecimals(db, currency)
  if (decimals === undefined) return fields
  return { ...fields, refund: { ...refund, amount: fromUnits(exchanged(toUnits(refund.amount), { from: 1n, to: 1n }, decimals)) } }
}

type Booked = NonNullable<Awaited<ReturnType<typeof findConversion>>>

function reportOf(
  { refund, currency, txn_id }: PostbackFields,
  conversion: Booked,
  known: Awaited<ReturnType<typeof getShopOrder>>,
  words: readonly { word: string; status: Report['status'] | null }[],
): Report | NotUnderstood {
  const same: Report = {
    status: conversion.status,
    statusNamed: false,
    amount: null,
    currency: null,
    transactionId: txn_id,
    reason: '',
  }
  if (refund === undefined || refund.amount === null)
    return { refusal: 'amount_ambiguous', parameter: 'transactions', detail: 'what was refunded cannot be read' }
  if (toUnits(refund.amount) === 0n || conversion.status === 'trash') return same
  const { reported_amount: reported, reported_currency: reportedIn } = conversion
  const total = known.total ?? reported
  if (total === null) return { refusal: 'amount_unknown', parameter: 'transactions', detail: 'the order was booked without an amount' }
  if (currency !== '' && reportedIn !== null && currency !== reportedIn)
    return { refusal: 'amount_ambiguous', parameter: 'transactions', detail: `${refund.amount} ${currency} of an order in ${reportedIn}` }
  const all = new Map([...known.refunds, { id: refund.id, amount: refund.amount }].map(({ id, amount }) => [id, toUnits(amount)]))
  // one that was told before counts as it was told then
  for (const { id, amount } of known.refunds) all.set(id, toUnits(amount))
  const paid = toUnits(total) - [...all.values()].reduce((sum, one) => sum + one, 0n)
  const now = reported === null ? paid : toUnits(reported)
  // money that goes back for what an edit took off already takes nothing off again
  const rest = paid < now ? paid : now
  // of what was declined, for a full cap or by its advertiser, as much less is left should staff approve it
  if (isLost(conversion.status)) {
    const before = toUnits(total) - known.refunds.reduce((sum, { amount }) => sum + toUnits(amount), 0n)
    return before <= 0n ? same : { ...same, amount: fromUnits(rest > 0n ? rest : 0n), currency: reportedIn }
  }
  if (rest > 0n) return { ...same, amount: fromUnits(rest), currency: reportedIn }
  const word = words.find((one) => one.word.toLowerCase() === 'refunded')?.status
  return { ...same, status: word && isLost(word) ? word : 'declined', statusNamed: true, reason: declinedByAdvertiser('') }
}

/** Whether an offer's calls are orders of a shop as they are at the moment, which it repeats and sends in any order. */
export function tellsOrders({ spoken }: Pick<OfferTerms, 'spoken'>): boolean {
  return isShop(spoken?.dialect?.preset ?? '')
}

/**
 * What an order says of its conversion by what is known by now, read behind the line of its click. One that a later state has overtaken says
 * nothing. One that lacks refunds that are known was sent before them: they stay off, and it brings nothing back and lifts no amount. Nothing
 * left is a decline, as where the refund comes last.
 */
export async function asItStands(trx: Trx, { of, report, fields }: Interpreted): Promise<{ report: Report; isLatest: boolean }> {
  const asSaid = { report, isLatest: true }
  const conversion = await findConversion(trx, of)
  if (conversion === undefined || conversion.click_id !== of.clickId) return asSaid
  const latest = await latestChange(trx, conversion.id)
  const changedAt = orderChangedAt(fields)
  const nothing = { report: { ...report, status: conversion.status, statusNamed: false, amount: null }, isLatest: false }
  if (changedAt !== '' && latest > changedAt) return nothing
  if (report.amount === null || isLost(report.status)) return asSaid
  const { refunds } = await getShopOrder(trx, conversion.id)
  const listed = new Set(fields.order?.refunds.map(({ id }) => id))
  // where an order tells all of its refunds itself, its latest state is right without one: it was taken back
  const isComplete = !tellsRefundsApart(of.terms.spoken?.dialect?.preset ?? '') && changedAt !== '' && changedAt > latest
  if (isComplete || refunds.every(({ id }) => listed.has(id))) return asSaid
  const back = new Map([...(fields.order?.refunds ?? []), ...refunds].map(({ id, amount }) => [id, toUnits(amount)]))
  const said = toUnits(report.amount)
  // what went back for an edit is off what is left already
  const charged =
    (fields.order?.total === undefined ? said : toUnits(fields.order.total)) - back.values().reduce((sum, one) => sum + one, 0n)
  const now = conversion.reported_amount === null ? said : toUnits(conversion.reported_amount)
  const rest = [charged, said, now].reduce((least, one) => (one < least ? one : least))
  if (isLost(conversion.status)) return nothing
  if (rest > 0n) return { report: { ...report, amount: fromUnits(rest) }, isLatest: false }
  return { report: { ...report, status: 'declined', statusNamed: true, amount: null, reason: declinedByAdvertiser('') }, isLatest: false }
}

/** Notes the refunds a call told of, in the transaction that books it: what comes later adds to them. */
export async function keepRefunds(
  trx: DbOrTrx,
  conversionId: string,
  before: string | null,
  fields: PostbackFields,
  isLatest: boolean,
): Promise<void> {
  const { refund, order } = fields
  if (order !== undefined) {
    await noteRefunds(trx, conversionId, { left: order.left, charged: order.total }, order.refunds, isLatest)
  } else if (refund !== undefined && refund.amount !== null && toUnits(refund.amount) > 0n && before !== null) {
    await noteRefunds(trx, conversionId, { total: before }, [{ id: refund.id, amount: refund.amount }], false)
  }
}
