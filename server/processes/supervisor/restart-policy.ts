/** Something that runs: a child process, or the embedded PostgreSQL. */
export type Part = { pid: number; exited: Promise<string>; stop(withinMs: number): Promise<void> }

export type Restarted = {
  /** The process number of the moment, for the record of what belongs to this instance; null between two lives. */
  pid(): number | null
  /** When the present life began, in ms, and how many there were before it. */
  life(): { since: number; restarts: number }
  /** Ends it for good. */
  stop(withinMs: number): Promise<void>
  /** Ends it once; it comes back by itself. */
  restart(): void
}

const FIRST_DELAY_MS = 200
const LONGEST_DELAY_MS = 10_000
/** Who ran this long is well again: the next crash waits the shortest time. */
const WELL_AFTER_MS = 60_000

/**
 * Starts a part and starts it again whenever it ends, with a growing delay; the others never notice. The first start
 * must succeed: its error is thrown. `changed` is called when the process number changes.
 */
export async function keepRunning(
  name: string,
  start: () => Promise<Part>,
  hooks: { printLine: (line: string) => void; changed: () => void },
): Promise<Restarted> {
  let part: Part | null = null
  let stopping = false
  let delay = FIRST_DELAY_MS
  let asked = false
  let wake = () => {}
  const life = { since: Date.now(), restarts: 0 }

  const follow = async (first: Part) => {
    let current: Part | null = first
    while (!stopping) {
      if (current !== null) {
        const since = performance.now()
        const how = await current.exited
        part = null
        hooks.changed()
        if (stopping) return
        if (asked || performance.now() - since > WELL_AFTER_MS) delay = FIRST_DELAY_MS
        if (!asked) hooks.printLine(`${name}: ${how.split('\n')[0]}; starting it again in ${delay / 1000} s`)
      }
      await new Promise<void>((resolve) => {
        wake = resolve
        setTimeout(resolve, delay)
      })
      delay = Math.min(delay * 2, LONGEST_DELAY_MS)
      if (stopping) return
      current = await start().catch((error: unknown) => {
        hooks.printLine(
          `${name} did not start: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}; trying again in ${delay / 1000} s`,
        )
        return null
      })
      part = current
      if (current !== null) {
        life.since = Date.now()
        life.restarts += 1
      }
      asked = false
      hooks.changed()
      if (current !== null) hooks.printLine(`${name} is back`)
    }
    // A stop that came while the part was starting found nothing to stop.
    if (stopping && current !== null) await current.stop(5_000)
  }

  part = await start()
  hooks.changed()
  const followed = follow(part)
  return {
    pid: () => part?.pid ?? null,
    life: () => life,
    async stop(withinMs) {
      stopping = true
      wake()
      await part?.stop(withinMs)
      await followed
    },
    restart() {
      if (part === null) return
      asked = true
      void part.stop(5_000)
    },
  }
}
