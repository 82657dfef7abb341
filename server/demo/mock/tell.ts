import { pushPath } from '#server/features/leads/product/push-token.ts'
import { startLoop, type Loop } from '#server/platform/jobs/loop.ts'
import { SYSTEMS } from '../leads/systems.ts'
import { SELLERS } from './hosts.ts'
import type { TakenLeads } from './taken-leads.queries.ts'

const EVERY = 20_000
const DAY = 86_400_000
/** What was to be told while nobody ran is told then; said twice it is no news. */
const CATCH_UP = 2 * DAY
/** No story takes longer. */
const LONGEST = 30 * DAY

/** Lets those whose systems are never asked tell what became of their leads, as it becomes of them. `url`: where the panel answers. */
export function startTelling(leads: TakenLeads, { secretKey, url }: { secretKey: string | null; url: string }): Loop {
  let told = Date.now() - CATCH_UP
  const tellers = [...SELLERS].filter(([, { system, story }]) => SYSTEMS[system].list === undefined && story !== 'none')
  return startLoop('tell what became of leads', EVERY, async () => {
    const now = Date.now()
    for (const [host] of tellers) {
      for (const lead of await leads.list(host, { from: now - LONGEST, to: now, skip: 0, most: 5000 }))
        for (const { word } of lead.steps.filter(({ at }) => at > told && at <= now)) {
          const body = new URLSearchParams({ lead_id: lead.id, status: word })
          const address = `${url}${pushPath(secretKey, lead.productUuid)}`
          const isHeard = await fetch(address, { method: 'POST', body, signal: AbortSignal.timeout(10_000) }).then(
            () => true,
            () => false,
          )
          // the panel is not up yet: told again later
          if (!isHeard) return 'done'
        }
    }
    told = now
    return 'done'
  })
}
