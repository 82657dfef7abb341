import { describe, expect, it } from 'vitest'
import { describeUserAgent, readLanguage } from '#server/rules/click/user-agent.ts'

describe('User-Agents', () => {
  it.each([
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36',
      'desktop',
      'Windows',
      'Chrome',
    ],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36 Edg/131.0.0.0',
      'desktop',
      'Windows',
      'Edge',
    ],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15',
      'desktop',
      'macOS',
      'Safari',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
      'mobile',
      'iOS',
      'Safari',
    ],
    [
      'Mozilla/5.0 (iPad; CPU OS 17_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.6 Mobile/15E148 Safari/604.1',
      'tablet',
      'iOS',
      'Safari',
    ],
    [
      'Mozilla/5.0 (Linux; Android 14; SM-S918B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/26.0 Chrome/122.0.0.0 Mobile Safari/537.36',
      'mobile',
      'Android',
      'Samsung Internet',
    ],
    ['Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0', 'desktop', 'Linux', 'Firefox'],
    [
      'Mozilla/5.0 (SMART-TV; Linux; Tizen 6.5) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/4.0 Chrome/85.0.4183.93 TV Safari/537.36',
      'tv',
      'Tizen',
      'Samsung Internet',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Instagram 334.0',
      'mobile',
      'iOS',
      'Instagram',
    ],
    [
      'Mozilla/5.0 (Linux; Android 13; CUBOT P80) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36',
      'mobile',
      'Android',
      'Chrome',
    ],
    ['Mozilla/5.0 (Windows NT 6.1; Trident/7.0; rv:11.0) like Gecko', 'desktop', 'Windows', 'Internet Explorer'],
    ['Opera/9.80 (Android; Opera Mini/7.6/191.340; U; en) Presto/2.12 Version/12.16', 'mobile', 'Android', 'Opera'],
  ])('%s', (text, device, os, browser) => {
    expect(describeUserAgent(text)).toEqual({ device, os, browser, bot: false })
  })

  it.each([
    'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
    'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
    'curl/8.5.0',
    'python-requests/2.32',
    'Slackbot-LinkExpanding 1.0',
    'TelegramBot (like TwitterBot)',
    'Mozilla/5.0 HeadlessChrome/131.0',
    'WhatsApp/2.23',
    'Uptime-Kuma/1.23.13',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36 Uptime-Kuma/2.0',
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Perplexity-User/1.0)',
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36; Claude-User/1.0',
    'Mozilla/5.0',
    'Mozilla/5.0 (compatible)',
    '',
    '   ',
  ])('without a person behind it: %j', (text) => {
    expect(describeUserAgent(text).bot).toBe(true)
  })

  it('that mean harm neither throw nor take long', () => {
    for (const text of ['a'.repeat(100_000), '('.repeat(5000), `Mozilla/5.0 (${'; '.repeat(4000)})`, '\ud800', 'Version/'.repeat(2000)]) {
      const started = performance.now()
      expect(describeUserAgent(text).device).toBeTypeOf('string')
      expect(performance.now() - started).toBeLessThan(100)
    }
  })

  it('come with a first language', () => {
    expect(['en-US,en;q=0.9', 'UK', 'fil-PH,en', '*', '', ' de', '1x'].map(readLanguage)).toEqual(['en', 'uk', '', '', '', 'de', ''])
  })
})
