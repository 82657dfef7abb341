import { CLICK_ID_LENGTH } from '#server/rules/click-id.ts'
import type { HandOver } from './postback-spool.ts'

/** Hand-overs at once: one after the other, a steady stream would outrun them and the line would never end. */
const AT_ONCE = 8
/** What looks like a click id, whatever its parameter is called. */
const CLICK_IDS = new RegExp(`\\b[a-z0-9]{${CLICK_ID_LENGTH}}\\b`, 'g')

/**
 * Hands waiting postbacks over, several at once. Those that name the same click keep their order, or a correction would
 * overtake what it corrects; so do those that name none. After the first `away` no more are begun: they count as `away` too.
 */
export async function sendAbreast(lines: readonly string[], send: (line: string) => Promise<HandOver>): Promise<HandOver[]> {
  const outcomes: HandOver[] = lines.map(() => 'away')
  const latest = new Map<string, Promise<void>>()
  let away = false
  const sendAfter = async (earlier: (Promise<void> | undefined)[], index: number, line: string) => {
    await Promise.all(earlier)
    if (away) return
    const outcome = await send(line)
    outcomes[index] = outcome
    away ||= outcome === 'away'
  }
  const queue = lines.entries()
  const worker = async () => {
    for (const [index, line] of queue) {
      const clicks = line.toLowerCase().match(CLICK_IDS) ?? ['']
      const sent = sendAfter(
        clicks.map((click) => latest.get(click)),
        index,
        line,
      )
      for (const click of clicks) latest.set(click, sent)
      await sent
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  return outcomes
}
