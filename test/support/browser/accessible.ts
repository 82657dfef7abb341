import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

const require = createRequire(import.meta.url)
const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8')

/**
 * Expects that axe finds no accessibility fault on the page as it stands. The panel has no frames, so axe runs in the page
 * itself, where it stays until the next load, and only what it objects to is described. With `rules`, those alone are looked at.
 */
export async function expectAccessible(page: Page, rules?: string[]): Promise<void> {
  expect(await accessibilityFaults(page, rules), page.url()).toEqual([])
}

/** What axe objects to on the page as it stands, by rule; `within` a selector only where that is looked at. */
export async function accessibilityFaults(page: Page, rules?: string[], within?: string): Promise<string[]> {
  const runOnly = rules && { type: 'rule', values: rules }
  const options = JSON.stringify({ resultTypes: ['violations'], preload: false, runOnly })
  await page.evaluate(DRAWN)
  if (!(await page.evaluate<boolean>(`'axe' in window`))) await page.evaluate(AXE)
  return page.evaluate<string[]>(`axe.run(${within === undefined ? 'document' : JSON.stringify(within)}, ${options})
    .then(({ violations }) => violations
      // the arrow keys walk a menu and a list of options, and what they come to is scrolled to
      .map(({ id, nodes }) => ({ id, nodes: nodes.filter(({ html }) => id !== 'scrollable-region-focusable' || !/role="(menu|listbox)"/.test(html)) }))
      .filter(({ nodes }) => nodes.length > 0)
      .map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ')))`)
}

/** Expects the same of the page in the light scheme and, where only colours differ, in the dark one. The page is light again afterwards. */
export async function expectAccessibleInBothSchemes(page: Page): Promise<void> {
  await expectAccessible(page)
  await show(page, 'dark')
  await expectAccessible(page, ['color-contrast', 'link-in-text-block'])
  await show(page, 'light')
}

/** Half-way colours are nobody's fault; what turns for ever never ends. */
const DRAWN = `new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))).then(() =>
  Promise.allSettled(
    document.getAnimations().filter(({ effect }) => effect.getComputedTiming().endTime !== Infinity).map(({ finished }) => finished),
  ).then(() => null),
)`

/** Changes the scheme, and waits until the page knows. */
async function show(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme })
  await expect.poll(() => page.evaluate('document.documentElement.dataset.mantineColorScheme')).toBe(colorScheme)
}
