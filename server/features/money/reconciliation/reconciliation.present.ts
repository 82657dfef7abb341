import { addAmounts } from '#contract/money/amount.ts'
import type { ReconciliationCause } from '#contract/money/reconciliation-cause.ts'
import type { Reconciliation, ReconciliationRow } from '#contract/money/reconciliation.ts'
import type { TheirLine } from './match/sides.ts'
import { offsetOn } from './match/zone.ts'
import { textOf } from './read-lines.ts'
import type { BatchRow, countCauses } from './reconciliation.queries.ts'
import type { ShownRow, sumByOffer } from './row.queries.ts'

/** A batch as it is shown. */
export function presentBatch(
  row: BatchRow,
  samples: string[][],
  causes: Awaited<ReturnType<typeof countCauses>>,
  states: Reconciliation['states'],
): Reconciliation {
  return {
    uuid: row.uuid,
    state: row.state,
    revision: row.revision,
    advertiser: referenceOf(row.advertiser_uuid, row.advertiser_id, row.advertiser_name),
    affiliate: referenceOf(row.affiliate_uuid, row.affiliate_id, row.affiliate_name),
    file_name: row.file_name,
    format: row.format,
    // what was stored was one of these words
    encoding: row.encoding as Reconciliation['encoding'],
    delimiter: row.delimiter as Reconciliation['delimiter'],
    columns: row.columns,
    samples,
    lines: row.row_count,
    reading: row.reading,
    remembered: row.remembered,
    period: row.from_day === null || row.to_day === null ? null : { from: row.from_day, to: row.to_day },
    matching: row.matching_at !== null,
    problem: row.problem,
    zone: row.zone,
    offset: row.clock_offset,
    zone_confirmed: row.zone_confirmed,
    postbacks: row.postbacks,
    counter_of: row.counter_of_uuid,
    countered_by: row.countered_by_uuid,
    created_at: row.created_at.toISOString(),
    matched_at: row.matched_at?.toISOString() ?? null,
    applied_at: row.applied_at?.toISOString() ?? null,
    undone_at: row.undone_at?.toISOString() ?? null,
    by: row.by,
    agreeing: causes.reduce((sum, { cause, rows }) => sum + (cause === null ? rows : 0), 0),
    causes: presentCauses(causes),
    states,
  }
}

function presentCauses(causes: Awaited<ReturnType<typeof countCauses>>): Reconciliation['causes'] {
  const found = new Map<ReconciliationCause, Reconciliation['causes'][number]>()
  for (const { cause, currency, rows, acting, theirs, ours } of causes) {
    if (cause === null) continue
    const one = found.get(cause) ?? { cause, rows: 0, acting: 0, amounts: [] }
    const amounts = currency === null ? one.amounts : [...one.amounts, { currency, theirs: addAmounts(theirs), ours: addAmounts(ours) }]
    found.set(cause, { cause, rows: one.rows + rows, acting: one.acting + acting, amounts })
  }
  return [...found.values()].toSorted((a, b) => b.rows - a.rows)
}

/** A person or company, where all of it is known. */
export function referenceOf(uuid: string | null, id: number | null, name: string | null) {
  return uuid === null || id === null ? null : { uuid, id, name: name ?? '' }
}

/** A row as it is shown, what it says in the words of the file. */
export function presentRow(row: ShownRow, batch: Pick<BatchRow, 'reading' | 'zone' | 'clock_offset'>): ReconciliationRow {
  return {
    row: row.line,
    line: row.in_report ? row.line : null,
    key: row.key,
    cause: row.cause,
    detail: row.detail,
    proposal: row.proposal,
    action: row.action,
    becomes_correction: row.becomes_correction,
    theirs: row.theirs && row.in_report ? presentTheirs(row.theirs, row.cells, batch) : null,
    ours: presentOurs(row),
    becomes: row.becomes && { status: row.becomes.status, payout: row.payout, revenue: row.revenue, currency: row.becomes.currency },
    state: row.state,
    reason: row.reason,
  }
}

function presentTheirs(
  theirs: TheirLine,
  cells: readonly string[],
  { reading, zone, clock_offset }: Pick<BatchRow, 'reading' | 'zone' | 'clock_offset'>,
): ReconciliationRow['theirs'] {
  const at = theirs.at === null ? null : theirs.at - offsetOn(zone, clock_offset, theirs.at) * 60_000
  return {
    at: at === null ? null : new Date(at).toISOString(),
    transaction_id: theirs.transactionId,
    click_id: theirs.clickId,
    sub_id: theirs.subId,
    offer: textOf(cells, reading.mapping.offer),
    goal: textOf(cells, reading.mapping.goal),
    status: theirs.status,
    amount: theirs.amount,
    currency: theirs.currency,
    reason: theirs.reason,
  }
}

function presentOurs(row: ShownRow): ReconciliationRow['ours'] {
  const { uuid, created_at, click_id, status, our_revenue, our_payout, currency, payment_state, conversion_id } = row
  const offer = referenceOf(row.offer_uuid, row.offer_id, row.offer_title)
  const affiliate = referenceOf(row.affiliate_uuid, row.affiliate_id, row.affiliate_name)
  if (uuid === null || conversion_id === null || created_at === null || click_id === null || status === null) return null
  if (our_revenue === null || our_payout === null || currency === null || payment_state === null || !offer || !affiliate) return null
  return {
    uuid,
    id: conversion_id,
    at: created_at.toISOString(),
    transaction_id: row.transaction_id,
    click_id,
    status,
    reason: row.our_reason ?? '',
    revenue: our_revenue,
    payout: our_payout,
    amount: row.our_amount,
    currency,
    offer,
    goal: row.goal_title ?? '',
    affiliate,
    payment_state,
  }
}

/** A line of totals. */
export function presentTotal(row: Awaited<ReturnType<typeof sumByOffer>>[number]) {
  const { currency, rows, done } = row
  return {
    offer: referenceOf(row.offer_uuid, row.offer_id, row.offer),
    affiliate: referenceOf(row.affiliate_uuid, row.affiliate_id, row.affiliate),
    currency,
    rows,
    done,
    payout: addAmounts(row.payout),
    revenue: addAmounts(row.revenue),
    done_payout: addAmounts(row.done_payout),
    done_revenue: addAmounts(row.done_revenue),
  }
}
