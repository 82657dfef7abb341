import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { ROLES } from '#contract/access.ts'
import { screenOf, screensFor, SCREENS } from '#contract/screens.ts'
import { startPanel, type Panel } from '#test/support/panel.ts'

// A network nobody has put anything into yet, on a phone.
const PHONE = { viewport: { width: 390, height: 844 }, reducedMotion: 'reduce' as const }

let panel: Panel
beforeAll(async () => {
  panel = await startPanel({ clickhouse: true, at: new Date().toISOString() })
}, 180_000)
afterAll(() => panel.close())
afterEach(() => panel.closePages())

/** What stands on a page, once nothing is loading any more. */
async function settled(page: Page, path: string) {
  await page.locator('main h1').first().waitFor({ timeout: 30_000 })
  const loading = page.locator('[class*="Skeleton-root"], [aria-busy="true"], main [role="status"][aria-label]')
  // the gallery of parts shows skeletons for ever
  if (path !== SCREENS.ohmaGallery.path) await expect.poll(() => loading.count(), { timeout: 30_000 }).toBe(0)
  return {
    headings: await page.locator('h1').count(),
    notFound: await page.getByText('404', { exact: true }).count(),
    width: await page.evaluate('document.documentElement.scrollWidth'),
  }
}

test.each(ROLES)(
  'every screen of the role %s opens on a phone without a mistake',
  async (role) => {
    const person = { ...(await panel.api.as(role)), role }
    const paths = screensFor(role)
      .map(screenOf)
      .filter(({ area, path }) => area === 'panel' && !path.includes(':'))
      .map(({ path }) => path)
    const { page, problems } = await panel.open('about:blank', person, PHONE)
    const seen: Record<string, unknown> = {}
    for (const path of new Set(paths)) {
      await page.goto(path)
      seen[path] = { ...(await settled(page, path)), problems: problems.splice(0) }
    }
    const fine = { headings: 1, notFound: 0, width: 390, problems: [] }
    expect(seen).toEqual(Object.fromEntries(paths.map((path) => [path, fine])))
  },
  180_000,
)
