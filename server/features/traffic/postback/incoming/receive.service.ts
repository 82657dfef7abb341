import type { PostbackRefusal } from '#contract/traffic/postback-outcome.ts'
import type { Clock } from '#server/platform/clock.ts'
import { log } from '#server/platform/log.ts'
import type { Db, DbOrTrx, Trx } from '#server/platform/pg/database.ts'
import type { ClickIdKeys } from '#server/rules/click/click-id.ts'
import { storable } from '#server/rules/conversion/postback-reading.ts'
import { POSTBACK_PATH, receivedPostback, type ReceivedPostback } from '#server/rules/conversion/postback-hand-over.ts'
import { loadClickKeys, type FindClick, type StoredClick } from '../../click/click.queries.ts'
import type { ConversionRow } from '../../conversion/change.ts'
import { applyReport } from '../../conversion/apply-report.service.ts'
import { isRepeat, type ReportOutcome } from '../../conversion/plan-report.service.ts'
import { loadTerms } from '../../conversion/terms.queries.ts'
import { findConversion } from '../../conversion/conversion-row.queries.ts'
import { authorize, hashOf, tokensOf } from './authorize.service.ts'
import { isHeld } from './held.queries.ts'
import {
  findAnswer,
  findFirstAnswer,
  getIncomingSettings,
  listPartnersNetworks,
  lockLine,
  storeIncoming,
  waitsBefore,
  wasApplied,
  type IncomingSettings,
  type IncomingResult,
  type IncomingRow,
  type PostbackAnswer,
} from './incoming.queries.ts'
import { namesClick, speak } from './speak.service.ts'
import { onceEach, remembered } from './remembered.ts'
import { applyEarlyRefunds, keepEarlyRefund, keepNobodysOrder, mayComeEarly } from './early-refund.service.ts'
import { lockOrder } from './early-refund.queries.ts'
import { notePresetSeen } from '../../dialect/preset-seen.queries.ts'
import { identify, interpret, type TermsOf } from './interpret.service.ts'
import type { Identified, Interpreted } from './interpreted.ts'
import { AMOUNT_NOTED, refused } from './refused.ts'
import { asItStands, isSigned, keepRefunds, readRefund, shopsOf, tellsOrders } from './shop.service.ts'
import { listSigners, type Signer } from './shop.queries.ts'
import { cutStranger, holdsToken, isPing, openStrangerLimit, recogniseSender, type StrangerLimit } from './stranger.service.ts'
import { hide, orderChangedAt, parsePostback, type ParsedPostback, type PostbackFields } from './parse.service.ts'

export type ReceiveParts = {
  db: Db
  findClick: FindClick
  clock: Clock
  /** What every postback needs and hardly ever changes; `openReceiveParts` remembers it for a moment. */
  keys?: () => Promise<ClickIdKeys>
  settings?: () => Promise<IncomingSettings>
  networks?: () => Promise<string[]>
  signers?: () => Promise<Signer[]>
  /** Of offers nobody can change meanwhile. */
  terms?: TermsOf
  /** Whether one more call of a stranger is kept. */
  keepsStranger?: StrangerLimit
  /** Opens the secrets that sign bodies; without it the tokens alone do. */
  openSecret?: (sealed: Buffer) => string
  /** Whose calls are known to have come. */
  presetsSeen?: Set<string>
}

/** A postback whose click has not come after this long is reported as unmatched. */
export const GIVE_UP_AFTER = 24 * 3_600_000
/** One that cannot be settled at all holds up the later ones of its click no longer than this. */
export const LONGEST_WAIT = GIVE_UP_AFTER + 3_600_000

/** The parts with a short memory for keys and settings, two queries less for each postback, and for how much strangers sent. */
export function openReceiveParts(parts: Pick<ReceiveParts, 'db' | 'findClick' | 'clock' | 'openSecret'>): ReceiveParts {
  const { db, clock } = parts
  return {
    ...parts,
    keys: remembered(clock, () => loadClickKeys(db, clock.now())),
    settings: remembered(clock, () => getIncomingSettings(db)),
    networks: remembered(clock, () => listPartnersNetworks(db)),
    signers: remembered(clock, () => listSigners(db)),
    keepsStranger: openStrangerLimit(),
    presetsSeen: new Set(),
  }
}

