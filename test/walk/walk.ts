import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import { ROLES, type Role } from '#contract/access.ts'
import { SCREENS, screenOf, screensFor, type ScreenId } from '#contract/screens.ts'
import { accessibilityFaults } from '#test/support/browser/accessible.ts'
import { launchBrowser } from '#test/support/browser/chromium.ts'
import { faultsOf } from '#test/support/browser/faults.ts'
import { follow } from '#test/support/browser/panel.ts'
import { startInstance } from '#test/support/run/instance.ts'

/**
 * `npm run walk`: opens every screen of every role on the demo network in every width, scheme and language, looks for what is
 * broken (test/support/browser/faults.ts, axe), opens each overlay on the way, and leaves a picture of each view with a page
 * that shows them all. Ends with 1 where anything was found. Takes some twenty minutes; the options narrow it.
 */
const { values: asked } = parseArgs({
  options: {
    /** A running network with the demo's people; without it one is started for the walk. */
    url: { type: 'string' },
    out: { type: 'string', default: 'var/walk' },
    role: { type: 'string', multiple: true, default: ['guest', ...ROLES] },
    screen: { type: 'string', multiple: true },
    width: { type: 'string', multiple: true, default: ['390', '768', '1280', '1440', '1920'] },
    scheme: { type: 'string', multiple: true, default: ['light', 'dark'] },
    language: { type: 'string', multiple: true, default: ['en', 'uk'] },
    /** Overlays are not opened. */
    'no-overlays': { type: 'boolean', default: false },
  },
})

const PEOPLE: Record<Role, string> = {
  admin: 'admin@ohma.example',
  head: 'head@ohma.example',
  manager: 'manager@ohma.example',
  'team lead': 'lead@ohma.example',
  affiliate: 'affiliate@partners.example',
}
const LOCALES = { en: 'en-GB', uk: 'uk-UA' }
const HEIGHT = 900
/** What lies over the page. */
const LAYERS = '[role="menu"]:visible, [role="dialog"]:visible, [role="listbox"]:visible'
type Language = keyof typeof LOCALES
/** What ends the walk of a role where it is pressed. */
const LEAVES = /log out|act as|sign in as/i

/** The addresses that change something, by what they are called. */
const WRITES =
  /\/(own-|affiliate-|partner-)?(create|update|set|set-status|set-active|update-[\w-]+|renew-token|decide|decide-access|delete|duplicate|undo|remove|replay|propose|import|add-affiliates|confirm|save|revoke-session|change-password|password-link|check|send|backfill|get-affiliate-token|request-access|test-link|dismiss|read|read-all)(\/[\w-]+)?$/

type View = { role: string; screen: string; name: string; picture: string; faults: string[] }
const views: View[] = []

const dataDir = asked.url === undefined ? mkdtempSync(join(tmpdir(), 'ohma-walk-')) : undefined
const instance = dataDir === undefined ? undefined : await startInstance({ dataDir, env: { DEMO: '1' } })
await instance?.printed(/Ohma is ready/, 180_000)
const url = asked.url ?? `http://127.0.0.1:${instance?.port}`
const browser = await launchBrowser()
try {
  for (const language of asked.language as Language[])
    for (const role of asked.role) await walk(browser, role === 'guest' ? undefined : (role as Role), language)
} finally {
  await browser.close()
  instance?.signal('SIGTERM')
  await instance?.exited
  if (dataDir) rmSync(dataDir, { recursive: true, force: true })
}
report()

