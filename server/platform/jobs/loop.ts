import { log } from '../log.ts'

export type Loop = {
  /** Ends it; resolves when the round under way is over. */
  stop(): Promise<void>
}

const LONGEST_PAUSE_MS = 5_000

/**
 * Runs `work` again and again: at once while it answers that there may be more, else after `everyMs`. A failure is
 * logged and the next round comes later, up to five seconds, so that a database that is away is not hammered.
 */
export function startLoop(name: string, everyMs: number, work: () => Promise<'more' | 'done'>): Loop {
  let stopped = false
  let failures = 0
  let wake = () => {}

  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  const run = async () => {
    while (!stopped) {
      try {
        const more = (await work()) === 'more'
        failures = 0
        if (!more && !stopped) await pause(everyMs)
      } catch (error) {
        // what fails while everything is being stopped is no news
        if (stopped) return
        log.error({ err: error, loop: name }, 'a background job failed')
        failures++
        await pause(Math.min(everyMs * 2 ** failures, LONGEST_PAUSE_MS))
      }
    }
  }
  const running = run()
  return {
    async stop() {
      stopped = true
      wake()
      await running
    },
  }
}
