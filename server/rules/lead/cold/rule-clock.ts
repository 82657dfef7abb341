import type { ColdTrigger } from '#contract/leads/cold-rule.ts'

const HOUR = 3_600_000
/** What rules hear of they look at together, once so often. */
const LISTENS_EVERY = 60_000

/**
 * When a rule runs next by itself; null = only when somebody asks it to. What was missed is not made up for: the next turn is always
 * ahead. An event’s rule may run as soon as it has heard of a lead, at most once a minute.
 */
export function nextRun(trigger: ColdTrigger, now: number): number | null {
  switch (trigger.kind) {
    case 'event':
    case 'call_status':
      return now + LISTENS_EVERY
    case 'silent':
      return now + HOUR
    case 'hours':
      return now + trigger.hours * HOUR
    case 'daily':
      return nextAt(trigger.at, trigger.time_zone, now)
    case 'manual':
      return null
  }
}

/** The first run after it was started: of what comes by the hour at once. */
export function firstRun(trigger: ColdTrigger, now: number): number | null {
  return trigger.kind === 'silent' || trigger.kind === 'hours' ? now : nextRun(trigger, now)
}

/** The next moment a clock of a zone shows a time. One the clocks skip is the moment after; one they show twice counts once. */
function nextAt(at: string, timeZone: string, now: number): number {
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timeZone).toPlainDate()
  const on = (days: number) => today.add({ days }).toZonedDateTime({ timeZone, plainTime: Temporal.PlainTime.from(at) }).epochMilliseconds
  const first = on(0)
  return first > now ? first : on(1)
}

/** Whether a trigger waits for what happens to leads, and for what. */
export function heardBy(trigger: ColdTrigger): {
  event: 'unsold' | 'rejected_by_all' | 'call_status' | 'returned' | null
  call_statuses: readonly string[]
} {
  if (trigger.kind === 'event') return { event: trigger.event, call_statuses: [] }
  if (trigger.kind === 'call_status') return { event: 'call_status', call_statuses: trigger.call_statuses }
  return { event: null, call_statuses: [] }
}
