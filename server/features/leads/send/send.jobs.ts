import { log } from '#server/platform/log.ts'
import { sendLead } from './send-lead.service.ts'
import type { SendParts } from './send-parts.ts'
import { listDue } from './send.queries.ts'

/** Offers leads whose time has come, many at once; several workers may. */
export type LeadSender = {
  /** Begins with what is due; answers how many leads it took up. */
  tick(): Promise<number>
  /** Resolves when nothing is under way. */
  idle(): Promise<void>
}

/** `most` leads are under way at once in this process. */
export function openLeadSender(parts: SendParts, most = 100): LeadSender {
  const underWay = new Map<string, Promise<void>>()
  return {
    async tick() {
      if (underWay.size >= most) return 0
      // those under way stand in the list for a moment, before they are leased
      const due = await listDue(parts.db, new Date(parts.clock.now()), most)
      const taken = due.filter((id) => !underWay.has(id)).slice(0, most - underWay.size)
      for (const id of taken) {
        const sending = sendLead(parts, id)
          // what was not settled is looked at again when its lease is over
          .catch((error: unknown) => log.error({ err: error, session: id }, 'a lead was not offered'))
          .finally(() => underWay.delete(id))
        underWay.set(id, sending)
      }
      return taken.length
    },
    async idle() {
      await Promise.all(underWay.values())
    },
  }
}
