import { performance } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const AFTER_MS = 45_000
const LOOKED_AT_MS = 2_000
/** A process that works more than this share of the time is not held up. */
const BUSY = 0.25

/**
 * Gives memory that only the start needed back to the machine, once: V8 keeps it for a load that may never come, which is a third of
 * what an idle process holds. It waits until there is little to do: for a tenth of a second nothing else is done.
 */
export function giveBackOnceIdle(): void {
  const look = () => {
    const before = performance.eventLoopUtilization()
    setTimeout(() => {
      if (performance.eventLoopUtilization(before).utilization > BUSY) look()
      else giveBack()
    }, LOOKED_AT_MS).unref()
  }
  setTimeout(look, AFTER_MS).unref()
}

/** Gives what is not used of the heap back to the machine now. */
export function giveBack(): void {
  // the only way to ask a process that runs for it: Node documents both halves
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as NodeJS.GCFunction
  setFlagsFromString('--no-expose-gc')
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}
