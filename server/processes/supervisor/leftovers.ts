import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { endProcess, identityOf, isRunning, type ProcessIdentity } from '#server/platform/process/identity.ts'
import { writeWhole } from './data-folder.ts'

/** A process of the folder: when its present life began, in ms, and how often it had come back by then. */
export type NamedProcess = ProcessIdentity & { name: string; since?: number; restarts?: number }

const file = (dataDir: string) => join(dataDir, 'run', 'processes.json')

/** Notes which processes belong to the folder, so that a later start can tell them from strangers. */
export function recordProcesses(dataDir: string, parts: (Omit<NamedProcess, 'pid' | 'started'> & { pid: number | null })[]): void {
  mkdirSync(join(dataDir, 'run'), { recursive: true, mode: 0o700 })
  const recorded = parts.flatMap(({ pid, ...told }) => {
    const identity = pid === null ? null : identityOf(pid)
    return identity === null ? [] : [{ ...told, ...identity }]
  })
  writeWhole(file(dataDir), JSON.stringify(recorded))
}

/** The processes noted for a folder that are running now. */
export function recordedProcesses(dataDir: string): NamedProcess[] {
  try {
    return (JSON.parse(readFileSync(file(dataDir), 'utf8')) as NamedProcess[]).filter(isRunning) // only we write it
  } catch {
    return []
  }
}

/** Ends what a killed supervisor left running: in order first, hard where that does not help. */
export async function endLeftovers(dataDir: string, printLine: (line: string) => void): Promise<void> {
  const alive = recordedProcesses(dataDir)
  if (alive.length === 0) return
  printLine(`stopping ${alive.length} ${alive.length === 1 ? 'process' : 'processes'} that an earlier run left behind`)
  await Promise.all(
    alive.map((identity) =>
      endProcess(identity, [
        { signal: 'SIGTERM', waitMs: 6_000 },
        { signal: 'SIGKILL', waitMs: 4_000 },
      ]),
    ),
  )
}
