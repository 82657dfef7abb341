import { ConfigError } from '#server/platform/config.ts'

/** A mistake the person who started us can put right: shown as it is, without a stack. */
export class StartError extends Error {
  override name = 'StartError'
}

const began = performance.now()

/** Prints one line of progress with the seconds since the start. */
export function printLine(line: string): void {
  console.log(`[${((performance.now() - began) / 1000).toFixed(1).padStart(5)} s] ${line}`)
}

/** Prints what went wrong, in at most five lines unless each line is a mistake of its own, and ends with code 1. */
export function endOnMistake(error: unknown): never {
  const message = error instanceof Error ? error.message : String(error)
  const lines = message.split('\n').filter((line) => line.trim() !== '')
  console.error((error instanceof ConfigError ? lines : lines.slice(0, 5)).join('\n'))
  // Only what nobody foresaw needs its origin.
  if (process.env['LOG_LEVEL'] === 'debug' && error instanceof Error) console.error(error.stack)
  process.exit(1)
}
