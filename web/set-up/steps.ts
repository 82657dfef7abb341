import type { z } from 'zod'
import type { firstSteps } from '#contract/network/dashboard.ts'

/** What a new network is led through, in this order. */
export const STEPS = ['network', 'domain', 'mail', 'manager', 'advertiser', 'offer', 'link'] as const
export type StepId = (typeof STEPS)[number]

export type There = z.output<typeof firstSteps>

/** Which steps are done: as the first steps of the dashboard say, for both read the same. */
export function doneOf({ steps, manager, domain, click }: There): ReadonlySet<StepId> {
  const done = new Set((steps ?? []).filter((step) => step.done).map(({ id }) => id))
  const isDone = { manager: () => manager, domain: () => domain, link: () => click === 'counted' }
  return new Set(
    STEPS.filter((step) =>
      step in isDone ? isDone[step as keyof typeof isDone]() : done.has(BY_FIRST_STEP[step as keyof typeof BY_FIRST_STEP]),
    ),
  )
}

const BY_FIRST_STEP = { network: 'settings', mail: 'mail', advertiser: 'advertiser', offer: 'offer' } as const

/** Where it was left: after the last that was done here, whatever was skipped before. */
export function stepLeft(there: There): StepId {
  const done = doneOf(there)
  // names may come with the configuration: nobody was here for them
  const last = STEPS.findLastIndex((step) => step !== 'domain' && done.has(step))
  const next = STEPS[last + 1] === 'domain' && done.has('domain') ? STEPS[last + 2] : STEPS[last + 1]
  return next ?? STEPS.find((step) => !done.has(step)) ?? 'link'
}

/** What every step is given: what there is already, and the ways on. */
export type StepProps = {
  there: There
  /** What the network counts in: what is made here begins with it. */
  currency: string

  next: () => void
  back: (() => void) | undefined
}
