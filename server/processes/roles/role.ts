import { readConfig, type Config, type Mode } from '#server/platform/config.ts'
import { log } from '#server/platform/log.ts'
import { giveBackOnceIdle } from '#server/platform/process/give-back.ts'

/** What a role has to tell once it runs: its address where that is not in the configuration, lines for the operator, logins it made. */
export type RoleNews = { url?: string; lines?: string[]; logins?: { role: string; email: string; password: string }[] }
type Running = RoleNews & { stop(): Promise<void> }
type RoleModule = { run(config: Config): Promise<Running> }

/** What a child tells its parent over IPC, once. */
export type ChildReport = ({ ready: true } & RoleNews) | { ready: false; mistake: string }

/** The roles a process can play; only those asked for are loaded. */
export const ROLES: Readonly<Record<string, () => Promise<RoleModule>>> = {
  api: () => import('./api.ts'),
  worker: () => import('./worker.ts'),
  tracker: () => import('./tracker.ts'),
  ingester: () => import('./ingester.ts'),
  events: () => import('./events.ts'),
  migrate: () => import('./migrate.ts'),
  discard: () => import('./discard.ts'),
  demo: () => import('./demo.ts'),
  advertisers: () => import('./advertisers.ts'),
  geo: () => import('./geo.ts'),
}

const STOP_WITHIN_MS = 18_000

/**
 * Plays the roles named in `PROCESSES` until SIGTERM, SIGINT or the death of the parent; then each is stopped in the
 * reverse order. A parent hears `ChildReport` once.
 */
export async function runRoles(env: Record<string, string | undefined>): Promise<void> {
  const supervised = process.send !== undefined
  const running: Running[] = []
  let stopping = false
  const end = async (why: string) => {
    if (stopping) return
    stopping = true
    log.info({ why }, 'stopping')
    setTimeout(() => process.exit(1), STOP_WITHIN_MS).unref()
    const failed = (await Promise.allSettled(running.toReversed().map((role) => role.stop()))).filter(
      (outcome) => outcome.status === 'rejected',
    )
    for (const { reason } of failed) log.error({ err: reason as unknown }, 'a role did not stop in order')
    process.exit(failed.length > 0 ? 1 : 0)
  }
  process.on('SIGTERM', () => void end('SIGTERM'))
  // Ctrl-C reaches every process of the terminal; a supervised one waits for its supervisor, who knows the order.
  process.on('SIGINT', () => supervised || void end('SIGINT'))
  // Without its parent nobody would restart or stop it, and the next start would find its ports and folders taken.
  process.on('disconnect', () => void end('the supervisor is gone'))

  try {
    const config = readConfig(env, modeOf(env))
    const loads = config.processes.map((name) => {
      const load = ROLES[name]
      if (load === undefined) throw new Error(`PROCESSES names "${name}"; the roles are ${Object.keys(ROLES).join(', ')}`)
      return load
    })
    for (const [place, load] of loads.entries()) {
      const role = await load()
      const runs = role.run(config)
      // it waits for databases for much of its time: meanwhile the next is loaded, and found loaded in its turn
      loads[place + 1]?.().catch(() => {}) // who asks for it in its turn is told
      running.push(await runs)
    }
  } catch (error) {
    log.debug({ err: error }, 'a role could not start')
    if (!supervised) throw error
    // The supervisor prints it; said twice it would read as two mistakes.
    report({ ready: false, mistake: error instanceof Error ? error.message : String(error) }, () => process.exit(1))
    return
  }
  report({ ready: true, ...newsOf(running) })
  giveBackOnceIdle()
}

/** A child is told the command its supervisor was given; a role started by hand belongs to a production instance. */
function modeOf(env: Record<string, string | undefined>): Mode {
  const mode = env['OHMA_MODE']
  return mode === 'start' || mode === 'dev' || mode === 'test' ? mode : 'serve'
}

/** Only plain values travel over IPC; each kind of news comes from at most one role of a process. */
function newsOf(running: Running[]): RoleNews {
  const news: RoleNews = {}
  for (const { url, lines, logins } of running) {
    if (url !== undefined) news.url = url
    if (lines !== undefined) news.lines = lines
    if (logins !== undefined) news.logins = logins
  }
  return news
}

function report(message: ChildReport, sent: () => void = () => {}): void {
  process.send?.(message, undefined, {}, sent)
}
