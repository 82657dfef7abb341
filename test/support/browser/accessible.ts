import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/**
 * Expects that axe finds no accessibility fault on the page as it stands. The panel has no frames, so axe need not open
 * a page of its own to put their results together, and only what it objects to is described.
 */
export async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page })
    .setLegacyMode()
    .options({ resultTypes: ['violations'], preload: false })
    .analyze()
  expect(violations.map(({ id, nodes }) => `${page.url()} ${id}: ${nodes.map((node) => node.html).join(' ')}`)).toEqual([])
}
