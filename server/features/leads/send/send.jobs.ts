import { setTimeout } from 'node:timers/promises'
import { log } from '#server/platform/log.ts'
import { preparedOn } from '#server/platform/pg/database.ts'
import { sendLead } from './send-lead.service.ts'
import { MOST_AT_ONCE, type SendParts } from './send-parts.ts'
import { listDue } from './send.queries.ts'

/** Offers leads whose time has come, many at once; several workers may. */
export type LeadSender = {
  /** Begins with what is due; answers how many leads it took up. */
  tick(): Promise<number>
  /** Waits for room for more where leads are under way: true once a few of them have ended, false where none does within `ms`. */
  room(ms: number): Promise<boolean>
  /** Resolves when nothing is under way. */
  idle(): Promise<void>
}

/** What is due is looked for again once so many leads have ended: for each of them it would cost as much as to send it. */
const REFILL = 5

/**
 * `most` leads are under way at once in this process. No more of them are taken up than the products of their offers have room for:
 * the others would be looked at for nothing, and of an offer whose products are all busy none stand in the way of those of others.
 */
export function openLeadSender(given: SendParts, most = 100): LeadSender {
  const parts = { ...given, db: preparedOn(given.db) }
  const underWay = new Map<string, Promise<unknown>>()
  /** How many leads in hand may go to each product: each is counted at the first that had room. */
  const claims = new Map<number, number>()
  const isFull = (product: number) => Math.max(claims.get(product) ?? 0, parts.underWay.get(product) ?? 0) >= MOST_AT_ONCE
  const claim = (product: number | undefined, by: 1 | -1) => {
    if (product === undefined) return
    const left = (claims.get(product) ?? 0) + by
    if (left === 0) claims.delete(product)
    else claims.set(product, left)
  }
  let ended = 0
  let wake = (): void => undefined
  const end = () => {
    ended += 1
    if (ended >= REFILL || underWay.size === 0) wake()
  }
  return {
    async tick() {
      ended = 0
      if (underWay.size >= most) return 0
      const full = [...new Set([...claims.keys(), ...parts.underWay.keys()])].filter(isFull)
      // those under way stand in the list for a moment, before they are leased
      const due = await listDue(parts.db, new Date(parts.clock.now()), most, full)
      let taken = 0
      for (const { id, products } of due) {
        if (underWay.size >= most) break
        const product = products.find((one) => !isFull(one))
        if (underWay.has(id) || (product === undefined && products.length > 0)) continue
        claim(product, 1)
        const sending = sendLead(parts, id)
          // what was not settled is looked at again when its lease is over
          .catch((error: unknown) => log.error({ err: error, session: id }, 'a lead was not offered'))
          .finally(() => {
            claim(product, -1)
            underWay.delete(id)
            end()
          })
        underWay.set(id, sending)
        taken += 1
      }
      return taken
    },
    async room(ms) {
      if (underWay.size === 0) return false
      const over = new AbortController()
      const freed = new Promise<boolean>((resolve) => (wake = () => resolve(true)))
      const late = setTimeout(ms, false, { signal: over.signal }).catch(() => false)
      const found = ended >= REFILL || (await Promise.race([freed, late]))
      over.abort()
      wake = () => undefined
      return found
    },
    async idle() {
      await Promise.all(underWay.values())
    },
  }
}
