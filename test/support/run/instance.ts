import { spawn, type ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '#server/platform/process/free-port.ts'
import type { NamedProcess } from '#server/processes/supervisor/leftovers.ts'

export type Instance = {
  pid: number
  port: number
  trackerPort: number
  /** Everything it has printed so far. */
  output(): string
  /** Resolves when it has printed something that matches, rejects when it ends before or takes longer. */
  printed(pattern: RegExp, withinMs?: number): Promise<string>
  signal(signal: NodeJS.Signals): void
  exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>
  /** The processes it has noted as its own. */
  processes(): NamedProcess[]
}

const MAIN = join(import.meta.dirname, '../../../server/main.ts')
const RUNTIME = join(import.meta.dirname, '../../../server/runtime.mjs')

/** Starts a whole instance the way `npm start` does, on ports of its own. `user` runs it as somebody else (needs root). */
export async function startInstance(options: {
  dataDir: string
  mode?: 'start' | 'serve'
  env?: Record<string, string>
  ports?: { port: number; trackerPort: number }
  user?: { uid: number; gid: number }
}): Promise<Instance> {
  const { port, trackerPort } = options.ports ?? { port: await freePort(), trackerPort: await freePort() }
  const child: ChildProcess = spawn(process.execPath, ['--import', RUNTIME, MAIN, options.mode ?? 'start'], {
    ...options.user,
    cwd: '/',
    env: {
      PATH: process.env['PATH'],
      DATA_DIR: options.dataDir,
      PORT: String(port),
      TRACKER_PORT: String(trackerPort),
      DEMO: '0',
      ...options.env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const listeners = new Set<() => void>()
  const hear = (chunk: Buffer) => {
    output += chunk.toString('utf8')
    for (const listener of listeners) listener()
  }
  child.stdout?.on('data', hear)
  child.stderr?.on('data', hear)
  const exited = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    child.once('close', (code, signal) => {
      resolve({ code, signal })
      for (const listener of listeners) listener()
    })
  })
  return {
    pid: child.pid ?? 0,
    port,
    trackerPort,
    output: () => output,
    printed: (pattern, withinMs = 200_000) =>
      new Promise((resolve, reject) => {
        const settle = (act: () => void) => {
          clearTimeout(timer)
          listeners.delete(look)
          act()
        }
        const look = () => {
          const found = pattern.exec(output)
          if (found) settle(() => resolve(found[0]))
          else if (child.exitCode !== null || child.signalCode !== null)
            settle(() => reject(new Error(`ended before ${pattern}:\n${output}`)))
        }
        const timer = setTimeout(
          () => settle(() => reject(new Error(`did not print ${pattern} within ${withinMs} ms:\n${output}`))),
          withinMs,
        )
        listeners.add(look)
        look()
      }),
    signal: (signal) => void child.kill(signal),
    exited,
    processes: () => JSON.parse(readFileSync(join(options.dataDir, 'run/processes.json'), 'utf8')) as NamedProcess[], // only Ohma writes it
  }
}

/** Resolves once `look` answers true; looks again and again, with a limit instead of a fixed wait. */
export async function until(what: string, look: () => boolean | Promise<boolean>, withinMs = 120_000): Promise<void> {
  const deadline = performance.now() + withinMs
  while (!(await look())) {
    if (performance.now() > deadline) throw new Error(`waited ${withinMs} ms for: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
