import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { startApi, type Caller, type TestApi } from './api.ts'
import { launchBrowser } from './chromium.ts'
import { sessionCookies } from './session-cookies.ts'

export type Opened = {
  page: Page
  /** Warnings and errors the page wrote to its console, and errors nobody caught. */
  problems: string[]
}

export type Panel = {
  api: TestApi
  /** The panel at a host that is not localhost, for what the specification asks for only there. */
  awayUrl: string
  /** Opens an address of the panel in a browser profile of its own, signed in as somebody or as a guest. */
  open(path: string, as?: Pick<Caller, 'token' | 'uuid' | 'email'> & { role: string }, options?: BrowserContextOptions): Promise<Opened>
  /** Closes all browser profiles; between tests. */
  closePages(): Promise<void>
  /** Ends what belongs to this test file alone. */
  close(): Promise<void>
}

const AWAY = 'panel.test'
const nothing = async () => {}

// Files that follow each other in a worker share its process, and with it these; both end with the process.
let browser: Promise<Browser> | undefined
let running: Promise<TestApi> | undefined

/**
 * The panel all browser files of a worker share: other files' rows are in it, so a test looks for rows of its own, by
 * names and addresses nobody else uses, and counts nothing it has not filtered. Its clock stands at the start of the worker.
 */
export async function sharedPanel(): Promise<Panel> {
  running ??= startApi({ clickhouse: true, at: new Date().toISOString() })
  return panelOf(await running, nothing)
}

/** A panel on a database of its own, for tests of a whole network's figures, of an empty one, or of other settings. */
export async function startPanel(options: Parameters<typeof startApi>[0] = {}): Promise<Panel> {
  const api = await startApi(options)
  return panelOf(api, () => api.close())
}

async function panelOf(api: TestApi, close: () => Promise<void>): Promise<Panel> {
  const browser = await openBrowser()
  return {
    api,
    awayUrl: api.url.replace('127.0.0.1', AWAY),
    async open(path, as, contextOptions) {
      // what moves costs every machine without a graphics card most of its time; tests of motion ask for it
      const context = await browser.newContext({
        baseURL: api.url,
        viewport: { width: 1440, height: 900 },
        locale: 'en-GB',
        reducedMotion: 'reduce',
        ...contextOptions,
      })
      if (as !== undefined) await context.addCookies(sessionCookies(api.url, as))
      const page = await context.newPage()
      const problems = problemsOf(page)
      await page.goto(path)
      return { page, problems }
    },
    async closePages() {
      await Promise.all(browser.contexts().map((context) => context.close()))
    },
    close,
  }
}

/** The worker's browser, which knows the panel's other host. */
export function openBrowser(): Promise<Browser> {
  browser ??= launchBrowser([`--host-resolver-rules=MAP ${AWAY} 127.0.0.1`])
  return browser
}

/** Warnings and errors a page writes to its console from now on, and errors nobody caught. */
export function problemsOf(page: Page): string[] {
  const problems: string[] = []
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) problems.push(message.text())
  })
  page.on('pageerror', (error) => problems.push(error.message))
  return problems
}
