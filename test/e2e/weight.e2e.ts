import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { startPanel, type Panel } from '#test/support/browser/panel.ts'
import { fetchedBy, totalOf, type Fetched } from '#test/support/browser/web-weight.ts'

const KB = 1024

let panel: Panel

beforeAll(async () => {
  panel = await startPanel({ clickhouse: true, at: new Date().toISOString() })
})
afterAll(() => panel.close())
afterEach(() => panel.closePages())

/** What sign-in fetches in a language, until nothing more comes. */
async function signInIn(language: 'en' | 'uk', button: string): Promise<Fetched[]> {
  const { page } = await panel.open('/login', undefined, { cold: true })
  if (language === 'uk') {
    // an address without scripts, so that nothing of the page is in the cache yet
    await page.goto('/favicon.svg')
    await page.evaluate(`localStorage.setItem('ohma.language', 'uk')`)
    const cold = await page.context().newCDPSession(page)
    await cold.send('Network.setCacheDisabled', { cacheDisabled: true })
    await page.goto('/login')
  }
  await page.getByRole('button', { name: button }).waitFor()
  await page.waitForLoadState('networkidle')
  return fetchedBy(page)
}

test('sign-in fetches less than 200 KB in all', async () => {
  const fetched = await signInIn('en', 'Log in')
  expect(fetched.some(({ kind }) => kind === 'font')).toBe(true)
  expect(totalOf(fetched), JSON.stringify(fetched, undefined, 1)).toBeLessThan(200 * KB)
})

test('sign-in in Ukrainian fetches its letters and words on top, less than 215 KB in all', async () => {
  const fetched = await signInIn('uk', 'Увійти')
  expect(fetched.filter(({ kind }) => kind === 'font')).toHaveLength(2)
  expect(totalOf(fetched), JSON.stringify(fetched, undefined, 1)).toBeLessThan(215 * KB)
})

test('the first screen of the panel fetches less than 450 KB in all, its chart included', async () => {
  const { page } = await panel.open('/dashboard', { ...(await panel.api.as('admin')), role: 'admin' }, { cold: true })
  await page.getByRole('region', { name: 'Last 30 days', exact: true }).getByRole('img').locator('canvas').waitFor()
  await page.waitForLoadState('networkidle')
  const fetched = await fetchedBy(page)
  expect(totalOf(fetched), JSON.stringify(fetched, undefined, 1)).toBeLessThan(450 * KB)
})
