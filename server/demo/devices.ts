import { describeUserAgent, type UserAgentFacts } from '#server/rules/click/user-agent.ts'

export type DemoDevice = {
  number: number
  userAgent: string
  facts: UserAgentFacts
  /** What Chrome tells beside it. */
  hints: string
}

const chrome = (system: string, version: number, mobile = false) =>
  `Mozilla/5.0 (${system}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version}.0.0.0 ${mobile ? 'Mobile ' : ''}Safari/537.36`
const iphone = (ios: string, safari: string) =>
  `Mozilla/5.0 (iPhone; CPU iPhone OS ${ios} like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/${safari} Mobile/15E148 Safari/604.1`

/** User-Agents as people bring them, by how common they are. Recent Chrome hides the Android version and model. */
const COMMON: readonly (readonly [string, number])[] = [
  ...[148, 149, 150].map((version) => [chrome('Linux; Android 10; K', version, true), 10] as const),
  [iphone('18_6', '18.6'), 9],
  [iphone('18_5', '18.5'), 6],
  [iphone('17_7', '17.7'), 3],
  ...[149, 150].map((version) => [chrome('Windows NT 10.0; Win64; x64', version), 9] as const),
  [chrome('Macintosh; Intel Mac OS X 10_15_7', 150), 4],
  [`${chrome('Windows NT 10.0; Win64; x64', 150)} Edg/150.0.0.0`, 4],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Safari/605.1.15', 4],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:142.0) Gecko/20100101 Firefox/142.0', 3],
  [
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36',
    4,
  ],
  [`${chrome('Windows NT 10.0; Win64; x64', 149)} OPR/118.0.0.0`, 2],
  ['Mozilla/5.0 (iPad; CPU OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1', 2],
  ['Mozilla/5.0 (Linux; Android 14; SM-X210) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/149.0.0.0 Safari/537.36', 1],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0', 1],
  [
    'Mozilla/5.0 (SMART-TV; Linux; Tizen 7.0) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/4.0 Chrome/94.0.4606.31 TV Safari/537.36',
    0.4,
  ],
]

const BOTS = [
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
  'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)',
]

/** Devices of people with their weights, read by the product's own rules. */
export const DEVICES: readonly (readonly [DemoDevice, number])[] = COMMON.map(([userAgent, weight]) => [described(userAgent), weight])
export const BOT_DEVICES: readonly DemoDevice[] = BOTS.map(described)

function described(userAgent: string): DemoDevice {
  const facts = describeUserAgent(userAgent)
  const number = [...COMMON.map(([common]) => common), ...BOTS].indexOf(userAgent)
  const chrome = /Chrome\/(\d+)/.exec(userAgent)?.[1]
  const isTold = chrome !== undefined && !facts.bot
  const brands = `"Chromium";v="${chrome}", "Google Chrome";v="${chrome}", "Not?A_Brand";v="99"`
  return { number, userAgent, facts, hints: isTold ? `${brands}|${facts.device === 'mobile' ? '?1' : '?0'}|"${facts.os}"` : '' }
}
