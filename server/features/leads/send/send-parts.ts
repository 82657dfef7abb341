import type { HttpApp, RouteParts } from '#server/access/implement.ts'
import { openPanelAddress, type PanelAddress } from '#server/features/network/domain/address.service.ts'
import type { LeadParts } from '#server/features/leads/session/receive.service.ts'
import { openClickFinder, type FindClick } from '#server/features/traffic/click/click.queries.ts'
import type { Clock } from '#server/platform/clock.ts'
import { preparedOn } from '#server/platform/pg/database.ts'
import type { OutboundPolicy } from '#server/platform/outbound/target.ts'

export type SendParts = LeadParts & {
  policy: OutboundPolicy
  clock: Clock
  findClick: FindClick
  /** How many leads this process sends to each product just now. */
  underWay: Map<number, number>
  /** Where people opt out; absent where nothing leads there. */
  panel?: PanelAddress
}

/** So many leads at once go to one product: others do not wait for a slow one. */
export const MOST_AT_ONCE = 20

/** Whether one more lead may go to a product from this process. */
export function hasRoom({ underWay }: Pick<SendParts, 'underWay'>, productId: number): boolean {
  return (underWay.get(productId) ?? 0) < MOST_AT_ONCE
}

const under = new WeakMap<HttpApp, SendParts['underWay']>()

/** What routes send leads with; what is under way is counted once for a process, whichever of them it came by. */
export function routeSendParts(app: HttpApp, { db, config, policy, clickhouse }: RouteParts): SendParts {
  const underWay = under.get(app) ?? new Map<number, number>()
  under.set(app, underWay)
  return {
    db: preparedOn(db),
    secretKey: config.secretKey,
    policy,
    clock: app.clock,
    findClick: openClickFinder(clickhouse),
    underWay,
    panel: openPanelAddress(config),
  }
}
