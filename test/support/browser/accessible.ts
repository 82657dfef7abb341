import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/**
 * Expects that axe finds no accessibility fault on the page as it stands. The panel has no frames, so axe need not open
 * a page of its own to put their results together, and only what it objects to is described. With `rules`, those alone are looked at.
 */
export async function expectAccessible(page: Page, rules?: string[]): Promise<void> {
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'], preload: false })
  const { violations } = await (rules === undefined ? axe : axe.withRules(rules)).analyze()
  expect(violations.map(({ id, nodes }) => `${page.url()} ${id}: ${nodes.map((node) => node.html).join(' ')}`)).toEqual([])
}

/** Expects the same of the page in the light scheme and, where only colours differ, in the dark one. The page is light again afterwards. */
export async function expectAccessibleInBothSchemes(page: Page): Promise<void> {
  await expectAccessible(page)
  await show(page, 'dark')
  await expectAccessible(page, ['color-contrast', 'link-in-text-block'])
  await show(page, 'light')
}

/** Changes the scheme, and waits until it is drawn: half-way colours are nobody's fault. */
async function show(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme })
  await expect.poll(() => page.evaluate('document.documentElement.dataset.mantineColorScheme')).toBe(colorScheme)
  await page.evaluate(`new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))
    .then(() => Promise.allSettled(document.getAnimations().map(({ finished }) => finished)))`)
}
