import type { RecoldDetail } from '#contract/leads/recold.ts'
import type { RecoldData, RecoldPacing, RecoldSchedule, RecoldSkip } from '#contract/leads/recold-plan.ts'

/** What a rule keeps of the distribution it makes others like: later changes of that one change no rule. */
export type ColdTemplate = {
  title: string
  offer_id: number
  product_ids: number[]
  payout: RecoldDetail['payout']
  payout_amount: string | null
  schedule: RecoldSchedule
  pacing: RecoldPacing
  data: RecoldData
  skip: RecoldSkip
}

/** The schedule of one that begins now: moments that are over no longer count. */
export function scheduleFrom({ starts_at, ends_at, ...schedule }: RecoldSchedule, now: number): RecoldSchedule {
  const ahead = (moment: string | null) => (moment !== null && Date.parse(moment) > now ? moment : null)
  return { ...schedule, starts_at: ahead(starts_at), ends_at: ahead(ends_at) }
}
