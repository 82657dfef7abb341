import { orderOf, type OrderKeys } from './postback-order.ts'
import type { HandOver } from './postback-spool.ts'
import { createTurns } from './postback-turns.ts'

/** Hand-overs at once: one after the other, a steady stream would outrun them and the line would never end. */
const AT_ONCE = 8

/**
 * Hands waiting postbacks over, several at once. Those that share a click or a transaction keep their order, or a
 * correction would overtake what it corrects. After the first `away` no more are begun: they count as `away` too. `refused` collects the keys of those the api could not take; given it,
 * what shares one of them is `held` without being tried: it comes after the first has arrived or was set aside.
 */
export async function sendAbreast(
  lines: readonly string[],
  send: (line: string, index: number) => Promise<HandOver>,
  refused?: Set<string>,
): Promise<(HandOver | 'held')[]> {
  const outcomes: (HandOver | 'held')[] = lines.map(() => 'away')
  const turn = createTurns()
  let away = false
  const sendOne = async (line: string, index: number, keys: OrderKeys) => {
    if (away) return
    const isBehind = keys.some((key) => refused?.has(key))
    const outcome = isBehind ? 'held' : await send(line, index)
    outcomes[index] = outcome
    away ||= outcome === 'away'
    if (outcome === 'refused' || isBehind) for (const key of keys) refused?.add(key)
  }
  const queue = lines.entries()
  const worker = async () => {
    for (const [index, line] of queue) {
      const keys = orderOf(line)
      const leave = await turn(keys)
      await sendOne(line, index, keys)
      leave()
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  return outcomes
}
