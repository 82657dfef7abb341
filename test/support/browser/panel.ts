import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { startApi, type Caller, type TestApi } from '../run/api.ts'
import { launchBrowser } from './chromium.ts'
import { sessionCookies } from './session-cookies.ts'

export type Opened = {
  page: Page
  /** Warnings and errors the page wrote to its console, and errors nobody caught. */
  problems: string[]
}

/**
 * Leads a page of the panel to another screen as a link does, and waits until the screen that stood there is gone: to start
 * the whole app anew for each screen takes several times as long. Another query of the same screen is no other screen.
 */
export async function follow(page: Page, path: string): Promise<void> {
  await page
    .locator('main h1')
    .first()
    .evaluate((heading) => heading.setAttribute('data-before', ''))
  await page.evaluate(
    `history.pushState({ idx: (history.state?.idx ?? 0) + 1 }, '', ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent('popstate'))`,
  )
  await page.locator('main h1[data-before]').waitFor({ state: 'detached' })
}

export type Panel = {
  api: TestApi
  /** The panel at a host that is not localhost, for what the specification asks for only there. */
  awayUrl: string
  /**
   * Opens an address of the panel in a browser profile nobody else has open, signed in as somebody or as a guest. The
   * profile remembers nothing of who had it before but the files it has fetched; `cold` is one that has none. Without a
   * `locale` it speaks English as in Britain, with '' what Chromium speaks under LANG=C: `en-US@posix`.
   */
  open(
    path: string,
    as?: Pick<Caller, 'token' | 'uuid' | 'email'> & { role: string },
    options?: BrowserContextOptions & { cold?: boolean },
  ): Promise<Opened>
  /** Closes all pages; between tests. */
  closePages(): Promise<void>
  /** Ends what belongs to this test file alone. */
  close(): Promise<void>
}

/** A browser profile with its one page, and what that page has complained of since somebody opened it. */
type Profile = { url: string; key: string; context: BrowserContext; page: Page; problems: string[] }

const AWAY = 'panel.test'
/** The window pages are opened in where nothing else is asked for. */
export const DESK = { width: 1440, height: 900 }
const nothing = async () => {}

// Files that follow each other in a worker share its process, and with it these; both end with the process.
let browser: Promise<Browser> | undefined
let running: Promise<TestApi> | undefined

/** Profiles nobody has open: what they have fetched and compiled is half of what opening the panel costs. */
let idle: Profile[] = []
let inUse: Profile[] = []

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
  return panelOf(api, async () => {
    // those somebody left open too: a connection Chromium opened ahead and never used holds a server up for half a minute
    const own = [...idle, ...inUse].filter(({ url }) => url === api.url)
    idle = idle.filter(({ url }) => url !== api.url)
    inUse = inUse.filter(({ url }) => url !== api.url)
    await Promise.all(own.map(({ context }) => context.close()))
    await api.close()
  })
}

async function panelOf(api: TestApi, close: () => Promise<void>): Promise<Panel> {
  const browser = await openBrowser()
  return {
    api,
    awayUrl: api.url.replace('127.0.0.1', AWAY),
    async open(
      path,
      as,
      { viewport = DESK, colorScheme = 'light', reducedMotion = 'reduce', cold = false, locale = 'en-GB', ...rest } = {},
    ) {
      const profile = await openProfile(browser, { baseURL: api.url, ...(locale === '' ? {} : { locale }), ...rest }, cold)
      const { context, page } = profile
      if (viewport !== null) await page.setViewportSize(viewport)
      // what moves costs every machine without a graphics card most of its time; tests of motion ask for it
      await page.emulateMedia({ colorScheme, reducedMotion })
      if (as !== undefined) await context.addCookies(sessionCookies(api.url, as))
      await page.goto(path)
      return { page, problems: profile.problems }
    },
    closePages,
    close,
  }
}

/** A profile without anything of who had it before; `cold` is a new one, which is not kept. */
async function openProfile(browser: Browser, options: BrowserContextOptions, cold: boolean): Promise<Profile> {
  const key = cold ? '' : JSON.stringify(options)
  const found = cold ? undefined : idle.find((profile) => profile.key === key)
  idle = idle.filter((profile) => profile !== found)
  const profile = found ?? (await newProfile(browser, options, key))
  inUse.push(profile)
  return profile
}

async function newProfile(browser: Browser, options: BrowserContextOptions, key: string): Promise<Profile> {
  const context = await browser.newContext(options)
  if (key !== '') await context.addInitScript(EMPTY_STORES)
  const page = await context.newPage()
  return { url: options.baseURL ?? '', key, context, page, problems: problemsOf(page) }
}

/** Takes everybody's profiles back; one that cannot be emptied is closed. */
async function closePages(): Promise<void> {
  const left = inUse
  inUse = []
  for (const profile of left) {
    const emptied = profile.key !== '' && (await empty(profile).catch(() => false))
    if (emptied) idle.push(profile)
    else await profile.context.close()
  }
}

/** The cookie of a profile whose stores the next page has to empty; it lives until then. */
const LEFT = { name: 'left', value: 'stores' }
// The panel's own page does it before its scripts run: one more page only for that costs a fifth of what opening the panel does.
const EMPTY_STORES = `if (location.protocol === 'http:' && document.cookie.includes('${LEFT.name}=${LEFT.value}')) {
  localStorage.clear()
  sessionStorage.clear()
  document.cookie = '${LEFT.name}=; path=/; max-age=0'
}`

async function empty({ url, context, page, problems }: Profile): Promise<true> {
  await Promise.all(context.pages().map((other) => (other === page ? undefined : other.close())))
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  // nothing writes into the stores any more
  await page.goto('about:blank')
  await context.clearCookies()
  await context.addCookies([{ ...LEFT, url }])
  problems.length = 0
  return true
}

/** The worker's browser, which knows the panel's other host. */
export function openBrowser(): Promise<Browser> {
  browser ??= launchBrowser([
    `--host-resolver-rules=MAP ${AWAY} 127.0.0.1`,
    // a page of a test lives for seconds: to optimise its code takes a fifth more of the processor than it saves
    '--js-flags=--no-turbofan,--no-maglev',
  ])
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
