import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { buildWebIfOld } from '#server/processes/commands/web-build.ts'
import { startApi, type Caller, type TestApi } from './api.ts'
import { launchBrowser } from './chromium.ts'

export type Opened = {
  page: Page
  /** Warnings and errors the page wrote to its console, and errors nobody caught. */
  problems: string[]
}

export type Panel = {
  api: TestApi
  /** The panel at a host that is not localhost, for what the specification asks for only there. */
  awayUrl: string
  browser: Browser
  /** Opens an address of the panel in a browser profile of its own, signed in as somebody or as a guest. */
  open(path: string, as?: Pick<Caller, 'token' | 'uuid' | 'email'> & { role: string }, options?: BrowserContextOptions): Promise<Opened>
  /** Closes all browser profiles; between tests. */
  closePages(): Promise<void>
  close(): Promise<void>
}

const AWAY = 'panel.test'

/** Starts the API with the built web app on a database of its own, and a browser. */
export async function startPanel(options: Parameters<typeof startApi>[0] = {}): Promise<Panel> {
  await buildWebIfOld(() => {})
  const [api, browser] = await Promise.all([startApi(options), launchBrowser([`--host-resolver-rules=MAP ${AWAY} 127.0.0.1`])])
  return {
    api,
    awayUrl: api.url.replace('127.0.0.1', AWAY),
    browser,
    async open(path, as, contextOptions) {
      const context = await browser.newContext({
        baseURL: api.url,
        viewport: { width: 1440, height: 900 },
        locale: 'en-GB',
        ...contextOptions,
      })
      if (as !== undefined) {
        const values = {
          token: as.token,
          role: as.role,
          uuid: as.uuid,
          email: as.email,
          type: as.role === 'affiliate' ? 'affiliate' : 'manager',
        }
        await context.addCookies(
          Object.entries(values).map(([name, value]) => ({
            name: `ohma_${name}`,
            value: encodeURIComponent(value),
            url: api.url,
            sameSite: 'Strict' as const,
          })),
        )
      }
      const page = await context.newPage()
      const problems = problemsOf(page)
      await page.goto(path)
      return { page, problems }
    },
    async closePages() {
      await Promise.all(browser.contexts().map((context) => context.close()))
    },
    async close() {
      await browser.close()
      await api.close()
    },
  }
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
