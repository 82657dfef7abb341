import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { launchBrowser } from '#test/support/browser/chromium.ts'

test('the bundled browser opens a page and draws Cyrillic text', async () => {
  const server = createServer((_request, response) =>
    response.setHeader('content-type', 'text/html; charset=utf-8').end('<title>Охма</title><p>Їжак</p>'),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const browser = await launchBrowser()
  try {
    const page = await browser.newPage()
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`) // listens on TCP
    expect(await page.title()).toBe('Охма')
    expect(await page.getByText('Їжак').isVisible()).toBe(true)
  } finally {
    await browser.close()
    server.close()
  }
})
