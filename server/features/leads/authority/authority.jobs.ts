import { workOff } from '#server/platform/jobs/work-off.ts'
import { applyWaiting, type WaitingParts } from '../status/apply-waiting.service.ts'
import { listNoted, nextApplying, putPairBack, settlePair } from './authority.queries.ts'

/** Applies what advertisers said of the leads of a pair that went live meanwhile, each once; answers whether there may be more. */
export function applyNoted(parts: WaitingParts): Promise<boolean> {
  const { db, clock } = parts
  const now = clock.now()
  return workOff('what was noted of leads was not applied', now, {
    next: () => nextApplying(db, new Date(now)),
    async work(pair) {
      await applyWaiting(parts, pair, (after, most) => listNoted(db, pair, after, most))
      await settlePair(db, pair)
    },
    putBack: (pair, until) => putPairBack(db, pair, until),
  })
}