/**
 * Takes an advertiser's postback as a tracker handed it over: stores it and applies it in one transaction, and answers
 * what became of it. Every refusal is stored with its reason (of strangers so many as the limit says) and answered with an honest status. The same hand-over again
 * gets the same answer, and so does the same postback sent again; another that says nothing new is answered `repeat`. A postback whose click is not
 * stored yet waits for it (202). Throws only when a database fails: then nothing was stored, and the tracker keeps it.
 */
export async function receivePostback(parts: ReceiveParts, handover: unknown): Promise<PostbackAnswer> {
  const handed = readHandOver(handover)
  return handed === null ? { httpStatus: 400, body: { status: 'error' } } : receiveParsed(parts, handed)
}

export type HandedOver = { received: ReceivedPostback; parsed: ParsedPostback }

/** Reads what a tracker handed over; null = it is no postback. */
export function readHandOver(handover: unknown): HandedOver | null {
  const reading = receivedPostback.safeParse(handover)
  if (reading.success) return { received: reading.data, parsed: parsePostback(reading.data) }
  log.error({ err: reading.error }, 'a tracker handed over what is no postback')
  return null
}

/** `receivePostback` of one that was read already, as without a dialect. A list is taken member by member, and answered so. */
export async function receiveParsed(parts: ReceiveParts, handed: HandedOver, inList = false): Promise<PostbackAnswer> {
  const { db, clock } = parts
  const { received } = handed
  const receivedAt = Date.parse(received.received_at)
  const [keys, settings] = await Promise.all([
    parts.keys?.() ?? loadClickKeys(db, clock.now()),
    parts.settings?.() ?? getIncomingSettings(db),
  ])
  const termsOf = onceEach(parts.terms ?? (async (offerId) => (await loadTerms(db, [offerId])).get(offerId)))
  const spoken = await speak(received, handed.parsed, { keys, termsOf, inList })
  if (spoken !== null && 'calls' in spoken) return receiveEach(parts, spoken.calls)
  // an order or a refund that names no click
  const mayBeShops = spoken === null && received.method === 'POST' && !namesClick(received, handed.parsed, keys)
  const signers = mayBeShops ? await shopsOf(parts, received, handed.parsed, settings) : []
  const [signer] = signers
  const refund = await readRefund(db, signers, received, handed.parsed)
  const parsed = spoken?.parsed ?? refund?.parsed ?? handed.parsed
  const row = keptRow(received, parsed, spoken?.version ?? refund?.version ?? null)
  if (signer !== undefined && refund?.early === true) {
    // its fields say what went back: of the body the beginning is enough
    const cut = { ...cutStranger(row), fields: row.fields, path: shorter(row.path), stranger: false }
    const kept = await keepEarlyRefund(db, { ...cut, authorized: true, advertiserId: signer.advertiser_id }, signers)
    return kept?.answer ?? receiveParsed(parts, handed, inList)
  }
  const storeUnidentified = async (result: IncomingResult): Promise<PostbackAnswer> => {
    if (signer !== undefined) {
      const cut = { ...cutStranger(row), path: shorter(row.path), stranger: false, advertiserId: signer.advertiser_id }
      await keepNobodysOrder(db, cut, received.body, signer)
      return store(db, cut, result)
    }
    const networks = await (parts.networks?.() ?? listPartnersNetworks(db))
    const sender = await recogniseSender(db, received, { keys, settings, networks })
    if (sender !== null) {
      const { about, secrets } = sender
      // it holds our click id, deeper than anybody reads
      const found =
        result.reason === 'click_id_missing' && about.clickId !== undefined ? refused({ refusal: 'click_id_elsewhere' }) : result
      const hidden = (text: string) => hide(text, secrets)
      const kept = { ...row, ...about, path: shorter(hidden(row.path)), query: hidden(row.query), body: hidden(row.body) }
      return store(db, kept, withoutSecrets(found, secrets))
    }
    if (parts.keepsStranger?.(row.address, receivedAt) === false) return result.answer
    return store(db, { ...cutStranger(row), path: shorter(row.path) }, result)
  }
  // every order of a shop comes: of those that are not ours the beginning is kept
  const isQuiet = signer !== undefined ? refund === null : spoken === null && isPing(received) && (await holdsToken(db, received, settings))
  if (isQuiet) return storeUnidentified(refused({ refusal: 'not_ours' }))
  if (received.path !== POSTBACK_PATH && spoken === null && refund === null) return storeUnidentified(refused({ refusal: 'path_unknown' }))
  if (parsed.refusal !== null) return storeUnidentified(refused({ refusal: parsed.refusal }))
  let identified = await identify(db, keys, parsed.fields, termsOf)
  // a key made a moment ago may not be remembered yet
  if ('refusal' in identified && identified.refusal === 'click_id_unknown')
    identified = await identify(db, await loadClickKeys(db, clock.now()), parsed.fields, termsOf)
  if ('refusal' in identified) return storeUnidentified(refused(identified))
  const secrets = tokensOf(identified.terms, settings)
  const refusal = authorize(received, parsed, identified.terms, settings, parts.openSecret)
  const known = knownRow(row, identified, secrets, refusal)
  if (refusal !== null) return store(db, known, refused({ refusal }))
  // a shop switches off what does not answer 200; the question is for staff
  const told = (result: IncomingResult) => (refund === null ? result : answeredQuietly(result))
  const interpreted = await interpret(db, identified, parsed.fields, settings)
  if ('refusal' in interpreted) {
    const isOurTest = interpreted.refusal === 'test_call' && (await clickFor(parts, identified))?.test === true
    const { signature } = identified.terms.spoken?.dialect ?? { signature: null }
    const isShops = signature !== null && isSigned(received)
    return store(
      db,
      known,
      isOurTest || (isShops && interpreted.refusal === 'test_call') ? OF_TEST_CLICK : told(withoutSecrets(refused(interpreted), secrets)),
    )
  }

  const conversion = await findConversion(db, interpreted.of)
  // most of what comes twice comes once the first is settled: it needs neither locks nor the click
  if (conversion !== undefined && (await saysNothingNew(db, conversion, interpreted, row.fields))) {
    const again = async (at: DbOrTrx) => {
      await keepRefunds(at, conversion.id, null, row.fields, false)
      return store(at, known, await answered(at, { outcome: 'repeat', conversion }, row.fields))
    }
    if (row.fields.order === undefined) return again(db)
    // a shop tells the same at once and several times: the line of its click first, as whoever books does
    return db.transaction().execute(async (trx) => {
      await lockLine(trx, interpreted.of.clickId)
      return again(trx)
    })
  }
  const click = conversion === undefined ? await clickFor(parts, identified) : null
  try {
    const result = await db.transaction().execute(async (trx) => {
      // what came earlier and still waits for the click is applied first
      await lockLine(trx, interpreted.of.clickId)
      const isBehind = await waitsBefore(trx, interpreted.of.clickId, null, clock.now() - LONGEST_WAIT)
      const result = isBehind ? WAITING : told(await applyInterpreted(trx, interpreted, click, receivedAt, clock.now()))
      if (!(await storeIncoming(trx, known, result))) throw new HandedOverTwice()
      return result
    })
    if (result.conversionId !== null) await notePreset(parts, spoken?.dialect.preset ?? '')
    return result.answer
  } catch (error) {
    if (!(error instanceof HandedOverTwice)) throw error
    return (await findAnswer(db, received.id)) ?? { httpStatus: 202, body: { status: 'success', outcome: 'queued' } }
  }
}

