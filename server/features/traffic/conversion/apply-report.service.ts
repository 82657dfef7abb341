import { rememberScales } from '#server/features/money/currency/currency.service.ts'
import type { Trx } from '#server/platform/pg/database.ts'
import { together } from '#server/platform/pg/pipeline.ts'
import { holdTerms, type HeldCaps } from '../cap/cap.service.ts'
import { recordChanges } from './change.service.ts'
import type { KnownConversion, RecordedChange } from './change.ts'
import { findConversion, findConversions, lockIdentities } from './conversion-row.queries.ts'
import type { ConversionClick, Report } from './draft.service.ts'
import {
  outcomeOf,
  planReport,
  type PlannedReport,
  type ReportChange,
  type ReportedFor,
  type ReportOutcome,
} from './plan-report.service.ts'

/**
 * Applies one report in the caller's transaction: a new identity makes a conversion, a known one is a repeat or a change.
 * Copies in parallel come one after the other. `click` may be null where the click is not stored yet: then a new
 * conversion answers `click_needed`. `ahead`: what `lookAhead` found in this transaction.
 */
export async function applyReport(
  trx: Trx,
  of: ReportedFor,
  click: ConversionClick | null,
  report: Report,
  change: ReportChange,
  ahead?: Ahead,
): Promise<ReportOutcome> {
  if (lacksTransaction(of)) return TRANSACTION_MISSING
  const { known, caps } = ahead ?? { known: await findLocked(trx, of) }
  const { conversion } = known
  const plan = await planReport(trx, of, known, click, report, change)
  const [recorded] = 'change' in plan ? await recordChanges(trx, [plan.change], change.now, caps) : []
  const outcome = await outcomeOf(trx, plan, recorded)
  if (outcome.outcome !== 'declined' || conversion === undefined || report.amount === null) return outcome
  // no place for it, but what it is worth is known: should staff approve it, that is what it earns
  const declined = { conversion: (await findConversion(trx, of, true)) ?? conversion, converted: false }
  const left = await planReport(trx, of, declined, click, { ...report, status: conversion.status, statusNamed: false }, change)
  const [worth] = 'change' in left ? await recordChanges(trx, [left.change], change.now) : []
  return worth === undefined ? outcome : { ...outcome, conversion: worth.after }
}

/** What of one report is locked and read before it is planned: the conversion it may be about, and the caps of its offer. */
export type Ahead = { known: KnownConversion; caps?: HeldCaps }

/** Locks and reads it, for who has something else to ask in the same moment. */
export async function lookAhead(trx: Trx, of: ReportedFor): Promise<Ahead> {
  const [known, caps] = await together(
    trx,
    () => findLocked(trx, of),
    () => holdTerms(trx, [of.terms.id]),
  )
  return { known, caps }
}

async function findLocked(trx: Trx, of: ReportedFor): Promise<KnownConversion> {
  const { terms, goal, clickId, transactionId } = of
  const [, [known = { conversion: undefined, converted: false }]] = await together(
    trx,
    () => lockIdentities(trx, identitiesOf(terms, [goal], clickId, transactionId)),
    () => findConversions(trx, [of]),
  )
  return known
}

/** What became of one of many reports; `recorded` where it made or changed a conversion. */
export type AppliedReport = { outcome: ReportOutcome; recorded?: RecordedChange | undefined }

/** One of many reports. */
export type AskedReport = {
  of: ReportedFor
  click: ConversionClick | null
  report: Report
  /** When it was received, where that is not when the others were. */
  at?: number | undefined
  /** When a new conversion was made, where that was told later. */
  convertedAt?: number | undefined
}

/**
 * Applies many reports at once, each as `applyReport` does, with a statement per table for all of them; answers in their order.
 * Of several about the same click or transaction the later ones see what the earlier ones did.
 */
export async function applyReports(trx: Trx, asked: readonly AskedReport[], change: ReportChange): Promise<AppliedReport[]> {
  const applied: AppliedReport[] = asked.map(() => ({ outcome: TRANSACTION_MISSING }))
  const identified = asked.flatMap((one, index) =>
    lacksTransaction(one.of)
      ? []
      : [{ ...one, index, identities: identitiesOf(one.of.terms, [one.of.goal], one.of.clickId, one.of.transactionId) }],
  )
  await lockIdentities(
    trx,
    identified.flatMap(({ identities }) => identities),
  )
  const scaleOf = rememberScales(trx)
  let left = identified
  while (left.length > 0) {
    const taken = new Set<string>()
    const [now, later]: [typeof left, typeof left] = [[], []]
    for (const one of left) {
      const isFree = !one.identities.some((identity) => taken.has(identity))
      for (const identity of one.identities) taken.add(identity)
      ;(isFree ? now : later).push(one)
    }
    const known = await findConversions(
      trx,
      now.map(({ of }) => of),
    )
    const plans: PlannedReport[] = []
    for (const [place, { of, click, report, at, convertedAt }] of now.entries()) {
      const received = { ...change, at: at ?? change.at, convertedAt }
      plans.push(await planReport(trx, of, known[place] ?? { conversion: undefined, converted: false }, click, report, received, scaleOf))
    }
    const { batchId, quiet } = change
    const of = { ...(batchId !== undefined && { batchId }), ...(quiet !== undefined && { quiet }) }
    const changes = plans.flatMap((plan) => ('change' in plan ? [{ ...plan.change, ...of }] : []))
    const recorded = new Map((await recordChanges(trx, changes, change.now)).map((one) => [one.after.uuid, one]))
    for (const [place, { index }] of now.entries()) {
      const plan = plans[place]
      if (plan === undefined) continue
      const written = 'change' in plan ? recorded.get(plan.change.after.uuid) : undefined
      applied[index] = { outcome: await outcomeOf(trx, plan, written), recorded: written }
    }
    left = later
  }
  return applied
}

const TRANSACTION_MISSING: ReportOutcome = { outcome: 'refused', reason: 'transaction_id_missing' }

/** A goal that converts several times a click is told apart by transactions alone. */
export function lacksTransaction({ goal, transactionId }: ReportedFor): boolean {
  return goal.repeatable && transactionId === null
}

/** What a report of one of these goals is known by, as `lockIdentities` takes it. */
export function identitiesOf(
  terms: { id: number },
  goals: readonly { id: number }[],
  clickId: string,
  transactionId: string | null,
): string[] {
  return [`click ${clickId}`, ...(transactionId === null ? [] : goals.map((goal) => `transaction ${terms.id} ${goal.id} ${transactionId}`))]
}
