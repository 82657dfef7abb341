import { setTimeout as sleep } from 'node:timers/promises'
import { log } from '#server/platform/log.ts'
import { preparedOn } from '#server/platform/pg/database.ts'
import { sendLead } from './send-lead.service.ts'
import { countCalls, MOST_AT_ONCE, pacesOf, type SendParts } from './send-parts.ts'
import { listDue } from './send.queries.ts'

/** Offers leads whose time has come, many at once; several workers may. */
export type LeadSender = {
  /** Begins with what is due; answers how many leads it took up. */
  tick(): Promise<number>
  /** Waits for room for more where leads are under way: true once a few of them have ended or wait for somebody slow, false where none does within `ms`. */
  room(ms: number): Promise<boolean>
  /** Resolves when nothing is under way. */
  idle(): Promise<void>
}

/** What is due is looked for again once so many places are free: for each of them it would cost as much as to send it. */
const REFILL = 5

/** How many leads one process has under way at once. */
export type Places = {
  /** That are answered soon, or not asked yet. */
  quick: number
  /** Beside them, that wait for products known as slow. */
  waiting: number
  /** All together, whatever products do that were quick: what memory and sockets bear. */
  all: number
}
const PLACES: Places = { quick: 100, waiting: 500, all: 1_000 }
/** Where many wait, so many leads find out whether a product that has answered nothing yet hangs as well. */
const TRIAL = 2

/**
 * A lead that has waited for an answer for longer than `QUICK` gives up its place among the quick ones, and those of products known as
 * slow take none of them: products that hang hold up each other, and nobody who answers. They share the places of those that wait evenly.
 *
 * No more leads are taken up than the products of their offers have room for: the others would be looked at for nothing, and of an
 * offer whose products are all busy none stand in the way of those of others.
 */
export function openLeadSender(given: SendParts, places: Partial<Places> = {}): LeadSender {
  const { quick: most, waiting: mostWaiting, all } = { ...PLACES, ...places }
  const parts = { ...given, db: preparedOn(given.db) }
  const underWay = new Map<string, Promise<unknown>>()
  /** Of those under way who wait for somebody slow, or are to. */
  const waiting = new Set<string>()
  /** How many leads in hand may go to each product: each is counted at the first that had room. */
  const claims = new Map<number, number>()
  const claim = (product: number | undefined, by: 1 | -1) => {
    if (product === undefined) return
    const left = (claims.get(product) ?? 0) + by
    if (left === 0) claims.delete(product)
    else claims.set(product, left)
  }
  const look = () => {
    const { slow, quick } = pacesOf(parts)
    const share = Math.max(1, Math.min(MOST_AT_ONCE, Math.floor(mostWaiting / Math.max(1, slow.size))))
    const limitOf = (product: number) => {
      const crowded = waiting.size >= mostWaiting
      if (slow.has(product)) return crowded ? 0 : share
      return crowded && !quick.has(product) ? TRIAL : MOST_AT_ONCE
    }
    const isFull = (product: number) => Math.max(claims.get(product) ?? 0, countCalls(parts, product)) >= limitOf(product)
    return { slow, isFull }
  }
  const isBusy = () => underWay.size - waiting.size >= most || underWay.size >= all
  let freed = 0
  let wake = (): void => undefined
  const free = () => {
    freed += 1
    if (freed >= REFILL || underWay.size === 0) wake()
  }
  const begin = (id: string, product: number | undefined, isSlow: boolean) => {
    claim(product, 1)
    if (isSlow) waiting.add(id)
    const waits = (does: boolean) => {
      if (does === waiting.has(id)) return
      if (!does) return void waiting.delete(id)
      waiting.add(id)
      free()
    }
    const sending = sendLead({ ...parts, waits }, id)
      // what was not settled is looked at again when its lease is over
      .catch((error: unknown) => log.error({ err: error, session: id }, 'a lead was not offered'))
      .finally(() => {
        claim(product, -1)
        underWay.delete(id)
        waiting.delete(id)
        free()
      })
    underWay.set(id, sending)
  }
  return {
    async tick() {
      freed = 0
      if (isBusy()) return 0
      const full = [...new Set([...claims.keys(), ...parts.underWay.keys()])].filter(look().isFull)
      // those under way stand in the list for a moment, before they are leased
      const due = await listDue(parts.db, new Date(parts.clock.now()), most, full)
      // nobody is answered while these are begun: only claims and who waits change
      const { slow, isFull } = look()
      let taken = 0
      for (const { id, products } of due) {
        if (isBusy()) break
        const product = products.find((one) => !isFull(one))
        if (underWay.has(id) || (product === undefined && products.length > 0)) continue
        begin(id, product, product !== undefined && slow.has(product))
        taken += 1
      }
      return taken
    },
    async room(ms) {
      if (underWay.size === 0) return false
      const over = new AbortController()
      const found = new Promise<boolean>((resolve) => (wake = () => resolve(true)))
      const late = sleep(ms, false, { signal: over.signal }).catch(() => false)
      const hasRoom = freed >= REFILL || (await Promise.race([found, late]))
      over.abort()
      wake = () => undefined
      return hasRoom
    },
    async idle() {
      await Promise.all(underWay.values())
    },
  }
}
