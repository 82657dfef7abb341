import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Role } from '#contract/access.ts'
import { ticketApi } from '#contract/network/ticket.ts'
import { href, screenOf, screensFor, type ScreenId } from '#contract/screens.ts'
import { follow, startPanel, type Panel } from '#test/support/browser/panel.ts'
import { oneOfEverything } from '#test/support/make/one-of-everything.ts'
import { poison } from '#test/support/make/poison.ts'

const TICKET = { subject: 'Where is my money?', body: 'It is late.', category: 'finance' } as const

const OURS = 'a word of ours: no contract lets another in'
const ADDRESS = 'held to http and https in both directions'
const RICH = 'rich text is sanitised when it is saved, which has tests of its own'

/** Columns people cannot write, or not so, each with why; everything else that can hold text is poisoned, new columns by themselves. */
const EXCEPT: Readonly<Record<string, string>> = {
  '*.currency': OURS,
  '*.language': OURS,
  '*.time_zone': OURS,
  '*.allowed_ips': 'networks',
  '*.geos': 'two letters of a country',
  '*.devices': OURS,
  '*.oses': OURS,
  'news.roles': OURS,
  'notification.status': OURS,
  'affiliate.website': ADDRESS,
  'offer.preview_url': ADDRESS,
  'migration.name': 'ours',
  'migration.checksum': 'ours',
  'audit.action': OURS,
  'audit.entity': OURS,
  'audit.entity_id': 'the number of a row',
  'advertiser.postback_words.status': OURS,
  'advertiser.company.country': OURS,
  'conversion.click_id': 'our own id',
  'conversion.rule': 'amounts',
  'conversion.geo': 'looked up by us',
  'conversion.device': 'told by us from the user agent',
  'conversion.os': 'told by us from the user agent',
  'conversion.browser': 'told by us from the user agent',
  'conversion.lang': 'two letters, cut by the tracker',
  'conversion_history.to_status': OURS,
  'conversion_history.from_status': OURS,
  'conversion_history.origin': OURS,
  'integration.type': OURS,
  'api_offer.consent': 'as the contract reads it',
  'api_offer.integration_type': OURS,
  'offer_group.strategy': OURS,
  'offer_member.terms': 'as the contract reads it',
  'integration_version.spec': 'as the contract reads it: its names, words and lengths',
  'cold_rule_version.settings': 'as the contract reads it',
  'recold.schedule': 'as the contract reads it',
  'recold.pacing': 'as the contract reads it',
  'recold.data': 'as the contract reads it',
  'recold.skip': 'as the contract reads it',
  'recold.pause_reason': OURS,
  'conversion_history.body': 'what the chain is reckoned over',
  'currency.name': 'comes with us',
  'landing.url': ADDRESS,
  'offer.tracking_url': ADDRESS,
  'offer.trafficback_url': ADDRESS,
  'landing.language': OURS,
  'ledger_transfer.kind': OURS,
  'ledger_transfer.key': 'the id of what it books',
  'news.texts.body': RICH,
  'notification.once': 'nobody reads it',
  'offer.caps': OURS,
  'offer.description': RICH,
  'offer.targeting': 'words of ours, and places that are looked up when it is saved',
  'offer.deep_link_hosts': 'hosts, as the contract knows them',
  'goal.code': 'lower-case letters, digits, - and _: the contract lets nothing else in',
  'offer.kpi': RICH,
  'outbox.fact': 'on its way to the statistics',
  'postback_in.request_key': 'our own id',
  'postback_in.method': OURS,
  'postback_in.click_id': 'our own id',
  'postback_in.answer': 'ours',
}

let panel: Panel
beforeAll(async () => {
  panel = await startPanel({ clickhouse: true, at: new Date().toISOString() })
}, 300_000)
afterAll(() => panel.close())

const found = (page: Page) =>
  page.evaluate<string[]>(`[
    ...[...document.querySelectorAll('[data-stored], [onerror], a[href^="javascript:"]')].map((e) => e.outerHTML.slice(0, 200)),
    ...(self.hit === undefined ? [] : ['ran']),
  ]`)

test.each<[Role | undefined, number]>([
  ['admin', 24],
  ['affiliate', 11],
  [undefined, 0],
])(
  'what people wrote is shown to %s as the letters they typed, on every screen: on %i of them it stands at once',
  async (role, least) => {
    const { cookies, uuids } = await oneOfEverything(panel.api, role)
    const ticket = await (await panel.api.as('affiliate')).call(ticketApi.create, { body: { ...TICKET, key: randomUUID() } })
    const queries: Partial<Record<ScreenId, string>> = role === 'admin' ? { tickets: `?ticket=${ticket.data.uuid}` } : {}
    const { poisoned, unused } = await poison(panel.api.db, EXCEPT)
    expect(unused).toEqual([])
    // of what the makers of rows fill
    expect(poisoned.length).toBeGreaterThan(60)

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
  400_000,
)
