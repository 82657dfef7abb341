import { log } from '#server/platform/log.ts'
import type { PostbackVerdict } from '#server/rules/conversion/postback-hand-over.ts'
import { askInternal, type InternalApi } from '../internal-api.ts'

/** Hands postbacks (a line of JSON each) to the api in one request; answers a verdict for each, in their order. Never throws. */
export type HandOver = (lines: readonly string[], withinMs: number) => Promise<PostbackVerdict[]>

/** The hand-over to the api at `api`; without one, and while it does not answer in time, every verdict is `later`. */
export function openHandOver(api: InternalApi | null): HandOver {
  return async (lines, withinMs) => {
    const later = lines.map((): PostbackVerdict => 'later')
    if (api === null) return later
    try {
      const body = `[${lines.join(',')}]`
      const answer = await askInternal(api, '/internal/postbacks', { body, signal: AbortSignal.timeout(withinMs) })
      if (answer.status !== 200) throw new Error(`the api answered ${answer.status} to ${lines.length} postbacks`)
      return (await answer.json()) as PostbackVerdict[] // our own api, of the same version
    } catch (error) {
      log.info({ err: error }, 'postbacks could not be handed over')
      return later
    }
  }
}
