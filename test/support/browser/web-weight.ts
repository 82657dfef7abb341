import type { Page } from 'playwright-core'

export type Fetched = { kind: 'page' | 'script' | 'style' | 'font' | 'picture' | 'api'; path: string; bytes: number }

/** What a page has fetched so far and how many bytes each answer had on the wire, compressed, without its headers. */
export async function fetchedBy(page: Page): Promise<Fetched[]> {
  const entries = (await page.evaluate(
    `[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')].map(({ name, encodedBodySize }) => [new URL(name).pathname, encodedBodySize])`,
  )) as [string, number][] // the expression above
  return entries.map(([path, bytes], index) => ({ kind: index === 0 ? 'page' : kindOf(path), path, bytes }))
}

/** The bytes of all of them together. */
export function totalOf(fetched: readonly Fetched[]): number {
  return fetched.reduce((sum, { bytes }) => sum + bytes, 0)
}

/** When the largest text or picture of the page was painted, in milliseconds since somebody asked for the page. */
export async function largestPaint(page: Page): Promise<number> {
  return page.evaluate<number>(
    `new Promise((resolve) => new PerformanceObserver((list) => resolve(list.getEntries().at(-1).startTime)).observe({ type: 'largest-contentful-paint', buffered: true }))`,
  )
}

function kindOf(path: string): Fetched['kind'] {
  if (path.startsWith('/api/')) return 'api'
  if (path.endsWith('.js')) return 'script'
  if (path.endsWith('.css')) return 'style'
  return path.endsWith('.woff2') ? 'font' : 'picture'
}
