import { CallError } from '#web/api/call-error.ts'
import { isLocalhost } from '#web/api/signature.ts'
import { isLoadFailure } from './load-failure.ts'

/** One session in ten is recorded, every one with an error; every trace is kept. */
export const SAMPLE_RATES = { tracesSampleRate: 1, replaysSessionSampleRate: 0.1, replaysOnErrorSampleRate: 1 } as const

/** Recordings show the page's outline only: texts and inputs masked, media blocked. Times in ms. */
export const REPLAY = {
  maskAllText: true,
  maskAllInputs: true,
  blockAllMedia: true,
  slowClickTimeout: 7000,
  mutationLimit: 10_000,
} as const

/** Errors are reported only where a receiver is configured and the page is not on the own machine. */
export function reportingEnabled(dsn: string | null, hostname: string): dsn is string {
  return dsn !== null && dsn !== '' && !isLocalhost(hostname)
}

/** Messages of browsers for a connection that broke. */
const NETWORK =
  /^(failed to fetch|load failed|networkerror when attempting to fetch resource\.?|network request failed|network error|the internet connection appears to be offline\.?)$/i

/** A script of another origin failed, or a layout loop that browsers cut by themselves: neither says anything. */
export function isNoise(message: string): boolean {
  return /^(uncaught )?script error\.?$/i.test(message.trim()) || /resizeobserver loop/i.test(message)
}

/** Whether an error is worth a report: not the network's, not an abort, not a chunk, not an HTTP answer of 400 to 599. */
export function shouldReport(error: unknown, message = ''): boolean {
  if (isNoise(message) || isNoise(messageOf(error))) return false
  if (isLoadFailure(error) || isLoadFailure(new Error(message))) return false
  const status = statusOf(error)
  if (status !== undefined && status >= 400 && status <= 599) return false
  if (error instanceof CallError) return error.local === 'data_loading' // all others never got a proper answer
  if (nameOf(error) === 'AbortError' || nameOf(error) === 'TimeoutError') return false
  return !NETWORK.test(messageOf(error)) && !NETWORK.test(message)
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : typeof error === 'string' ? error : ''
}

function nameOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'name' in error ? String(error.name) : ''
}

function statusOf(error: unknown): number | undefined {
  return typeof error === 'object' && error !== null && 'status' in error && typeof error.status === 'number' ? error.status : undefined
}
