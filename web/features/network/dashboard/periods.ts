import type { z } from 'zod'
import type { staffDashboard } from '#contract/network/dashboard.ts'

/** The periods of a dashboard, and what the report calls them. */
export const PERIOD_NAMES = { today: 'today', yesterday: 'yesterday', month: 'this_month' } as const
export type PeriodName = keyof typeof PERIOD_NAMES

/** A period with its figures as a dashboard shows them. */
export type Compared = {
  period: PeriodName
  figures: z.output<typeof staffDashboard>['today']
  /** In words what it is compared with. */
  against: string
  /** There is nothing to compare any of its figures with. */
  alone: boolean
}
