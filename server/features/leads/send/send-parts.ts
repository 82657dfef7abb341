import type { LeadParts } from '#server/features/leads/session/receive.service.ts'
import type { FindClick } from '#server/features/traffic/click/click.queries.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { OutboundPolicy } from '#server/platform/outbound/target.ts'

export type SendParts = LeadParts & {
  policy: OutboundPolicy
  clock: Clock
  findClick: FindClick
  /** How many leads this process sends to each product just now. */
  underWay: Map<number, number>
}

/** So many leads at once go to one product: others do not wait for a slow one. */
const MOST_AT_ONCE = 20

/** Whether one more lead may go to a product from this process. */
export function hasRoom({ underWay }: Pick<SendParts, 'underWay'>, productId: number): boolean {
  return (underWay.get(productId) ?? 0) < MOST_AT_ONCE
}
