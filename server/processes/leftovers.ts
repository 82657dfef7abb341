import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { endProcess, identityOf, isRunning, type ProcessIdentity } from '#server/platform/process/identity.ts'
import { writeWhole } from './data-folder.ts'

const file = (dataDir: string) => join(dataDir, 'run', 'processes.json')

/** Notes which processes belong to the folder, so that a later start can tell them from strangers. */
export function recordProcesses(dataDir: string, pids: (number | null)[]): void {
  mkdirSync(join(dataDir, 'run'), { recursive: true, mode: 0o700 })
  const identities = pids.map((pid) => (pid === null ? null : identityOf(pid))).filter((identity) => identity !== null)
  writeWhole(file(dataDir), JSON.stringify(identities))
}

/** Ends what a killed supervisor left running: in order first, hard where that does not help. */
export async function endLeftovers(dataDir: string, say: (line: string) => void): Promise<void> {
  if (!existsSync(file(dataDir))) return
  let recorded: ProcessIdentity[] = []
  try {
    recorded = JSON.parse(readFileSync(file(dataDir), 'utf8')) as ProcessIdentity[] // only we write it
  } catch {}
  const alive = recorded.filter(isRunning)
  if (alive.length === 0) return
  say(`stopping ${alive.length} ${alive.length === 1 ? 'process' : 'processes'} that an earlier run left behind`)
  await Promise.all(
    alive.map((identity) =>
      endProcess(identity, [
        { signal: 'SIGTERM', waitMs: 6_000 },
        { signal: 'SIGKILL', waitMs: 4_000 },
      ]),
    ),
  )
}
