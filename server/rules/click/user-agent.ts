import Bowser from 'bowser'
import { isbot } from 'isbot'

/** Device kinds that can be targeted; `bot` and `unknown` occur in statistics only. */
export const DEVICES = ['desktop', 'mobile', 'tablet', 'tv', 'bot', 'unknown'] as const
export type Device = (typeof DEVICES)[number]

/** Families of operating systems and browsers; everything else is `Other`, nothing at all is ''. */
export const OPERATING_SYSTEMS = [
  'Windows',
  'macOS',
  'iOS',
  'Android',
  'Linux',
  'Chrome OS',
  'HarmonyOS',
  'Tizen',
  'WebOS',
  'Roku',
  'PlayStation',
  'Windows Phone',
  'Other',
  '',
] as const
export const BROWSERS = [
  'Chrome',
  'Safari',
  'Edge',
  'Firefox',
  'Opera',
  'Samsung Internet',
  'Yandex Browser',
  'UC Browser',
  'Android Browser',
  'Internet Explorer',
  'Vivaldi',
  'Brave',
  'DuckDuckGo',
  'Chromium',
  'QQ Browser',
  'WeChat',
  'Sogou Browser',
  'Amazon Silk',
  'Google Search',
  'Facebook',
  'Instagram',
  'TikTok',
  'Telegram',
  'Electron',
  'Other',
  '',
] as const

export type UserAgentFacts = { device: Device; os: (typeof OPERATING_SYSTEMS)[number]; browser: (typeof BROWSERS)[number]; bot: boolean }

/** A User-Agent longer than this is cut before it is looked at and stored. */
export const MAX_USER_AGENT = 512

const OS_NAMES: Readonly<Record<string, string>> = { 'PlayStation 4': 'PlayStation', 'Chrome OS': 'Chrome OS', 'Roku OS': 'Roku' }
const BROWSER_NAMES: Readonly<Record<string, string>> = {
  'Microsoft Edge': 'Edge',
  'Samsung Internet for Android': 'Samsung Internet',
  'Opera Touch': 'Opera',
  'Opera Coast': 'Opera',
}

// In-app browsers look like Chrome or Safari; people who buy traffic need to tell them apart.
const IN_APP: readonly [RegExp, (typeof BROWSERS)[number]][] = [
  [/\bInstagram\b/, 'Instagram'],
  [/\bFBA[NV]\/|\bFB_IAB\b/, 'Facebook'],
  [/\bBytedanceWebview\b|musical_ly|\bTikTok\b/i, 'TikTok'],
  [/\bTelegram\b/, 'Telegram'],
]

/**
 * Programs that put their name behind that of a whole browser. isbot overlooks them there: it takes most names for a
 * program's only where nothing tells of a browser.
 */
const BEHIND_A_BROWSER =
  /\b(?:ChatGPT|Claude|MistralAI|Perplexity)-User\b|facebookcatalog|facebookexternalhit|lighthouse|meta-external|puppeteer|slurp|uptime/i

/** Families by a User-Agent string. Costs about 10 µs: callers keep the answers. */
export function describeUserAgent(userAgent: string): UserAgentFacts {
  const text = userAgent.slice(0, MAX_USER_AGENT)
  if (text.trim() === '') return { device: 'unknown', os: '', browser: '', bot: true }
  const parsed = Bowser.getParser(text).getResult()
  // Programs that fetch links without a person behind them: their clicks are redirected, stored with a flag and counted nowhere.
  // A `Mozilla/5.0` that names no machine is one: every browser says what it runs on.
  const bot = isbot(text) || BEHIND_A_BROWSER.test(text) || parsed.platform.type === 'bot'
  const inApp = IN_APP.find(([pattern]) => pattern.test(text))?.[1]
  return {
    device: bot ? 'bot' : readDevice(parsed.platform.type, text),
    os: family(OPERATING_SYSTEMS, OS_NAMES, parsed.os.name),
    browser: inApp ?? family(BROWSERS, BROWSER_NAMES, parsed.browser.name),
    bot,
  }
}

/** The first language of an Accept-Language header as two lower-case letters, '' when there is none. */
export function readLanguage(acceptLanguage: string): string {
  return /^\s*([a-z]{2})(?![a-z])/i.exec(acceptLanguage)?.[1]?.toLowerCase() ?? ''
}

function readDevice(type: string | undefined, text: string): Device {
  if (/smart-?tv|hbbtv|appletv|\bandroid tv\b|\bGoogleTV\b|\bBRAVIA\b|\bAFT[A-Z]{1,2}\b|\bRoku\b/i.test(text)) return 'tv'
  return DEVICES.find((device) => device === type) ?? 'unknown'
}

function family<Name extends string>(names: readonly Name[], aliases: Readonly<Record<string, string>>, name: string | undefined): Name {
  const wanted = name === undefined ? '' : (aliases[name] ?? name)
  const other = names.find((candidate) => candidate === 'Other')! // both lists hold it
  return names.find((candidate) => candidate === wanted) ?? other
}
