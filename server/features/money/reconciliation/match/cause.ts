import { LEAD_CAUSES, type ReconciliationCause } from '#contract/money/reconciliation-cause.ts'
import { isLost } from '#server/rules/conversion/conversion-status.ts'
import type { Compare } from './compare.ts'
import { fits } from './keys.ts'
import type { Period } from './period.ts'
import type { OurConversion, RefusedCall, TheirLine } from './sides.ts'

const MINUTE = 60_000
/** Refusals that say no more than that the click is none of ours. */
const UNMATCHED: readonly string[] = ['click_id_unknown', 'click_id_missing']

export type Cause = { cause: ReconciliationCause | null; detail: string }
/** What the kept calls say of a line or a conversion. */
export type CallsOf = (one: { transactionId: string; clickId: string; isOurs?: boolean }) => RefusedCall | undefined
export type CauseParts = { compare: Compare; period: Period; calls: CallsOf }

const NONE: Cause = { cause: null, detail: '' }

/** Why a line and its conversion differ: the first that fits, in the order of RECONCILIATION_CAUSES. */
export function causeOfPair(line: TheirLine, our: OurConversion, parts: CauseParts): Cause {
  if (our.test) return { cause: 'test', detail: '' }
  const { compare, calls } = parts
  const moved = causeOfPeriod(line, our, parts)
  const status = statusDiffers(line, our)
  // no clock explains another status
  if (moved.cause === 'time_zone' && !status) return moved
  const isGone = isLost(our.status) && !status
  const amount = isGone ? 'same' : compare.amounts(line, our).is
  const goal = !isGone && !fits(line, our)
  if (status || amount !== 'same' || goal) {
    const call = calls({ transactionId: our.transactionId || line.transactionId, clickId: our.clickId, isOurs: true })
    // what was refused before there was a conversion explains nothing of it
    if (call !== undefined && call.at > our.at) return { cause: 'refused', detail: call.reason }
  }
  if (moved.cause !== null && moved.cause !== 'time_zone') return moved
  if (status && our.status === 'declined' && our.reason === 'cap_reached') return { cause: 'cap', detail: '' }
  if (status) return { cause: 'status', detail: our.reason }
  if (amount === 'other') return { cause: 'amount', detail: '' }
  if (amount === 'currency') return { cause: 'currency', detail: '' }
  return goal ? { cause: 'goal', detail: '' } : NONE
}

/** Why we have nothing of a line. `again` is the line whose key it repeats, `like` what it is as like to. */
export function causeOfLine(
  line: TheirLine,
  { again, like }: { again?: TheirLine; like?: readonly OurConversion[] },
  calls: CallsOf,
): Cause {
  const call = calls(line)
  if (line.click === 'test' || call?.reason === 'test_call') return { cause: 'test', detail: '' }
  if (again !== undefined) return { cause: 'duplicate_theirs', detail: String(again.line) }
  if (call !== undefined && !UNMATCHED.includes(call.reason)) return { cause: 'refused', detail: call.reason }
  if (line.click === 'refused') return { cause: 'refused', detail: 'click_refused' }
  if (line.lead !== undefined) return { cause: LEAD_CAUSES[line.lead.stands], detail: line.lead.id }
  if (call !== undefined || line.click === 'unknown') return { cause: 'unmatched', detail: call?.reason ?? 'click_id_unknown' }
  if (like !== undefined) return { cause: 'unknown', detail: like.map(({ id }) => id).join(' ') }
  if (line.transactionId !== '' || line.clickId !== '' || line.subId !== '') return { cause: 'never_reported', detail: '' }
  return { cause: 'unknown', detail: '' }
}

/** Why a report says nothing of a conversion. `twin` is another one of its click and goal, `like` a line as like to it. */
export function causeOfOurs(
  our: OurConversion,
  { twin, like }: { twin?: OurConversion; like?: TheirLine },
  { period, calls }: Pick<CauseParts, 'period' | 'calls'>,
): Cause {
  if (our.test) return { cause: 'test', detail: '' }
  if (isLost(our.status)) return NONE
  if (twin !== undefined) return { cause: 'duplicate_ours', detail: twin.id }
  if (!period.isTheirs(our.at)) return { cause: 'time_zone', detail: String(period.offset(our.at)) }
  const call = calls({ ...our, isOurs: true })
  if (call !== undefined && call.at > our.at) return { cause: 'refused', detail: call.reason }
  if (like !== undefined) return { cause: 'unknown', detail: String(like.line) }
  return { cause: 'not_in_report', detail: '' }
}

/** A conversion of the report that we count in another period: by the clock alone, or because we heard of it so much later or earlier. */
function causeOfPeriod(line: TheirLine, our: OurConversion, { compare, period }: CauseParts): Cause {
  const side = period.sideOf(our.at)
  if (side === 'in' || (line.at !== null && !period.isWritten(line.at))) return NONE
  if (line.at === null ? period.isTheirs(our.at) : compare.isClose(line, our))
    return { cause: 'time_zone', detail: String(period.offset(our.at)) }
  const apart = compare.apart(line, our)
  return { cause: side === 'after' ? 'late' : 'early', detail: apart === null ? '' : String(Math.round(apart / MINUTE)) }
}

/** What is on hold is approved to an advertiser, and what is lost declined. */
export function statusDiffers({ status }: TheirLine, our: OurConversion): boolean {
  if (status === null) return false
  if (status === 'approved') return our.status === 'pending' || isLost(our.status)
  return status === 'declined' ? !isLost(our.status) : our.status !== 'pending'
}
