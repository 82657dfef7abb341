import { readdirSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { THREADS } from '#server/platform/clickhouse/embedded/engine.ts'
import { eventsPassword } from '#server/platform/clickhouse/embedded/password.ts'
import { serveEvents, type EventsServer } from '#server/platform/clickhouse/embedded/server.ts'
import type { Config } from '#server/platform/config.ts'
import { log } from '#server/platform/log.ts'

/**
 * The process that owns the events folder: the embedded ClickHouse behind its HTTP door. The URL
 * it returns holds the password. `EVENTS_PORT` fixes the port, otherwise a free one is taken.
 */
export async function run(config: Pick<Config, 'dataDir' | 'eventsPort' | 'eventsMemoryMb'>): Promise<EventsServer> {
  // libuv reads this when its pool is first used; the supervisor sets it, a process started by hand may be just in time.
  if (Number(process.env['UV_THREADPOOL_SIZE'] ?? 0) < THREADS) process.env['UV_THREADPOOL_SIZE'] = String(THREADS)
  const scratch = join(config.dataDir, 'run', 'events')
  await rm(scratch, { recursive: true, force: true })
  const server = await serveWhenFree({
    folder: join(config.dataDir, 'events'),
    scratch,
    memory: config.eventsMemoryMb * 1024 * 1024,
    port: config.eventsPort,
    password: await eventsPassword(config.dataDir),
    log,
  })
  const threads = poolThreads()
  if (threads !== null && threads < THREADS)
    log.error({ threads, needed: THREADS }, `start with UV_THREADPOOL_SIZE=${THREADS}: long reports may delay others`)
  return server
}

const LOCK_WAIT_MS = 10_000

/** A predecessor that was killed may hold the folder for a moment longer. */
async function serveWhenFree(options: Parameters<typeof serveEvents>[0]): Promise<EventsServer> {
  const deadline = Date.now() + LOCK_WAIT_MS
  for (;;) {
    try {
      return await serveEvents(options)
    } catch (error) {
      const locked = error instanceof Error && /lock|another server instance/i.test(error.message)
      if (!locked || Date.now() > deadline) throw error
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
}

/** Threads of libuv's pool, counted where the system tells (Linux). */
function poolThreads(): number | null {
  try {
    return readdirSync('/proc/self/task').filter((task) => readFileSync(`/proc/self/task/${task}/comm`, 'utf8').startsWith('libuv-worker'))
      .length
  } catch {
    return null
  }
}
