import { init, replayIntegration } from '@sentry/browser'
import { expect, test, vi } from 'vitest'
import { CallError, localFailure } from '#web/api/call-error.ts'
import { errorDetails } from '#web/shell/failure/error-details.ts'
import { CHUNK_TIMEOUT, withinChunkTimeout } from '#web/chunk.ts'
import { isLoadFailure, mayReloadAgain } from '#web/shell/failure/load-failure.ts'
import { startReporter } from '#web/shell/failure/reporter.ts'
import { isNoise, reportingEnabled, shouldReport } from '#web/shell/failure/reporter-rules.ts'
import { judge, reloadSoon } from '#web/shell/failure/window-errors.ts'
import { setRuntime, type Runtime } from '#web/shell/runtime.ts'

vi.mock('@sentry/browser', () => ({ init: vi.fn(), replayIntegration: vi.fn(), browserTracingIntegration: vi.fn() }))

test('errors are reported only with a receiver configured and away from localhost', () => {
  expect(reportingEnabled('https://key@errors.example/1', 'panel.example')).toBe(true)
  expect(reportingEnabled(null, 'panel.example')).toBe(false)
  expect(reportingEnabled('', 'panel.example')).toBe(false)
  expect(reportingEnabled('https://key@errors.example/1', 'localhost')).toBe(false)
  expect(reportingEnabled('https://key@errors.example/1', '127.0.0.1')).toBe(false)
})

test('recordings follow the monitoring settings of the specification', async () => {
  await startReporter('https://key@errors.example/1', 'localhost', '1.0')
  expect(init).not.toHaveBeenCalled()
  await startReporter('https://key@errors.example/1', 'panel.example', '1.0')
  expect(init).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({
      dsn: 'https://key@errors.example/1',
      replaysSessionSampleRate: 0.1,
      replaysOnErrorSampleRate: 1,
      tracesSampleRate: 1,
    }),
  )
  const replay = { slowClickTimeout: 7000, mutationLimit: 10_000, maskAllText: true, maskAllInputs: true, blockAllMedia: true }
  expect(replayIntegration).toHaveBeenCalledExactlyOnceWith(replay)
})

test.each<[string, unknown]>([
  ['a network error', new TypeError('Failed to fetch')],
  ['a network error of Safari', new TypeError('Load failed')],
  ['a network error of Firefox', new TypeError('NetworkError when attempting to fetch resource.')],
  ['a call without an answer', new CallError('Failed to fetch')],
  ['an abort', new DOMException('The operation was aborted.', 'AbortError')],
  ['a chunk that did not load', new TypeError('Failed to fetch dynamically imported module: https://x/a.js')],
  ['an HTTP 400', new CallError('Bad', { status: 400 })],
  ['an HTTP 500', new CallError('Bad', { status: 500 })],
  ['an HTTP 599', new CallError('Bad', { status: 599 })],
  ['an HTTP error of a library', Object.assign(new Error('Service unavailable'), { status: 599 })],
  ['a script of another origin', 'Script error.'],
  ['a resize observer notice', new Error('ResizeObserver loop completed with undelivered notifications.')],
])('%s is not reported', (_title, error) => {
  expect(shouldReport(error)).toBe(false)
})

test('messages without an error object follow the same rules', () => {
  expect(shouldReport(undefined, 'Script error.')).toBe(false)
  expect(shouldReport(null, 'ResizeObserver loop limit exceeded')).toBe(false)
  expect(shouldReport(undefined, 'Importing a module script failed.')).toBe(false)
  expect(isNoise('Uncaught Script error.')).toBe(true)
})

test('what is left is reported: bugs, and answers that break the contract', () => {
  expect(shouldReport(new TypeError("Cannot read properties of undefined (reading 'uuid')"))).toBe(true)
  expect(shouldReport(localFailure('data_loading'))).toBe(true)
  expect(shouldReport(undefined, 'x is not defined')).toBe(true)
})

test('chunks, style sheets, scripts and syntax errors are load failures, everything else breaks the app', () => {
  const plain = { error: undefined, message: '', resource: false }
  expect(judge({ ...plain, resource: true })).toBe('load')
  expect(judge({ ...plain, error: new SyntaxError("Unexpected token '<'") })).toBe('load')
  expect(judge({ ...plain, error: new Error('Unable to preload CSS for /assets/a.css') })).toBe('load')
  expect(judge({ ...plain, message: 'Uncaught ChunkLoadError: Loading chunk 7 failed.' })).toBe('load')
  expect(judge({ ...plain, error: new TypeError('x is undefined'), message: 'Uncaught TypeError: x is undefined' })).toBe('broken')
  expect(judge({ ...plain, message: 'Script error.' })).toBe('nothing')
  expect(judge({ ...plain, message: 'ResizeObserver loop limit exceeded' })).toBe('nothing')
})

test('code that does not come within 120 seconds is a load failure', async () => {
  vi.useFakeTimers()
  try {
    expect(CHUNK_TIMEOUT).toBe(120_000)
    const loading = withinChunkTimeout(() => new Promise(() => {})).catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(120_000)
    expect(isLoadFailure(await loading)).toBe(true)
  } finally {
    vi.useRealTimers()
  }
})

test('code that comes in time is passed on, and so is its error', async () => {
  expect(await withinChunkTimeout(async () => 'page')).toBe('page')
  await expect(withinChunkTimeout(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
})

test('a page reloads itself 100 ms after a load failure, at most three times a minute', () => {
  const map = new Map<string, string>()
  const storage = { getItem: (key: string) => map.get(key) ?? null, setItem: (key: string, value: string) => void map.set(key, value) }
  const times = [1_000_000, 1_000_200, 1_000_400, 1_000_600, 1_060_500]
  expect(times.map((now) => mayReloadAgain(() => storage, now))).toEqual([true, true, true, false, true])
  vi.useFakeTimers()
  const reload = vi.fn()
  vi.stubGlobal('localStorage', storage)
  try {
    const soon = (hostname: string, error_reporting_dsn: string | null) => {
      vi.stubGlobal('location', { hostname, reload })
      setRuntime({ error_reporting_dsn } as Runtime) // all it is asked for
      reloadSoon()
      return vi.getTimerCount()
    }
    expect([soon('localhost', 'https://key@errors.example/1'), soon('panel.example', null)]).toEqual([0, 0])
    soon('panel.example', 'https://key@errors.example/1')
    vi.advanceTimersByTime(99)
    expect(reload).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    expect(reload).toHaveBeenCalledOnce()
  } finally {
    vi.unstubAllGlobals()
    vi.useRealTimers()
  }
  const denied = () => {
    throw new DOMException('denied', 'SecurityError')
  }
  expect(mayReloadAgain(denied, 1_000_000)).toBe(false)
})

test('error details name the error, the request, the address without its query, and the stack', () => {
  const where = { address: 'https://x/roles/affiliates?search=Olena', time: '2026-11-21T10:00:00Z', version: '1.0', browser: 'Firefox' }
  const text = errorDetails(new CallError('Bad', { status: 500, requestId: 'r-9' }), where)
  expect(text).toContain('CallError: Bad')
  expect(text).toContain('Request: r-9')
  expect(text).toContain('Address: https://x/roles/affiliates\n')
  expect(text).not.toContain('Olena')
  expect(text).toContain('failure.test.ts')
  expect(errorDetails('text only', where)).toContain('Error: text only')
})
