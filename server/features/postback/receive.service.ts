import { POSTBACK_REFUSALS, type PostbackRefusal } from '#contract/postback.ts'
import type { Clock } from '#server/platform/clock.ts'
import { log } from '#server/platform/log.ts'
import type { Db, DbOrTrx, Trx } from '#server/platform/pg/database.ts'
import { applyReport, findConversion, type ReportOutcome } from '../conversion/report.service.ts'
import { authorize, tokensOf } from './authorize.service.ts'
import { loadClickKeys, type FindClick, type StoredClick } from '../click/click.queries.ts'
import {
  findAnswer,
  findFirstAnswer,
  getIncomingSettings,
  storeIncoming,
  type IncomingResult,
  type IncomingRow,
  type PostbackAnswer,
} from './incoming.queries.ts'
import { identify, interpret, type Identified, type Interpreted } from './interpret.service.ts'
import { hide, parsePostback, receivedPostback } from './parse.service.ts'

export type ReceiveParts = { db: Db; findClick: FindClick; clock: Clock }

/**
 * Takes an advertiser's postback as a tracker handed it over: stores it and applies it in one transaction, and answers
 * what became of it. Every refusal is stored with its reason and answered with an honest status. The same hand-over again
 * gets the same answer; a repeat of the same postback is answered as the first time. A postback whose click is not
 * stored yet waits for it (202). Throws only when a database fails: then nothing was stored, and the tracker keeps it.
 */
export async function receivePostback(parts: ReceiveParts, handover: unknown): Promise<PostbackAnswer> {
  const parsing = receivedPostback.safeParse(handover)
  if (!parsing.success) {
    log.error({ err: parsing.error }, 'a tracker handed over what is no postback')
    return { httpStatus: 400, body: { status: 'error' } }
  }
  const received = parsing.data
  const { db, clock } = parts
  const before = await findAnswer(db, received.id)
  if (before !== undefined) return before

  const parsed = parsePostback(received)
  const receivedAt = Date.parse(received.received_at)
  const [keys, settings] = await Promise.all([loadClickKeys(db, clock.now()), getIncomingSettings(db)])
  const row: IncomingRow = {
    requestKey: received.id, receivedAt, method: received.method, query: parsed.query, body: parsed.body, address: received.ip, fields: parsed.fields,
    offerId: null, affiliateId: null, advertiserId: null,
  } // prettier-ignore
  if (parsed.refusal !== null) return store(db, row, refused(parsed.refusal))
  const identified = await identify(db, keys, parsed.fields)
  if ('refusal' in identified) return store(db, row, refused(identified.refusal))
  const secrets = tokensOf(identified.terms, settings)
  const known: IncomingRow = {
    ...row, offerId: identified.terms.id, affiliateId: identified.parts.affiliateId, advertiserId: identified.terms.advertiser_id,
    query: hide(row.query, secrets), body: hide(row.body, secrets),
  } // prettier-ignore
  const refusal = authorize(received, parsed, identified.terms, settings)
  if (refusal !== null) return store(db, known, refused(refusal))
  const interpreted = await interpret(db, identified, parsed.fields, settings, receivedAt)
  if ('refusal' in interpreted) return store(db, known, refused(interpreted.refusal))

  const click = await clickFor(parts, identified, interpreted)
  try {
    return await db.transaction().execute(async (trx) => {
      const result = await applyInterpreted(trx, interpreted, click, receivedAt, clock.now())
      if (!(await storeIncoming(trx, known, result))) throw new HandedOverTwice()
      return result.answer
    })
  } catch (error) {
    if (!(error instanceof HandedOverTwice)) throw error
    return (await findAnswer(db, received.id)) ?? { httpStatus: 202, body: { status: 'success', outcome: 'queued' } }
  }
}

/** Applies what a postback says, with its click or without, and says how it is to be answered. */
export async function applyInterpreted(
  trx: Trx,
  { of, report }: Interpreted,
  click: StoredClick | null,
  receivedAt: number,
  now: number,
): Promise<IncomingResult> {
  if (click?.test)
    return { outcome: 'test', reason: '', conversionId: null, answer: { httpStatus: 200, body: { status: 'success', outcome: 'test' } } }
  if (click !== null && click.reason !== '') return refused('click_refused')
  const outcome = await applyReport(trx, of, click === null ? null : { ...click, id: of.clickId }, report, {
    at: receivedAt,
    now,
    origin: 'postback',
    actorId: null,
  })
  return answered(trx, outcome)
}

/** The click of a postback; not asked for where its conversion exists, because then it tells nothing new. */
export async function clickFor(
  { db, findClick }: Pick<ReceiveParts, 'db' | 'findClick'>,
  { parts }: Identified,
  { of }: Interpreted,
): Promise<StoredClick | null> {
  if ((await findConversion(db, of)) !== undefined) return null
  try {
    return await findClick(parts)
  } catch (error) {
    // without the events the postback waits like one that came before its click
    log.warn({ err: error }, 'clicks cannot be looked up')
    return null
  }
}

/** A refusal as it is stored and answered. */
export function refused(reason: PostbackRefusal): IncomingResult {
  const { status, text } = POSTBACK_REFUSALS[reason]
  return {
    outcome: 'refused',
    reason,
    conversionId: null,
    answer: { httpStatus: status, body: { status: 'error', outcome: 'refused', reason, text } },
  }
}

async function answered(trx: Trx, result: ReportOutcome): Promise<IncomingResult> {
  if (result.outcome === 'refused') return refused(result.reason)
  if (result.outcome === 'click_needed') {
    return {
      outcome: 'waiting',
      reason: '',
      conversionId: null,
      answer: { httpStatus: 202, body: { status: 'success', outcome: 'waiting' } },
    }
  }
  const { conversion } = result
  const body = {
    status: 'success',
    outcome: result.outcome,
    conversion_id: conversion.uuid,
    conversion_status: conversion.status,
    ...(conversion.reason === '' ? {} : { reason: conversion.reason }),
  }
  const first = result.outcome === 'repeat' ? await findFirstAnswer(trx, conversion.id) : undefined
  return { outcome: result.outcome, reason: '', conversionId: conversion.id, answer: first ?? { httpStatus: 200, body } }
}

async function store(db: DbOrTrx, row: IncomingRow, result: IncomingResult): Promise<PostbackAnswer> {
  if (await storeIncoming(db, row, result)) return result.answer
  return (await findAnswer(db, row.requestKey)) ?? result.answer
}

/** Takes the transaction back: the copy that came first has stored it. */
class HandedOverTwice extends Error {}
