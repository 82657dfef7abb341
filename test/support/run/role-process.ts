import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { ChildReport } from '#server/processes/roles/role.ts'

export type RoleProcess = {
  child: ChildProcess
  /** What the process told when it was ready: `url` for the events process. */
  url: string
  /** Ends it in order. */
  stop(): Promise<void>
  /** Ends it as a crash would: SIGKILL, nothing flushed. */
  kill(): Promise<void>
}

/** Starts one server role as a process of its own and waits until it is ready. */
export async function startRole(role: 'events' | 'ingester', env: Record<string, string>): Promise<RoleProcess> {
  const child = fork(join(import.meta.dirname, '../../../server/main.ts'), [], {
    env: { ...process.env, UV_THREADPOOL_SIZE: '20', OHMA_MODE: 'test', OHMA_PROCESS: role, PROCESSES: role, ...env },
    execArgv: [],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const exited = once(child, 'exit')
  let url = ''
  await new Promise<void>((resolve, reject) => {
    // `main.ts` sends nothing but this shape.
    child.on('message', (message) => {
      const report = message as ChildReport
      if (!report.ready) return reject(new Error(report.mistake))
      url = report.url ?? ''
      resolve()
    })
    void exited.then(([code]) => reject(new Error(`${role} ended with ${code} before it was ready`)))
  })
  const end = async (signal: 'SIGTERM' | 'SIGKILL') => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal)
    await exited
  }
  return { child, url, stop: () => end('SIGTERM'), kill: () => end('SIGKILL') }
}
