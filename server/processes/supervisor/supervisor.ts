import { setTimeout } from 'node:timers/promises'
import { keepRunning, type Restarted, type Part } from './restart-policy.ts'
import { recordProcesses } from './leftovers.ts'

/** When a part is stopped: the doors first, then what empties the spools, then the databases. */
export type Stage = 'doors' | 'drain' | 'events' | 'database'

/** Milliseconds each stage may take before it is ended hard; together they stay below the 20 s that were promised. */
const STAGES: readonly [Stage, number][] = [
  ['doors', 7_000],
  ['drain', 4_000],
  ['events', 3_000],
  ['database', 3_000],
]

/** What is starting when everything ends may finish first, this long; a command that is done does not wait for it. */
const STARTING_MS = 6_000

export type Supervisor = {
  /** Starts a part and keeps it running; its first start must succeed. */
  add(name: string, stage: Stage, start: () => Promise<Part>): Promise<void>
  /** Ends parts by name once; they come back by themselves. */
  restart(names: (name: string) => boolean): void
  /** Ends everything in order. */
  stop(): Promise<void>
  stopping(): boolean
}

/** The parts of one instance, kept running and stopped together; their process numbers are noted in the data folder. */
export function createSupervisor(dataDir: string, printLine: (line: string) => void): Supervisor {
  const parts: { name: string; stage: Stage; kept: Restarted }[] = []
  const starting = new Set<Promise<unknown>>()
  let ending: Promise<void> | undefined
  const changed = () =>
    recordProcesses(
      dataDir,
      parts.map(({ name, kept }) => ({ name, pid: kept.pid(), ...kept.life() })),
    )

  const begin = async (name: string, stage: Stage, start: () => Promise<Part>) => {
    const kept = await keepRunning(name, start, { printLine, changed })
    if (ending) {
      await kept.stop(3_000)
      throw new Error(`${name} was stopped while it started`)
    }
    parts.push({ name, stage, kept })
    changed()
  }
  const end = async () => {
    await Promise.race([Promise.allSettled(starting), setTimeout(STARTING_MS, null, { ref: false })])
    for (const [stage, withinMs] of STAGES) {
      await Promise.all(parts.filter((part) => part.stage === stage).map((part) => part.kept.stop(withinMs)))
    }
    recordProcesses(dataDir, [])
  }
  return {
    async add(name, stage, start) {
      if (ending) throw new Error(`${name} is not started any more`)
      const begun = begin(name, stage, start)
      starting.add(begun)
      await begun.finally(() => starting.delete(begun))
    },
    restart: (names) => parts.filter(({ name }) => names(name)).forEach(({ kept }) => kept.restart()),
    stop: () => (ending ??= end()),
    stopping: () => ending !== undefined,
  }
}