/** A call as it is kept, while nobody knows yet whose it is. */
export function keptRow(received: ReceivedPostback, parsed: ParsedPostback, dialectVersion: number | null): IncomingRow {
  return {
    dialectVersion,
    requestKey: received.id,
    receivedAt: Date.parse(received.received_at),
    method: received.method,
    path: storable(received.path),
    query: parsed.query,
    body: parsed.body,
    address: received.ip,
    fields: parsed.fields,
    offerId: null,
    affiliateId: null,
    advertiserId: null,
    authorized: null,
    tokenHash: parsed.secrets.token === '' ? null : hashOf(parsed.secrets.token),
  }
}

/** The same with whose it is, without the secrets it may be sent with; `refusal` where nothing authorises it. */
export function knownRow(
  row: IncomingRow,
  { parts, terms }: Identified,
  secrets: readonly string[],
  refusal: PostbackRefusal | null,
): IncomingRow {
  return {
    ...row,
    authorized: refusal === null,
    tokenHash: refusal === null ? null : row.tokenHash,
    offerId: terms.id,
    affiliateId: parts.affiliateId,
    advertiserId: terms.advertiser_id,
    path: shorter(hide(row.path, secrets)),
    query: hide(row.query, secrets),
    body: hide(row.body, secrets),
  }
}

