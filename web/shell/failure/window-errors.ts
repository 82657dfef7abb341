import { create } from 'zustand'
import { isLoadFailure, mayReloadAgain, RELOAD_DELAY } from './load-failure.ts'
import { isNoise, reportingEnabled } from './reporter-rules.ts'
import { noteUncaught } from './reporter.ts'
import { runtime } from '../runtime.ts'

/** The error nobody caught, once there was one: the error screen then stands in place of everything. */
export const useUncaughtError = create<{ error: unknown }>(() => ({ error: undefined }))

/** What to do about a window error: a part of the app is missing, the app broke, or nothing. */
export type Verdict = 'load' | 'broken' | 'nothing'

/** Judges an uncaught window error. `resource` says that a script or style sheet failed to load. */
export function judge({ error, message, resource }: { error: unknown; message: string; resource: boolean }): Verdict {
  if (resource || error instanceof SyntaxError || isLoadFailure(error) || isLoadFailure(new Error(message))) return 'load'
  return isNoise(message) ? 'nothing' : 'broken'
}

/** Watches for errors nobody caught. */
export function watchWindowErrors(): void {
  Object.assign(window, { ohmaWatches: true }) // start.js has watched until now
  // capture: failures of <script> and <link> do not bubble
  window.addEventListener('error', onError, true)
  window.addEventListener('unhandledrejection', ({ reason }) => {
    noteUncaught(reason)
    if (isLoadFailure(reason)) reloadSoon()
  })
  window.addEventListener('vite:preloadError', reloadSoon)
}

/** Reloads the page 100 ms from now, where the specification wants that: with reporting configured and not on the own machine. */
export function reloadSoon(): void {
  if (!reportingEnabled(runtime().error_reporting_dsn, location.hostname)) return
  if (pending || !mayReloadAgain(() => localStorage, Date.now())) return
  pending = true
  setTimeout(() => location.reload(), RELOAD_DELAY)
}

let pending = false

function onError(event: ErrorEvent | Event): void {
  const resource = event.target instanceof HTMLScriptElement || event.target instanceof HTMLLinkElement
  if (!resource && !(event instanceof ErrorEvent)) return // a picture or a frame that did not load
  const { error, message } =
    event instanceof ErrorEvent ? { error: event.error as unknown, message: event.message } : { error: undefined, message: '' }
  const verdict = judge({ error, message, resource })
  if (verdict === 'load') return reloadSoon()
  if (verdict === 'nothing') return
  noteUncaught(error)
  useUncaughtError.setState({ error: error ?? new Error(message) })
}
