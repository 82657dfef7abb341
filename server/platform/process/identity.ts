import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** A process, told apart from a later one with the same number by the moment it started. */
export type ProcessIdentity = { pid: number; started: string }

/**
 * The identity of a running process, or null when there is none (a zombie counts as none).
 * On Linux `started` is the boot's id and the start in clock ticks, elsewhere what `ps` says.
 */
export function identityOf(pid: number): ProcessIdentity | null {
  if (!Number.isInteger(pid) || pid <= 0) return null
  const started = process.platform === 'linux' ? startOnLinux(pid) : startByPs(pid)
  return started === null ? null : { pid, started }
}

/** Whether exactly this process is still running. */
export function isRunning(identity: ProcessIdentity): boolean {
  return identityOf(identity.pid)?.started === identity.started
}

/** The command line of a running process, or null when it cannot be read. */
export function commandOf(pid: number): string[] | null {
  try {
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').filter(Boolean)
    return ps(pid, 'command=').split(' ')
  } catch {
    return null
  }
}

/**
 * Ends a process that somebody else started: each signal in turn, with as much time as is named beside it.
 * Checks the identity before every signal, so that a reused number is never hit. Resolves to whether it is gone.
 */
export async function endProcess(
  identity: ProcessIdentity,
  steps: readonly { signal: NodeJS.Signals; waitMs: number }[],
): Promise<boolean> {
  for (const { signal, waitMs } of steps) {
    if (!isRunning(identity)) return true
    try {
      process.kill(identity.pid, signal)
    } catch {}
    const until = performance.now() + waitMs
    while (performance.now() < until) {
      if (!isRunning(identity)) return true
      await new Promise((resolve) => setTimeout(resolve, 15))
    }
  }
  return !isRunning(identity)
}

let bootId: string | undefined

function startOnLinux(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name in parentheses may hold blanks and parentheses itself; what follows the last one is regular.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (fields[0] === 'Z' || fields[0] === 'X') return null
    bootId ??= readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    return `${bootId}/${fields[19]}`
  } catch {
    return null
  }
}

function startByPs(pid: number): string | null {
  try {
    return ps(pid, 'lstart=').trim() || null
  } catch {
    return null
  }
}

function ps(pid: number, column: string): string {
  return execFileSync('ps', ['-o', column, '-p', String(pid)], {
    encoding: 'utf8',
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
}
