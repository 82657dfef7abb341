import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream, existsSync, readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { freePort } from '#server/platform/process/free-port.ts'
import type { Snapshot } from '#server/rules/offer/snapshot.ts'
import type { LoadOrder, LoadResult } from './generator.ts'

const ROOT = join(import.meta.dirname, '../..')
const NANOSECONDS = 1e9

export type MeasuredServer = {
  port: number
  /** CPU seconds used since it started, all threads, user and system. */
  cpu(): number
  /** Resident bytes. */
  memory(): number
  stop(): Promise<void>
}

/** The cores a server may use: one of its own, or also the one the load comes from. */
export type Cores = '0' | '0,1'

/** Runs a program on these cores where `taskset` exists; elsewhere wherever the system puts it. */
export function onCores(
  cores: Cores | '1',
  args: string[],
  env: Record<string, string>,
  input: 'pipe' | 'ignore' = 'ignore',
): ChildProcess {
  const pinned = existsSync('/usr/bin/taskset') ? ['/usr/bin/taskset', '-c', cores, process.execPath] : [process.execPath]
  const [command = '', ...rest] = [...pinned, ...args]
  return spawn(command, rest, { cwd: ROOT, env: { PATH: process.env['PATH'] ?? '', ...env }, stdio: [input, 'pipe', 'inherit'] })
}

/** The yardstick. */
export async function startBare(cores: Cores = '0', env: Record<string, string> = {}): Promise<MeasuredServer> {
  const port = await freePort()
  const child = onCores(cores, ['bench/load/bare.ts'], { PORT: String(port), ...env })
  await once(child.stdout!, 'data') // it is piped
  return measured(child, port)
}

/** A tracker, with `snapshot` from an api of its own in this process. */
export async function startBenchTracker(
  dataDir: string,
  snapshot: Snapshot,
  durability: 'group' | 'interval',
  cores: Cores = '0',
  env: Record<string, string> = {},
): Promise<MeasuredServer> {
  const api = createServer((request, response) => {
    if (request.url === '/internal/snapshot') response.end(JSON.stringify(snapshot))
    else {
      const heartbeat = setInterval(() => response.write('\n'), 5000)
      response.on('close', () => clearInterval(heartbeat))
      response.write('\n')
    }
  })
  api.listen(0, '127.0.0.1')
  await once(api, 'listening')
  const port = await freePort()
  const child = onCores(cores, ['server/main.ts'], {
    OHMA_MODE: 'test',
    PROCESSES: 'tracker',
    DATA_DIR: dataDir,
    TRACKER_PORT: String(port),
    TRACKER_DURABILITY: durability,
    TRUST_PROXY: '127.0.0.1',
    INTERNAL_URL: `http://127.0.0.1:${(api.address() as AddressInfo).port}`, // it listens on TCP
    INTERNAL_SECRET: 'bench',
    ...env,
  })
  child.stdout!.resume() // it is piped
  for (;;) {
    const ready = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null)
    if (ready?.status === 200) break
    if (child.exitCode !== null) throw new Error('the tracker did not start')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  const server = measured(child, port)
  return {
    ...server,
    async stop() {
      await server.stop()
      api.close()
      api.closeAllConnections()
    },
  }
}

/** The load generator on core 1; it stays, so that many short loads cost no start of a process. */
export function startGenerator(): { load(order: LoadOrder): Promise<LoadResult>; stop(): void } {
  const child = onCores('1', ['bench/load/generator.ts'], {}, 'pipe')
  const results = createInterface({ input: child.stdout! })[Symbol.asyncIterator]() // it is piped
  return {
    async load(order) {
      child.stdin!.write(`${JSON.stringify(order)}\n`)
      const line = await results.next()
      if (line.done) throw new Error('the load generator ended')
      return JSON.parse(line.value) as LoadResult // our own generator wrote it
    },
    stop: () => void child.stdin!.end(),
  }
}

/** Compares what is stored with what was sent: nonces `from` to `to`, in column sub2 of every segment. */
export async function compareNonces(
  dataDir: string,
  from: number,
  to: number,
): Promise<{ rows: number; missing: number; doubled: number; foreign: number }> {
  const seen = new Uint8Array(to - from)
  let rows = 0
  let doubled = 0
  let foreign = 0
  const folder = join(dataDir, 'spool', 't1')
  for (const name of readdirSync(folder).filter((entry) => entry.endsWith('.seg'))) {
    let column = -1
    for await (const line of createInterface({ input: createReadStream(join(folder, name), 'latin1') })) {
      const fields = line.split('\t')
      if (column < 0) {
        column = fields.indexOf('sub2') - 1 // the header has a mark before the first column
        continue
      }
      rows++
      const nonce = Number(fields[column]) - from
      if (!(nonce >= 0 && nonce < seen.length)) foreign++
      else if (seen[nonce] === 1) doubled++
      else seen[nonce] = 1
    }
  }
  return { rows, missing: seen.length - seen.reduce((sum, bit) => sum + bit, 0), doubled, foreign }
}

function measured(child: ChildProcess, port: number): MeasuredServer {
  const pid = child.pid ?? 0
  return {
    port,
    cpu() {
      let nanoseconds = 0
      for (const task of readdirSync(`/proc/${pid}/task`))
        nanoseconds += Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'latin1').split(' ')[0])
      return nanoseconds / NANOSECONDS
    },
    memory: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? 0) * 1024,
    async stop() {
      const exited = once(child, 'exit')
      child.kill('SIGTERM')
      await exited
    },
  }
}