/** Notes that a call of a preset's system was booked: for a process that has just started one statement more, once. */
export async function notePreset({ db, clock, presetsSeen }: ReceiveParts, preset: string): Promise<void> {
  if (preset === '' || presetsSeen?.has(preset) === true) return
  await notePresetSeen(db, preset, clock.now())
  presetsSeen?.add(preset)
}

/**
 * A repeat of what was reported last; of a call that names no status also the same call again after others came between,
 * which is one that was late: nobody takes an amount back without saying anything.
 */
async function saysNothingNew(db: Db, conversion: ConversionRow, { of, report }: Interpreted, fields: PostbackFields): Promise<boolean> {
  // refunds add up in whichever order they come: without locks one looks like another of the same amount that was booked a moment ago
  if (fields.refund !== undefined) return false
  if (isRepeat(conversion, of, report)) return true
  // what a shop said when is compared where it is applied
  if (orderChangedAt(fields) !== '') return false
  return report.statusNamed === false && conversion.click_id === of.clickId && (await wasApplied(db, conversion.id, fields))
}

const WAITING: IncomingResult = {
  outcome: 'waiting',
  reason: '',
  conversionId: null,
  answer: { httpStatus: 202, body: { status: 'success', outcome: 'waiting' } },
}

/** What is answered where the click is a test: nothing is booked. */
export const OF_TEST_CLICK: IncomingResult = {
  outcome: 'test',
  reason: '',
  conversionId: null,
  answer: { httpStatus: 200, body: { status: 'success', outcome: 'test' } },
}

/** Applies what a postback says, with its click or without, and says how it is to be answered; `decided` by staff it is not held for review. */
export async function applyInterpreted(
  trx: Trx,
  interpreted: Interpreted,
  click: StoredClick | null,
  receivedAt: number,
  now: number,
  decided = false,
): Promise<IncomingResult> {
  if (click?.test) return OF_TEST_CLICK
  if (click !== null && click.reason !== '') return refused({ refusal: 'click_refused' })
  const { transactionId: order } = interpreted.of
  const takesEarly = order !== null && interpreted.fields.refund === undefined && mayComeEarly(interpreted.of.terms)
  if (takesEarly) await lockOrder(trx, order)
  const settled = (await interpreted.underLocks?.(trx)) ?? interpreted
  if ('refusal' in settled) return refused(settled)
  const { of } = settled
  const isOrder = settled.fields.refund === undefined && tellsOrders(of.terms)
  const { report, isLatest } = isOrder ? await asItStands(trx, settled) : { report: settled.report, isLatest: true }
  const tellsRefunds = settled.fields.refund !== undefined || settled.fields.order !== undefined
  // its locks are held: it was read again under them
  const before = settled.fields.refund === undefined ? null : ((await findConversion(trx, of))?.reported_amount ?? null)
  const outcome = await applyReport(trx, of, click === null ? null : { ...click, id: of.clickId }, report, {
    at: receivedAt,
    now,
    origin: 'postback',
    actorId: null,
    decided,
  })
  if (tellsRefunds && 'conversion' in outcome && outcome.outcome !== 'held_for_review')
    await keepRefunds(trx, outcome.conversion.id, before, settled.fields, isLatest)
  const result = await answered(trx, outcome, settled.fields)
  if (takesEarly && 'conversion' in outcome)
    await applyEarlyRefunds(trx, of.terms, order, (refund) => applyInterpreted(trx, refund, null, receivedAt, now))
  return result
}

