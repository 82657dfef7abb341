import { log } from '#server/platform/log.ts'
import type { PullParts } from './ask-product.service.ts'
import { renewPull } from './status.queries.ts'

/** That a product is asked by this worker alone. */
export type Lease = {
  /** Somebody else may have it. */
  isLost(): boolean
  /** Ends the renewing; answers until when it is ours, null where it is not any more. */
  end(): Promise<Date | null>
}

/** Keeps a product to this worker while it asks it, however long that takes: each `renewMs` it is taken for `ms` more. */
export function openLease(
  { db, clock }: Pick<PullParts, 'db' | 'clock'>,
  productId: number,
  { until, ms, renewMs }: { until: Date; ms: number; renewMs: number },
): Lease {
  let held: Date | null = until
  let renewing: Promise<void> = Promise.resolve()
  const renew = async () => {
    if (held === null) return
    const next = new Date(clock.now() + ms)
    try {
      held = (await renewPull(db, productId, held, next)) ? next : null
    } catch (error) {
      // tried again the next time, while nobody else has taken it
      log.warn({ err: error, product: productId }, 'the time to ask a product was not renewed')
    }
  }
  const timer = setInterval(() => (renewing = renewing.then(renew)), renewMs)
  timer.unref()
  return {
    isLost: () => held === null,
    async end() {
      clearInterval(timer)
      await renewing
      return held
    },
  }
}
