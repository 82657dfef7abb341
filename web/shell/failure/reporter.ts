import type * as Sentry from '@sentry/browser'
import { withinChunkTimeout } from '#web/chunk.ts'
import { REPLAY, reportingEnabled, SAMPLE_RATES, shouldReport } from './reporter-rules.ts'

let sentry: typeof Sentry | undefined
/** Errors from before the reporter was loaded; undefined while none is configured. */
let waiting: unknown[] | undefined

/** Starts the error reporter, if one is configured and the page is not on the own machine. Its code is loaded only then. */
export async function startReporter(dsn: string | null, hostname: string, version: string): Promise<void> {
  if (!reportingEnabled(dsn, hostname)) return
  waiting = []
  const module = await withinChunkTimeout(() => import('@sentry/browser')).catch(() => undefined)
  if (module === undefined) return
  module.init({
    dsn,
    release: version,
    ...SAMPLE_RATES,
    integrations: [module.browserTracingIntegration(), module.replayIntegration(REPLAY)],
    beforeSend: (event, hint) => {
      const message = event.message ?? event.exception?.values?.[0]?.value
      return shouldReport(hint.originalException, message) ? event : null
    },
  })
  sentry = module
  for (const error of waiting) module.captureException(error)
  waiting = undefined
}

/** Reports an error that the app caught and the reporter therefore cannot see by itself. */
export function reportError(error: unknown): void {
  if (!shouldReport(error)) return
  if (sentry !== undefined) sentry.captureException(error)
  else waiting?.push(error)
}

/** Notes an uncaught error while the reporter is still being loaded; afterwards it sees them by itself. */
export function noteUncaught(error: unknown): void {
  if (sentry === undefined) waiting?.push(error)
}
