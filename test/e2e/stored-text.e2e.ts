import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Role } from '#contract/access.ts'
import { ticketApi } from '#contract/network/ticket.ts'
import { href, screenOf, screensFor, type ScreenId } from '#contract/screens.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { follow, startPanel, type Panel } from '#test/support/browser/panel.ts'
import { oneOfEverything } from '#test/support/make/one-of-everything.ts'

/** A page, a script and an address that is a script at once, however it is shown. */
const HOSTILE = `javascript:self.hit=1//"'><img src=x onerror="self.hit=1"><i data-stored>x</i>`

const TICKET = { subject: 'Where is my money?', body: 'It is late.', category: 'finance' } as const

/**
 * What columns that somebody writes are called. Rich text is not among them: the server sanitises it when it is
 * saved, which tests of its own prove; nor are addresses, which are held to http and https in both directions.
 */
const WRITTEN = /^(name|title|subject|body|notes?|reason|email|phone|company|website|device|label|comment)$/
/** Called so, and not written by people. */
const OURS = new Set(['migration.name', 'currency.name'])

let panel: Panel
beforeAll(async () => {
  panel = await startPanel({ clickhouse: true, at: new Date().toISOString() })
}, 180_000)
afterAll(() => panel.close())

/** Puts the hostile text into every text somebody may have written, as far as the database lets it in. */
async function writeEverywhere(db: Db): Promise<void> {
  const { rows } = await sql<{ table: string; name: string }>`
    select table_name as table, column_name as name from information_schema.columns
    where table_schema = 'public' and udt_name = 'text' and is_generated = 'NEVER'`.execute(db)
  for (const { table, name } of rows) {
    if (!WRITTEN.test(name) || OURS.has(`${table}.${name}`)) continue
    const text = sql`${HOSTILE}::text || ' ' || ctid::text`
    // what a check of the database refuses cannot be stored
    await sql`update ${sql.table(table)} set ${sql.ref(name)} = ${text} where ${sql.ref(name)} is not null`.execute(db).catch(() => {})
  }
  const contacts = JSON.stringify({ skype: 'javascript:self.hit=1//"><i data-stored>', telegram: HOSTILE, linkedin: HOSTILE })
  for (const table of ['affiliate', 'advertiser', 'manager'] as const)
    await sql`update ${sql.table(table)} set contacts = ${contacts}::jsonb`.execute(db)
}

const found = (page: Page) =>
  page.evaluate<string[]>(`[
    ...[...document.querySelectorAll('[data-stored], [onerror], a[href^="javascript:"]')].map((e) => e.outerHTML.slice(0, 200)),
    ...(self.hit === undefined ? [] : ['ran']),
  ]`)

test.each<[Role | undefined, number]>([
  ['admin', 14],
  ['affiliate', 7],
  [undefined, 0],
])(
  'what people wrote is shown to %s as the letters they typed, on every screen: on %i of them it stands at once',
  async (role, least) => {
    const { cookies, uuids } = await oneOfEverything(panel.api, role)
    const ticket = await (await panel.api.as('affiliate')).call(ticketApi.create, { body: { ...TICKET, key: randomUUID() } })
    const queries: Partial<Record<ScreenId, string>> = role === 'admin' ? { tickets: `?ticket=${ticket.data.uuid}` } : {}
    await writeEverywhere(panel.api.db)
    const { page, problems } = await panel.open('about:blank')
    await page.context().addCookies(cookies)
    const faults: Record<string, string[]> = {}
    let shown = 0
    let stands = ''
    for (const id of screensFor(role)) {
      const { area, redirect } = screenOf(id)
      if ((area === 'guest') !== (role === undefined)) continue
      const target = redirect === undefined ? id : (redirect as ScreenId) // the table names its own screens
      const path = href(id, { uuid: uuids[id] ?? '', token: uuids[id] ?? '' }, (message) => problems.push(message)) + (queries[id] ?? '')
      await (stands === '' || stands === target || area === 'guest' ? page.goto(path) : follow(page, path))
      stands = target
      await page.locator('main h1').first().waitFor()
      const loading = page.locator('[class*="Skeleton-root"], [aria-busy="true"], main [role="status"][aria-label]')
      if (id !== 'ohmaGallery') await expect.poll(() => loading.count()).toBe(0)
      const all = [...(await found(page)), ...problems.splice(0)]
      if (all.length > 0) faults[path] = all
      if (await page.getByText('data-stored').count()) shown++
    }
    expect(faults).toEqual({})
    expect(shown).toBeGreaterThanOrEqual(least)
  },
  120_000,
)
