import { fork } from 'node:child_process'
import { join } from 'node:path'
import type { ChildReport, RoleNews } from '../roles/role.ts'

export type Child = {
  pid: number
  /** Resolves when its roles run, to what they have to tell; rejects when it ends or fails before. */
  ready: Promise<RoleNews>
  /** Resolves when it is gone, to a line that says how. */
  exited: Promise<string>
  signal(signal: NodeJS.Signals): void
  /** SIGTERM, and SIGKILL when it takes longer than `withinMs`. */
  stop(withinMs: number): Promise<void>
}

const MAIN = join(import.meta.dirname, '../../main.ts')
/** What an API writes lives a moment or for good: of the room V8 takes by itself for what may live longer it has no use for 40 MB. */
const LEAN = ['--max-semi-space-size=8']

/**
 * Starts `server/main.ts` as a child that plays `roles` (comma separated). The child ends by itself when we die.
 * `env` is all it gets. Its output goes where ours goes unless `output` takes it.
 */
export function startChild(roles: string, env: Record<string, string | undefined>, output?: (text: string) => void): Child {
  const child = fork(MAIN, [], {
    env: { ...env, PROCESSES: roles },
    stdio: ['ignore', output ? 'pipe' : 'inherit', output ? 'pipe' : 'inherit', 'ipc'],
    execArgv: roles.split(',').includes('api') ? LEAN : [],
  })
  child.stdout?.on('data', (chunk: Buffer) => output?.(chunk.toString('utf8')))
  child.stderr?.on('data', (chunk: Buffer) => output?.(chunk.toString('utf8')))
  const exited = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('exit', (code, signal) => resolve(signal === null ? `ended with code ${code}` : `was ended by ${signal}`))
  })
  const ready = new Promise<RoleNews>((resolve, reject) => {
    // `main.ts` sends nothing but this shape.
    child.on('message', (message) => {
      const report = message as ChildReport
      if (report.ready) resolve(report)
      else reject(new Error(report.mistake))
    })
    void exited.then((how) => reject(new Error(`${roles} ${how} before it was ready`)))
  })
  ready.catch(() => {}) // whoever waits hears it; nobody has to
  return {
    pid: child.pid ?? 0,
    ready,
    exited,
    signal: (signal) => void child.kill(signal),
    async stop(withinMs) {
      child.kill('SIGTERM')
      const timer = setTimeout(() => child.kill('SIGKILL'), withinMs)
      await exited
      clearTimeout(timer)
    },
  }
}