/** Walks all screens of one role in one language. */
async function walk(on: Browser, role: Role | undefined, language: Language): Promise<void> {
  const context = await on.newContext({ baseURL: url, locale: LOCALES[language], viewport: { width: 1440, height: HEIGHT } })
  const page = await context.newPage()
  await context.addInitScript(`localStorage.setItem('ohma.language', '${language}')`)
  if (role) await signIn(page, role)
  // a walk looks and changes nothing: what the items of menus would write is not sent
  await page.route(
    ({ pathname }) => pathname.startsWith('/api/') && WRITES.test(pathname),
    (route) => route.abort(),
  )
  const known = new Map<ScreenId, string>()
  // those with an address of their own first: they lead to one of each of the others
  const screens = screensFor(role)
    // the gallery shows the kit in states no screen has, in one language
    .filter((id) => id !== 'ohmaGallery' && (screenOf(id).area === 'guest') === (role === undefined) && screenOf(id).redirect === undefined)
    .toSorted((a, b) => Number(SCREENS[a].path.includes(':')) - Number(SCREENS[b].path.includes(':')))
  for (const id of screens) {
    const path = SCREENS[id].path.includes(':') ? (known.get(id) ?? besides(id, known)) : SCREENS[id].path
    if (path === undefined) {
      if (role)
        views.push({ role, screen: id, name: `${language}`, picture: '', faults: ['not reached: no link of another screen leads here'] })
      continue
    }
    const wanted = asked.screen === undefined || asked.screen.includes(id)
    if (!wanted && SCREENS[id].path.includes(':')) continue
    await page.setViewportSize({ width: 1440, height: HEIGHT })
    if (role && new URL(page.url()).pathname !== path) await follow(page, path).catch(() => page.goto(path))
    else await page.goto(path)
    await settled(page)
    const hrefs = await page.locator('main a[href]').evaluateAll((all) => all.map((one) => one.getAttribute('href') ?? ''))
    for (const other of screens) {
      // the first of a list is often new and empty
      const leading = hrefs.filter((href) => pattern(other).test(href))
      if (!known.has(other) && leading.length > 0) known.set(other, leading[leading.length >> 1] ?? '')
    }
    if (!wanted) continue
    for (const scheme of asked.scheme as ('light' | 'dark')[]) {
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
      for (const width of asked.width) {
        await page.setViewportSize({ width: Number(width), height: HEIGHT })
        await settled(page)
        // another language changes neither colours nor sizes of targets
        const looked = language === 'en' ? ['390', '1440'].includes(width) : width === '1440' && scheme === 'light'
        const axe = looked ? await accessibilityFaults(page) : []
        await view(page, role ?? 'guest', id, `${width}-${scheme}-${language}`, language, axe)
      }
    }
    if (role && !asked['no-overlays']) await overlays(page, role, id, path, language)
  }
  await context.close()
}

/**
 * Opens what can be opened on a screen, one after the other: menus and fields with a list, dialogs behind buttons, the panel of a row,
 * the bar of selected rows and, on the dashboard, palette and keys. In English also the dialogs behind the items of a menu, and on a
 * phone: another language changes but the words.
 */