/** The click of a postback, where it is stored already. */
export async function clickFor({ findClick }: Pick<ReceiveParts, 'findClick'>, { parts }: Identified): Promise<StoredClick | null> {
  try {
    return await findClick(parts)
  } catch (error) {
    // without the events the postback waits like one that came before its click
    log.warn({ err: error }, 'clicks cannot be looked up')
    return null
  }
}

/** A refusal that is answered 200 all the same. */
function answeredQuietly(result: IncomingResult): IncomingResult {
  if (result.outcome !== 'refused') return result
  return { ...result, answer: { httpStatus: 200, body: { ...result.answer.body, status: 'success' } } }
}

/** The same where a parameter held a secret by mistake: staff read what was not understood. */
function withoutSecrets(result: IncomingResult, secrets: readonly string[]): IncomingResult {
  const { httpStatus, body } = result.answer
  if (typeof body['detail'] !== 'string') return result
  const hidden = { detail: hide(body['detail'], secrets), text: hide(String(body['text']), secrets) }
  return { ...result, answer: { httpStatus, body: { ...body, ...hidden } } }
}

/** What is answered to a report that was applied, and kept of it. */
export async function answered(db: DbOrTrx, result: ReportOutcome, fields: PostbackFields): Promise<IncomingResult> {
  if (result.outcome === 'refused') return refused({ ...result, refusal: result.reason })
  if (result.outcome === 'click_needed') return WAITING
  const { conversion } = result
  const isNoted = result.outcome === 'amount_changed' && result.noted
  const body = {
    status: 'success',
    outcome: result.outcome,
    conversion_id: conversion.uuid,
    conversion_status: conversion.status,
    ...(conversion.reason === '' ? {} : { reason: conversion.reason }),
    ...(isNoted && { reason: 'amount_noted', text: AMOUNT_NOTED }),
  }
  if (result.outcome === 'held_for_review') return heldFor(db, { ...body, detail: result.detail }, conversion.id, fields)
  const first = result.outcome === 'repeat' ? await findFirstAnswer(db, conversion.id, fields) : undefined
  const foundFull = result.outcome !== 'repeat' && conversion.status === 'declined' && conversion.reason === 'cap_reached'
  const reason = foundFull ? 'cap_reached' : isNoted ? 'amount_noted' : ''
  return { outcome: result.outcome, reason, conversionId: conversion.id, answer: first ?? { httpStatus: 200, body } }
}

/** Held for staff, once: the same said again of the same conversion changes nothing, also once it was refused. */
async function heldFor(db: DbOrTrx, body: Record<string, unknown>, conversionId: string, fields: PostbackFields): Promise<IncomingResult> {
  const outcome = (await isHeld(db, conversionId, fields)) ? 'repeat' : 'held_for_review'
  return { outcome, reason: '', conversionId, answer: { httpStatus: 200, body } }
}

async function store(db: DbOrTrx, row: IncomingRow, result: IncomingResult): Promise<PostbackAnswer> {
  if (await storeIncoming(db, row, result)) return result.answer
  return (await findAnswer(db, row.requestKey)) ?? result.answer
}

/** Takes the members of a list one after the other: a correction must not overtake what it corrects. */
async function receiveEach(parts: ReceiveParts, calls: readonly ReceivedPostback[]): Promise<PostbackAnswer> {
  const answers: PostbackAnswer[] = []
  for (const [index, call] of calls.entries()) {
    const received = { ...call, id: `${call.id}#${index + 1}` }
    answers.push(await receiveParsed(parts, { received, parsed: parsePostback(received) }, true))
  }
  const [first] = answers.map(({ httpStatus }) => httpStatus)
  const alike = answers.every(({ httpStatus }) => httpStatus === first)
  return {
    httpStatus: alike ? (first ?? 200) : 207,
    body: { status: answers.every(({ httpStatus }) => httpStatus < 300) ? 'success' : 'error', results: answers.map(({ body }) => body) },
  }
}

/** Less than trackers hand over: at their end may be half a token, which nobody knows. */
function shorter(path: string): string {
  return path.slice(0, 1_800)
}

/** Takes the transaction back: the copy that came first has stored it. */
class HandedOverTwice extends Error {}
