import type { Page } from 'playwright-core'

/** The window of a phone. */
export const PHONE = { width: 390, height: 844 }

/**
 * What stands in the tables of the page, or of the dialog that is `within` it, and out of the window or of its own cell, where somebody
 * would have to scroll sideways to read it; `no table` where there is none.
 */
export function cutOff(page: Page, within: 'main' | '[role=dialog]' = 'main'): Promise<string[]> {
  return page.evaluate<string[]>(`(() => {
    const shown = [...document.querySelectorAll('${within} table :is(td, th)')].filter((one) => one.checkVisibility() && one.closest('thead') === null)
    const out = shown.filter((one) => one.getBoundingClientRect().right > innerWidth || one.scrollWidth > one.clientWidth + 1)
    return [...out.map((one) => one.textContent), ...(shown.length === 0 ? ['no table'] : [])]
  })()`)
}
