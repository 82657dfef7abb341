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
  /** What this process sends to each product just now. */
  underWay: Map<number, Calls>
  /** Hears when the lead in hand begins to wait for somebody slow, and when that is over; absent = nobody asks. */
  waits?: (does: boolean) => void
  /** Where people opt out; absent where nothing leads there. */
  panel?: PanelAddress
}

/** Of one product: when each call under way began, by `performance.now()` (null = it is answered), and how the last answer came. */
type Calls = { began: Set<{ at: number | null }>; last: 'quick' | 'slow' | null }

/** So many leads at once go to one product: others do not wait for a slow one. */
export const MOST_AT_ONCE = 20
/** Who lets a lead wait for longer, in ms, is slow. */
export const QUICK = 1_000

/** Whether one more lead may go to a product from this process. */
export function hasRoom(parts: Pick<SendParts, 'underWay'>, productId: number): boolean {
  return countCalls(parts, productId) < MOST_AT_ONCE
}

export function countCalls({ underWay }: Pick<SendParts, 'underWay'>, productId: number): number {
  return underWay.get(productId)?.began.size ?? 0
}

/** Which products let somebody wait just now or did so last, and which of the others are known to answer soon. */
export function pacesOf({ underWay }: Pick<SendParts, 'underWay'>): Record<'slow' | 'quick', Set<number>> {
  const before = performance.now() - QUICK
  const paces = { slow: new Set<number>(), quick: new Set<number>() }
  for (const [product, { began, last }] of underWay) {
    if (last === 'slow' || [...began].some(({ at }) => at !== null && at <= before)) paces.slow.add(product)
    else if (last === 'quick') paces.quick.add(product)
  }
  return paces
}

/**
 * Counts what is under way to a product until it is over. `work` says when it is answered: what it takes us after that is not the
 * product's doing.
 */
export async function counted<Result>(
  { underWay, waits }: Pick<SendParts, 'underWay' | 'waits'>,
  productId: number,
  work: (answered: () => void) => Promise<Result>,
): Promise<Result> {
  const calls: Calls = underWay.get(productId) ?? { began: new Set(), last: null }
  underWay.set(productId, calls)
  const began = performance.now()
  const call: { at: number | null } = { at: began }
  calls.began.add(call)
  const late = setTimeout(() => waits?.(true), QUICK)
  const answered = () => {
    if (call.at === null) return
    call.at = null
    clearTimeout(late)
    calls.last = performance.now() - began > QUICK ? 'slow' : 'quick'
    waits?.(false)
  }
  try {
    return await work(answered)
  } finally {
    answered()
    calls.began.delete(call)
  }
}

const under = new WeakMap<HttpApp, SendParts['underWay']>()

/** What routes send leads with; what is under way is counted once for a process, whichever of them it came by. */
export function routeSendParts(app: HttpApp, { db, config, policy, clickhouse }: RouteParts): SendParts {
  const underWay = under.get(app) ?? new Map<number, Calls>()
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
