import { afterAll, beforeAll, expect, test } from 'vitest'
import { leadApi } from '#contract/leads/lead.ts'
import { personApi } from '#contract/leads/person.ts'
import { suppressionApi } from '#contract/leads/suppression.ts'
import { makeAdvertiser } from '#test/support/make/factories.ts'
import { leadOf, makeLeadOffer } from '#test/support/make/leads.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'

let api: TestApi
let admin: Caller
beforeAll(async () => {
  api = await startApi()
  admin = await api.as('admin')
})
afterAll(() => api.close())

test('a person opts out by a link of their own: looking changes nothing, confirming twice changes it once, no data is shown', async () => {
  const affiliate = await api.as('affiliate')
  const offer = await makeLeadOffer(api.db, admin, (await makeAdvertiser(api.db)).uuid, [])
  const body = leadOf(offer.uuid, { email: 'leave.me@mail.example', phone: '+393337651111' })
  await affiliate.call(leadApi.send, { body })
  const [found] = (await admin.call(personApi.find, { body: { search: 'leave.me@mail.example' } })).data.list
  const { opt_out_url: link } = (await admin.call(personApi.get, { params: { uuid: found?.uuid ?? '' } })).data
  const path = new URL(link).pathname
  expect(path).toMatch(/^\/opt-out\/[\w-]{46}$/)
  const ask = (method: string, to = path) => fetch(`${api.url}${to}`, { method, headers: { 'accept-language': 'uk' } })
  const list = async () => (await admin.call(suppressionApi.list, { body: { source: ['link'] } })).data.list
  const page = await ask('GET')
  const html = await page.text()
  expect([page.status, html.includes('Підтвердити'), /leave|765/.test(html)]).toEqual([200, true, false])
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(await list()).toEqual([])
  const answers = await Promise.all([ask('POST'), ask('POST')])
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  expect((await list()).map(({ kind, reason }) => `${kind} ${reason}`).toSorted()).toEqual(['email opt_out', 'phone opt_out'])
  const again = await affiliate.call(leadApi.send, { body: { ...body, external_id: 'second' } })
  expect(again.data.reason).toBe('suppressed')
  expect((await ask('POST', `${path.slice(0, -1)}${path.endsWith('A') ? 'B' : 'A'}`)).status).toBe(404)
  const tries = await Promise.all(Array.from({ length: 80 }, () => ask('GET')))
  expect(tries.some(({ status }) => status === 429)).toBe(true)
})