async function overlays(page: Page, role: Role, id: ScreenId, path: string, language: Language): Promise<void> {
  const shallow = language !== 'en'
  const home = id === 'dashboard' || id === 'dashboardOwn'
  for (const [width, scheme] of shallow
    ? ([[1440, 'light']] as const)
    : ([
        [1440, 'light'],
        [390, 'dark'],
      ] as const)) {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
    await page.setViewportSize({ width, height: HEIGHT })
    await settled(page)
    /** The page beneath was looked at as a whole before: here what lies over it, and whether the two are told apart. */
    const look = async (name: string) => {
      const within = await accessibilityFaults(page, undefined, (await page.locator(LAYERS).count()) > 0 ? '#layers' : 'main')
      const beside = await accessibilityFaults(page, ['landmark-unique', 'duplicate-id-aria'])
      await view(page, role, id, `${width}-${scheme}-${language}-${slug(name)}`, language, [...new Set([...within, ...beside])])
    }
    const back = async () => {
      await closeAll(page)
      const { pathname, search } = new URL(page.url())
      if (pathname + search === path) return
      if (pathname === path)
        await page.evaluate(
          `history.replaceState(history.state, '', ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent('popstate'))`,
        )
      else await follow(page, path).catch(() => page.goto(path))
      await settled(page)
    }
    const done = new Set<string>()
    /** The next of its kind that was not tried yet, told apart by its name without figures. */
    const untried = async (all: ReturnType<Page['locator']>) => {
      const labels = await all.evaluateAll((found) =>
        found.map((one) => {
          const header = one.closest('header') !== null && one.closest('main') === null
          const label = one.textContent?.trim() || (one.getAttribute('aria-label') ?? one.id)
          return (header ? 'header ' : '') + label.replaceAll(/\d+/g, '').trim().slice(0, 40)
        }),
      )
      const at = labels.findIndex((label) => !done.has(label) && (home || !label.startsWith('header ')))
      if (at < 0 || done.size >= 60) return undefined
      done.add(labels[at] ?? '')
      return { one: all.nth(at), label: labels[at] || String(at) }
    }

    const triggers = page.locator('main, header').locator('[aria-haspopup]:not([disabled]):visible')
    for (let next = await untried(triggers); next; next = await untried(triggers)) {
      const { one, label } = next
      if (!(await open(page, one))) {
        // a field for words of one's own has nothing to offer where there are none yet
        if ((await one.evaluate((element) => element.tagName)) === 'BUTTON')
          views.push({ role, screen: id, name: `${width}-${scheme}-${language}`, picture: '', faults: [`opens nothing: ${label}`] })
        continue
      }
      await look(label)
      const items = shallow ? 0 : Math.min(await page.locator('[role="menuitem"]:visible').count(), 12)
      await closeAll(page)
      for (let item = 0; item < items; item += 1) {
        if (!(await open(page, one))) break
        const entry = page.locator('[role="menuitem"]:visible').nth(item)
        const text = (await entry.textContent().catch(() => '')) ?? ''
        if (LEAVES.test(text)) continue
        await entry.click({ timeout: 2_000 }).catch(() => {})
        if (await dialogComes(page)) await look(`${label}-${text}`)
        await back()
      }
    }

    const buttons = page
      .locator('main')
      .locator('button:not(th button, [aria-haspopup], [disabled], [role], [aria-pressed], [type="submit"]):visible')
    for (let next = await untried(buttons); next && !shallow; next = await untried(buttons)) {
      if (LEAVES.test(next.label)) continue
      await next.one.click({ timeout: 1_000 }).catch(() => {})
      if (await dialogComes(page, 250)) await look(next.label)
      await back()
    }

    const panel = page.locator('main a[href*="click="], main a[href*="conversion="]').first()
    if ((await panel.count()) > 0) {
      await panel.click({ timeout: 2_000 }).catch(() => {})
      if (await dialogComes(page, 2_000)) {
        await settled(page)
        await look('panel')
      }
      await back()
    }
    const row = page.locator('main tbody input[type="checkbox"]:visible').first()
    if ((await row.count()) > 0) {
      await row.check({ timeout: 2_000 }).catch(() => {})
      await look('selected')
      await row.uncheck({ timeout: 2_000 }).catch(() => {})
    }
    if (home) {
      await page.keyboard.press('Control+k')
      if (await dialogComes(page, 2_000)) {
        await look('palette')
        await page.keyboard.type('an')
        await page
          .locator('[role="option"]:visible')
          .first()
          .waitFor({ timeout: 3_000 })
          .catch(() => {})
        await look('palette-found')
      }
      await back()
      await page.keyboard.press('?')
      if (await dialogComes(page, 2_000)) await look('keys')
      await back()
    }
  }
}

/** Whether a dialog opens within that many milliseconds. */
async function dialogComes(page: Page, within = 700): Promise<boolean> {
  return page
    .locator('[role="dialog"]:visible')
    .first()
    .waitFor({ timeout: within })
    .then(
      () => true,
      () => false,
    )
}

async function open(page: Page, trigger: ReturnType<Page['locator']>): Promise<boolean> {
  await closeAll(page)
  await trigger.click({ timeout: 2_000 }).catch(() => {})
  const shown = page.locator(LAYERS)
  return shown
    .first()
    .waitFor({ timeout: 1_500 })
    .then(
      () => true,
      () => false,
    )
}

