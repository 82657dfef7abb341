import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '#server/platform/config.ts'
import { instanceMark, MARK_PATH } from '#server/platform/instance-mark.ts'
import { expectAccessible } from '#test/support/browser/accessible.ts'
import { startPanel, type Panel } from '#test/support/browser/panel.ts'
import { makeAdvertiser } from '#test/support/make/factories.ts'
import { makeOffer } from '#test/support/make/offers.ts'

/** Where the domains lead: a tracker of this network, as far as a look can tell. */
let site: Server
let panel: Panel
beforeAll(async () => {
  const mark = instanceMark(readConfig({}, 'test').secretKey)
  site = createServer((request, response) => response.end(request.url === MARK_PATH ? mark : ''))
  await new Promise<void>((done) => site.listen(0, '127.0.0.1', done))
  const { port } = site.address() as AddressInfo // a TCP server has one
  const OUTBOUND_ALLOW = `first.links.org:${port} second.links.org:${port}`
  panel = await startPanel({
    env: { TRACKING_URL: `http://127.0.0.1:${port}`, OUTBOUND_ALLOW },
    names: { resolve: async () => [{ address: '127.0.0.1', family: 4 }], resolveTxt: async () => [] },
  })
}, 180_000)
afterAll(async () => {
  await panel.close()
  site.close()
})

test('a domain is added, verified and made the default; an affiliate’s link begins with it, and once it is burnt with the next', async () => {
  const { api } = panel
  const caller = await api.as('admin')
  const admin = { ...caller, role: 'admin' }
  const affiliate = { ...(await api.as('affiliate')), role: 'affiliate' }
  const offer = await makeOffer(caller, (await makeAdvertiser(api.db)).uuid)

  const { page, problems } = await panel.open('/settings/domains', admin)
  const certificate = page.getByRole('dialog', { name: 'Add domain' }).getByRole('combobox', { name: 'Certificate' })
  // a server that gets no certificates offers none; one that does begins with its own
  await page.getByRole('button', { name: 'Add domain' }).first().click()
  await page.getByText('Certificates are held by what stands in front of this server').waitFor()
  expect(await certificate.count()).toBe(0)
  await page.route('**/api/setting/v1/runtime', async (route) => {
    const response = await route.fetch()
    const envelope = await response.json()
    await route.fulfill({ response, json: { ...envelope, data: { ...envelope.data, acme: true } } })
  })
  await page.reload()
  await page.getByRole('button', { name: 'Add domain' }).first().click()
  expect(await certificate.inputValue()).toBe('By ACME, from this server')
  await page.unrouteAll()
  await page.reload()

  const add = async (host: string) => {
    await page.getByRole('button', { name: 'Add domain' }).first().click()
    const form = page.getByRole('dialog', { name: 'Add domain' })
    await form.getByLabel('Host').fill(host)
    await form.getByRole('button', { name: 'Add domain' }).click()
    const opened = page.getByRole('dialog', { name: host.toLowerCase() })
    await opened.getByText('Verify this domain').waitFor()
    await opened.getByRole('button', { name: 'Look now' }).click()
    await opened.getByText('Verified', { exact: true }).waitFor()
    return opened
  }
  const first = await add('First.links.org')
  await first.getByText('This network answers').waitFor()
  await first.getByRole('button', { name: 'Make default' }).click()
  await first.getByText('Tracking · Behind my proxy · Default').waitFor()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await add('second.links.org')
  await page.keyboard.press('Escape')

  const own = await panel.open(`/offers/direct-link/detail/${offer.uuid}`, affiliate)
  await expect.poll(() => own.page.getByLabel('Link', { exact: true }).inputValue()).toContain('http://first.links.org:')

  await page.getByRole('link', { name: 'first.links.org' }).first().click()
  await first.getByRole('button', { name: 'Burn' }).click()
  const burn = page.getByRole('dialog', { name: 'Burn first.links.org?' })
  await burn.getByLabel('Why').fill('Flagged by an advertising network')
  await burn.getByText('second.links.org').or(burn.locator('input[value="second.links.org"]')).first().waitFor()
  await burn.getByRole('button', { name: 'Burn' }).click()
  await first.getByText('Burnt', { exact: true }).first().waitFor()

  await own.page.reload()
  await expect.poll(() => own.page.getByLabel('Link', { exact: true }).inputValue()).toContain('http://second.links.org:')
  expect([...problems, ...own.problems]).toEqual([])
})
