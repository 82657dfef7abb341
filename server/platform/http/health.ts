import { log } from '../log.ts'
import { within } from '../within.ts'
import type { HttpServer } from './app.ts'

/** One thing a process needs in order to serve: resolves when it works, rejects when it does not. */
export type HealthCheck = () => Promise<unknown>

export type Readiness = { status: 200 | 503; body: { status: 'ready' | 'not ready'; checks: Record<string, 'ok' | 'failed'> } }

/** `GET /livez`: the process runs and answers. It touches nothing, so that a database in trouble gets nobody killed. */
export const LIVE = { status: 200, body: { status: 'alive' } } as const

const CHECK_WITHIN_MS = 2_000

/**
 * `GET /readyz`: whether everything needed works right now. Each check has two seconds. Strangers may read the
 * answer, so it names the checks and nothing more; `failed` hears why.
 */
export async function readiness(checks: Record<string, HealthCheck>, failed: (name: string, error: unknown) => void): Promise<Readiness> {
  const outcomes = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => {
      try {
        await within(CHECK_WITHIN_MS, check())
        return [name, 'ok'] as const
      } catch (error) {
        failed(name, error)
        return [name, 'failed'] as const
      }
    }),
  )
  const ready = outcomes.every(([, outcome]) => outcome === 'ok')
  return { status: ready ? 200 : 503, body: { status: ready ? 'ready' : 'not ready', checks: Object.fromEntries(outcomes) } }
}

/** Answers both questions on a server of the api. */
export function healthRoutes(app: HttpServer, checks: Record<string, HealthCheck>): void {
  app.server.get('/livez', async (_request, reply) => reply.status(LIVE.status).send(LIVE.body))
  app.server.get('/readyz', async (_request, reply) => {
    const { status, body } = await readiness(checks, (name, error) => log.warn({ err: error, check: name }, 'not ready'))
    return reply.status(status).send(body)
  })
}
