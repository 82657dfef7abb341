import { spawn } from 'node:child_process'
import { watch } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '#server/platform/config.ts'
import type { Supervisor } from '../supervisor/supervisor.ts'

const ROOT = join(import.meta.dirname, '../../..')
const SETTLE_MS = 150

/**
 * `npm run dev`: Vite serves the web app with hot reload on a port of its own and passes the rest to the api; a change
 * below `server/` or `contract/` restarts the processes that hold our code, while both databases stay up.
 */
export async function watchSources(supervisor: Supervisor, config: Config, printLine: (line: string) => void): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const changed = (name: string | null) => {
    if (name === null || !name.endsWith('.ts') || name.endsWith('.test.ts')) return
    clearTimeout(timer)
    timer = setTimeout(() => {
      printLine(`${name} changed`)
      supervisor.restart((part) => part !== 'PostgreSQL' && part !== 'events' && part !== 'vite')
    }, SETTLE_MS)
  }
  for (const folder of ['server', 'contract']) watch(join(ROOT, folder), { recursive: true }, (_event, name) => changed(name))
  const port = config.port + 2
  await supervisor.add('vite', 'doors', async () => {
    const vite = join(ROOT, 'node_modules/vite/bin/vite.js')
    const child = spawn(process.execPath, [vite, '--port', String(port), '--strictPort', '--host', '127.0.0.1', '--logLevel', 'warn'], {
      cwd: ROOT,
      stdio: 'inherit',
      env: { ...process.env, PORT: String(config.port) },
    })
    const exited = new Promise<string>((resolve) => {
      child.once('error', (error) => resolve(error.message))
      child.once('exit', (code, signal) => resolve(`ended with ${code ?? signal}`))
    })
    return {
      pid: child.pid ?? 0,
      exited,
      async stop() {
        child.kill('SIGTERM')
        await exited
      },
    }
  })
  printLine(`develop at http://127.0.0.1:${port} (changes of the web app show at once)`)
}
