import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Transformer } from '@napi-rs/image'
import type { Page } from 'playwright-core'
import { launchBrowser } from '#test/support/browser/chromium.ts'
import { startInstance } from '#test/support/run/instance.ts'

/**
 * `npm run guide:pictures`: takes the pictures of the guides in `docs/guide/` on a demo network, in English, light, at one size.
 * `--url http://…` takes them on one that runs.
 */
const TARGET = join(import.meta.dirname, '../../docs/images/guide')
const SIZE = { width: 1280, height: 800 }
const LARGEST_BYTES = 80 * 1024

/** Who sees what: the address, or how to get there from a list. */
const PICTURES: readonly { name: string; as: string; at: string; first?: RegExp }[] = [
  { name: 'admin-dashboard', as: 'admin', at: '/dashboard' },
  { name: 'admin-system', as: 'admin', at: '/test' },
  { name: 'admin-mail', as: 'admin', at: '/settings/smtp' },
  { name: 'admin-general', as: 'admin', at: '/settings/general' },
  { name: 'admin-domains', as: 'admin', at: '/settings/domains' },
  { name: 'head-registration', as: 'head', at: '/settings/registration' },
  { name: 'head-news', as: 'head', at: '/settings/news' },
  { name: 'head-postbacks', as: 'head', at: '/statistic/postbacks' },
  { name: 'head-landings', as: 'head', at: '/landings' },
  { name: 'manager-offers', as: 'manager', at: '/offers' },
  { name: 'manager-affiliates', as: 'manager', at: '/roles/affiliates' },
  { name: 'manager-tickets', as: 'manager', at: '/tickets' },
  { name: 'manager-conversions', as: 'manager', at: '/statistic/direct-link/conversion' },
  { name: 'lead-managers', as: 'team lead', at: '/roles/managers' },
  { name: 'lead-statistics', as: 'team lead', at: '/statistic/direct-link/general?group=affiliate' },
  { name: 'affiliate-dashboard', as: 'affiliate', at: '/dashboard' },
  { name: 'affiliate-offers', as: 'affiliate', at: '/offers/all' },
  { name: 'affiliate-offer', as: 'affiliate', at: '/offers/live', first: /\/offers\/direct-link\/detail\// },
  { name: 'affiliate-statistics', as: 'affiliate', at: '/statistic/direct-link/general' },
  { name: 'affiliate-postback', as: 'affiliate', at: '/settings/postback' },
]
const LOGINS: Readonly<Record<string, string>> = {
  admin: 'admin@ohma.example',
  head: 'head@ohma.example',
  manager: 'manager@ohma.example',
  'team lead': 'lead@ohma.example',
  affiliate: 'affiliate@partners.example',
}

const at = process.argv.indexOf('--url')
const running = at < 0 ? await startDemo() : { url: process.argv[at + 1] ?? '', stop: async () => {} }
const browser = await launchBrowser()
mkdirSync(TARGET, { recursive: true })
try {
  for (const role of new Set(PICTURES.map(({ as }) => as))) await takeAs(role)
} finally {
  await browser.close()
  await running.stop()
}

async function takeAs(role: string): Promise<void> {
  const context = await browser.newContext({ baseURL: running.url, viewport: SIZE, colorScheme: 'light', reducedMotion: 'reduce' })
  const page = await context.newPage()
  await page.goto('/login')
  await page.locator('input[name=email]').fill(LOGINS[role] ?? '')
  await page.locator('input[name=password]').fill('ohma-demo')
  await page.locator('button[type=submit]').click()
  await page.waitForURL(({ pathname }) => pathname !== '/login')
  for (const { name, at: address, first } of PICTURES.filter(({ as }) => as === role)) {
    await page.goto(address)
    await settled(page)
    if (first) {
      const links = await page.locator('main a').evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''))
      await page.goto(links.find((link) => first.test(link)) ?? address)
      await settled(page)
    }
    const bytes = await small(await page.screenshot({ type: 'png' }))
    writeFileSync(join(TARGET, `${name}.webp`), bytes)
    console.log(`${name}.webp ${Math.round(bytes.length / 1024)} KB`)
  }
  await context.close()
}

/** Tickets keep a stream open: the page is never quite silent. */
async function settled(page: Page): Promise<void> {
  await page.locator('main h1').first().waitFor()
  await page.waitForLoadState('networkidle', { timeout: 4_000 }).catch(() => {})
}

/** As good as fits. */
async function small(png: Buffer): Promise<Buffer> {
  for (const quality of [80, 65, 50, 35]) {
    const bytes = await new Transformer(png).webp(quality)
    if (bytes.length < LARGEST_BYTES) return bytes
  }
  throw new Error('a picture of the guides is too large')
}

async function startDemo(): Promise<{ url: string; stop(): Promise<void> }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'ohma-guide-'))
  const instance = await startInstance({ dataDir, env: { DEMO: '1' } })
  await instance.printed(/ready at/, 180_000)
  return {
    url: `http://127.0.0.1:${instance.port}`,
    async stop() {
      instance.signal('SIGTERM')
      await instance.exited
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