async function closeAll(page: Page): Promise<void> {
  for (let times = 0; times < 4 && (await page.locator(LAYERS).count()) > 0; times += 1) {
    await page.keyboard.press('Escape')
    await page
      .locator(LAYERS)
      .first()
      .waitFor({ state: 'hidden', timeout: 500 })
      .catch(() => {})
  }
}

/** One look: what is broken, and a picture. */
async function view(page: Page, role: string, screen: ScreenId, name: string, language: Language, more: string[]): Promise<void> {
  const picture = join(asked.out, role.replace(' ', '-'), screen, `${name}.jpg`)
  mkdirSync(dirname(picture), { recursive: true })
  const faults = [...(await faultsOf(page, language)), ...more]
  await page.screenshot({ path: picture, type: 'jpeg', quality: 60 })
  views.push({ role, screen, name, picture, faults })
  if (faults.length > 0) console.log(`${role} ${screen} ${name}\n  ${faults.slice(0, 8).join('\n  ').slice(0, 900)}`)
}

async function signIn(page: Page, role: Role): Promise<void> {
  await page.goto('/login')
  await page.getByRole('textbox').first().fill(PEOPLE[role])
  await page.locator('input[type=password]').fill('ohma-demo')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/dashboard')
}

/** Waits until nothing on the page loads or moves any more. */
async function settled(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor()
  const loading = page.locator('[class*="Skeleton-root"]:visible, [aria-busy="true"]')
  for (let left = 100; left > 0 && !page.url().endsWith(SCREENS.ohmaGallery.path) && (await loading.count()) > 0; left -= 1)
    await page.waitForTimeout(50)
  await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(() => drawn(null))))')
}

/** The address of a screen about the thing another screen of the same list was reached for. */
function besides(id: ScreenId, known: ReadonlyMap<ScreenId, string>): string | undefined {
  const [, at] = [...known].find(([other]) => screenOf(other).parent === screenOf(id).parent) ?? []
  return at === undefined ? undefined : SCREENS[id].path.replace(/:\w+/, at.split('/').at(-1) ?? '')
}

function pattern(id: ScreenId): RegExp {
  return new RegExp(`^${SCREENS[id].path.replaceAll(/:\w+/g, '[0-9a-f-]{36}')}$`)
}

function slug(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\d]+/gu, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 30)
}

/** The page with all pictures, those with faults first, and what was found, once each. */
function report(): void {
  const broken = views.filter(({ faults }) => faults.length > 0)
  const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  const card = ({ role, screen, name, picture, faults }: View) => {
    const file = picture && relative(asked.out, picture)
    const shown = file && `<a href="${file}"><img loading="lazy" src="${file}"></a>`
    return `<figure>${shown}<figcaption><b>${role} ${screen}</b> ${name}<ul>${faults.map((fault) => `<li>${escape(fault)}`).join('')}</ul></figcaption></figure>`
  }
  const style =
    'body{font:13px sans-serif}main{display:flex;flex-wrap:wrap;gap:12px}figure{width:320px;margin:0}img{width:100%}li{color:#b00}'
  const ordered = [...broken, ...views.filter(({ faults }) => faults.length === 0)]
  mkdirSync(asked.out, { recursive: true })
  writeFileSync(
    join(asked.out, 'index.html'),
    `<!doctype html><meta charset=utf-8><title>Walk</title><style>${style}</style><main>${ordered.map(card).join('')}</main>`,
  )
  const kinds = new Map<string, string[]>()
  for (const { role, screen, name, faults } of broken)
    for (const fault of faults) kinds.set(`${screen}: ${fault}`, [...(kinds.get(`${screen}: ${fault}`) ?? []), `${role} ${name}`])
  writeFileSync(
    join(asked.out, 'faults.txt'),
    [...kinds].map(([fault, where]) => `${fault}\n    ${where.length} × e.g. ${where[0]}\n`).join(''),
  )
  console.log(`${views.length} views, ${broken.length} with faults, ${kinds.size} different: ${join(asked.out, 'index.html')}`)
  process.exitCode = broken.length > 0 ? 1 : 0
}
