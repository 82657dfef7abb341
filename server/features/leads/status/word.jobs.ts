import { workOff } from '#server/platform/jobs/work-off.ts'
import { applyWaiting, type WaitingParts } from './apply-waiting.service.ts'
import { listWaiting, nextApplying, putWordBack, settleWord } from './word.queries.ts'

/**
 * Applies a word somebody has mapped to the leads that wait for it, as if it was said now; answers whether there may be more. Each lead
 * is applied once, however many workers do: what was applied waits no more.
 */
export function applyWords(parts: WaitingParts): Promise<boolean> {
  const { db, clock } = parts
  const now = clock.now()
  return workOff('a mapped word was not applied', now, {
    next: () => nextApplying(db, new Date(now)),
    async work(word) {
      await applyWaiting(parts, word, async (after, most) =>
        (await listWaiting(db, word.integration_id, word.word, after, most)).map((row) => ({ ...row, sale: false })),
      )
      await settleWord(db, word)
    },
    putBack: (word, until) => putWordBack(db, word, until),
  })
}
