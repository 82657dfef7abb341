import { sendLead } from '#server/features/leads/send/send-lead.service.ts'
import type { SendParts } from '#server/features/leads/send/send-parts.ts'
import { log } from '#server/platform/log.ts'
import { planRecold, stop } from './plan.service.ts'
import { announceRecold } from './recold.queries.ts'
import { countLatestFailed, listActive, listDue, settleItems, takeRecold } from './run.queries.ts'
import { takeUp } from './send-item.service.ts'

/** Of the latest so many more than so many failed: it stands still until a person has looked. */
const LOOKED_AT = 20
const MOST_FAILED = 6
/** So many people in a row may be passed over before others are looked at. */
const MOST_PASSED = 50

export type RecoldWorker = {
  /** Gives the next people of whatever runs their slots. */
  plan(): Promise<'more' | 'done'>
  /** Sends those whose slots have come; answers how many. */
  send(): Promise<number>
  /** Resolves when no send of this process is under way. */
  idle(): Promise<void>
}

/** Sends distributions; several workers may: each distribution is taken by one at a time, each person once. */
export function openRecoldWorker(parts: SendParts): RecoldWorker {
  const { db, clock } = parts
  const underWay = new Set<Promise<unknown>>()
  const begin = (session: string) => {
    const sending: Promise<unknown> = sendLead(parts, session)
      // it is offered again by whoever offers leads
      .catch((error: unknown) => log.error({ err: error, session }, 'a cold lead was not offered'))
      .finally(() => underWay.delete(sending))
    underWay.add(sending)
  }
  return {
    async plan() {
      let more = false
      for (const id of await listActive(db)) {
        try {
          more = (await planRecold(parts, clock.now(), id)) === 'more' || more
        } catch (error) {
          log.error({ err: error, recold: id }, 'a distribution was not planned')
        }
      }
      return more ? 'more' : 'done'
    },
    async send() {
      let sent = 0
      for (const id of await listDue(db, new Date(clock.now()))) {
        try {
          for (let passed = 0; passed < MOST_PASSED; passed++) {
            const taken = await takeUp(parts, clock.now(), id)
            if (taken === 'nobody') break
            if (taken === 'again') continue
            begin(taken.session)
            sent++
            break
          }
        } catch (error) {
          log.error({ err: error, recold: id }, 'nobody of a distribution was sent')
        }
      }
      await settleRecolds(parts)
      return sent
    },
    async idle() {
      while (underWay.size > 0) await Promise.all(underWay)
      await settleRecolds(parts)
    },
  }
}

/** Settles people by what became of their sessions, and stops what fails. */
export async function settleRecolds({ db, clock }: Pick<SendParts, 'db' | 'clock'>): Promise<void> {
  const now = clock.now()
  for (const { recold_id, failed } of await settleItems(db, new Date(now))) {
    await db.transaction().execute(async (trx) => {
      await announceRecold(trx, recold_id)
      const recold = failed ? await takeRecold(trx, recold_id) : undefined
      if (recold === undefined) return
      const since = recold.resumed_at ?? recold.started_at ?? new Date(0)
      const latest = await countLatestFailed(trx, recold_id, since, LOOKED_AT)
      if (latest.ended >= LOOKED_AT && latest.failed > MOST_FAILED) await stop(trx, recold_id, now, 'failing')
    })
  }
}
