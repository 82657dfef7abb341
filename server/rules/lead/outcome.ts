import type { Outcome } from '#contract/leads/integration-spec.ts'

const MINUTE = 60_000
/** How long a lead waits before it is offered again, round after round. After the last round it is unsold. */
const WAITS: Readonly<Record<'temporary' | 'no_capacity', readonly number[]>> = {
  temporary: [1, 5, 30].map((minutes) => minutes * MINUTE),
  no_capacity: [5, 15, 60, 180, 360].map((minutes) => minutes * MINUTE),
}

/** What a send came to, with what its member says of rejections. `passedOn`: nobody knows whether they have it, and the next one is asked all the same. */
export type Tried = { memberId: number; outcome: Outcome; onReject: 'next' | 'stop'; passedOn?: boolean }

/**
 * What comes after a send: `sold`; `ask` = a person decides, nobody is offered it meanwhile; `next` = the next member;
 * `stop` = nobody more in this round.
 */
export function afterSend({ outcome, onReject, passedOn = false }: Tried): 'sold' | 'ask' | 'next' | 'stop' {
  switch (outcome) {
    case 'accepted':
      return 'sold'
    case 'ambiguous':
      // they may have it: another sale would be a second one, unless whoever set up the offer said so
      return passedOn ? 'next' : 'ask'
    case 'rejected':
    case 'duplicate':
      return onReject === 'next' ? 'next' : 'stop'
    case 'no_capacity':
    case 'temporary':
    case 'config_error':
      return 'next'
  }
}

/**
 * When a lead nobody took in a round is offered again, and to whom not: who gave a verdict on it, or may have it, is not asked twice. Null = it is
 * unsold. `round` counts from 0; `opensAt` = the earliest moment a member that was closed takes leads, where the offer keeps
 * leads for the hours; null = none.
 */
export function nextRound(
  tried: readonly Tried[],
  round: number,
  now: number,
  opensAt: number | null,
): { at: number; notAgain: number[] } | null {
  const again = (outcome: 'temporary' | 'no_capacity') => {
    const wait = WAITS[outcome][round]
    return wait !== undefined && tried.some((one) => one.outcome === outcome) ? now + wait : null
  }
  // a stop said it is over, whoever else had no room
  if (tried.some((one) => afterSend(one) === 'stop')) return null
  const moments = [again('temporary'), again('no_capacity'), opensAt].filter((at) => at !== null)
  if (moments.length === 0) return null
  const verdicts = tried.filter(({ outcome, passedOn }) => outcome === 'rejected' || outcome === 'duplicate' || passedOn === true)
  return { at: Math.min(...moments), notAgain: verdicts.map(({ memberId }) => memberId) }
}

/** How an advertiser's endpoint is doing: errors in a row, until when it rests (null = it works), whether it rests for a wrong account. */
export type Breaker = { failures: number; restsUntil: number | null; blocked: boolean }
/** After how many errors in a row a product rests, and for how many minutes the first time. */
export type BreakerLimits = { failures: number; minutes: number }
const LONGEST_REST = 60 * MINUTE

/**
 * The breaker after a send. As many errors in a row as its limits say let a product rest: then one lead is tried, and either it works
 * again or it rests twice as long, an hour at most. A wrong account stops it at once, until a person has tested it.
 */
export function afterOutcome(breaker: Breaker, limits: BreakerLimits, outcome: Outcome, now: number): Breaker {
  if (outcome === 'config_error') return { ...breaker, failures: breaker.failures + 1, blocked: true }
  if (outcome !== 'temporary') {
    // an ambiguous answer is no sign that it works
    return outcome === 'ambiguous' ? breaker : { failures: 0, restsUntil: null, blocked: breaker.blocked }
  }
  const failures = breaker.failures + 1
  // one that rested stands below its limit again where somebody raised that
  if (failures < limits.failures) return { ...breaker, failures, restsUntil: null }
  // nor is its first rest longer where somebody lowered it
  const doubled = breaker.restsUntil === null ? 0 : failures - limits.failures
  const rest = Math.min(limits.minutes * MINUTE * 2 ** doubled, LONGEST_REST)
  return { ...breaker, failures, restsUntil: now + rest }
}

/** Whether a product is offered leads now. While it rests nobody is; after that one at a time tries it. */
export function takesLeads({ restsUntil, blocked }: Breaker, now: number, underWay: number): boolean {
  if (blocked) return false
  if (restsUntil === null) return true
  return now >= restsUntil && underWay === 0
}
