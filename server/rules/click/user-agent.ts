import Bowser from 'bowser'
import { isProgram } from './bot.ts'
import { readDevice, type Device } from './device-kind.ts'
import { readMachine } from './machine.ts'

export { DEVICES, type Device } from './device-kind.ts'

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

/** What a User-Agent tells; every text is '' where it tells nothing. */
export type UserAgentFacts = {
  device: Device
  os: (typeof OPERATING_SYSTEMS)[number]
  /** One or two numbers: '17.5'; of Windows the name people know: '10', '8.1', 'XP'. What browsers freeze stays as told. */
  os_version: string
  browser: (typeof BROWSERS)[number]
  browser_version: string
  /** At most 40 characters of printable ASCII without `\`, and so is the model. */
  brand: string
  model: string
  bot: boolean
}

/** A User-Agent longer than this is cut before it is looked at and stored. */
export const MAX_USER_AGENT = 512

const BROWSER_NAMES: Readonly<Record<string, string>> = {
  'Microsoft Edge': 'Edge',
  'Samsung Internet for Android': 'Samsung Internet',
  'Opera Touch': 'Opera',
  'Opera Coast': 'Opera',
}

// In-app browsers look like Chrome or Safari; people who buy traffic need to tell them apart. The second pattern tells their version.
const IN_APP: readonly (readonly [RegExp, (typeof BROWSERS)[number], RegExp])[] = [
  [/\bInstagram\b/, 'Instagram', /\bInstagram[ /]([\d.]+)/],
  [/\bFBA[NV]\/|\bFB_IAB\b/, 'Facebook', /\bFBAV\/([\d.]+)/],
  [/\bBytedanceWebview\b|musical_ly|\bTikTok\b/i, 'TikTok', /\b(?:musical_ly_|app_version\/|TikTok[ /])([\d.]+)/],
  [/\bTelegram\b/, 'Telegram', /\bTelegram[\w-]*[ /]([\d.]+)/],
  [/\bYaSearchBrowser\/|\bYandexSearch\//, 'Yandex Browser', /\b(?:YaSearchBrowser|YandexSearch)\/([\d.]+)/],
  [/\b(?:DuckDuckGo|Ddg)\//, 'DuckDuckGo', /\b(?:DuckDuckGo|Ddg)\/([\d.]+)/],
]
/** Browsers whose version stands elsewhere than where the parser looks. */
const OWN_VERSION: Readonly<Partial<Record<(typeof BROWSERS)[number], RegExp>>> = {
  'UC Browser': /\bUC ?(?:Browser|Mini|Turbo)\/([\d.]+)/,
  'Samsung Internet': /\bSamsungBrowser\/([\d.]+)/,
}

/** What a User-Agent string tells. Costs about 60 µs: callers keep the answers. */
export function describeUserAgent(userAgent: string): UserAgentFacts {
  const text = userAgent.slice(0, MAX_USER_AGENT)
  if (text.trim() === '') return { ...NOTHING_TOLD, bot: true }
  const parsed = Bowser.getParser(text).getResult()
  const bot = isProgram(text)
  const machine = readMachine(text)
  const device = bot ? 'bot' : readDevice(text, machine.model)
  return { device, ...readSystem(text, device, parsed.os), ...readBrowser(text, parsed.browser), ...machine, bot }
}

function readBrowser(text: string, told: { name?: string; version?: string }): Pick<UserAgentFacts, 'browser' | 'browser_version'> {
  const inApp = IN_APP.find(([pattern]) => pattern.test(text))
  if (inApp !== undefined) return { browser: inApp[1], browser_version: numbers(inApp[2].exec(text)?.[1]) }
  const browser = family(BROWSERS, told.name && (BROWSER_NAMES[told.name] ?? told.name))
  return { browser, browser_version: isNamed(browser) ? numbers(OWN_VERSION[browser]?.exec(text)?.[1] ?? told.version) : '' }
}

// Versions that browsers have stopped telling: what stands there is the same on all later systems. Windows 11 calls itself
// 10 too, which is written as both; since iOS 26 the version stands at Safari's name alone.
const FROZEN_ANDROID = /\(Linux; Android 10; K\)/
const FROZEN_MACOS = /\bMac OS X 10[._]15(?!\d)/
const SAFARI_OF_26 = /\bVersion\/((?:2[6-9]|[3-9]\d)\.\d+)/

function readSystem(
  text: string,
  device: Device,
  told: { name?: string; version?: string; versionName?: string },
): Pick<UserAgentFacts, 'os' | 'os_version'> {
  const android = told.name === 'Windows Phone' ? null : /(?<!like )\b(?:Android|Andr0id|Adr)\b(?:[ /-]([\d.]+))?/i.exec(text)
  if (/PlayStation/i.test(text))
    return { os: 'PlayStation', os_version: numbers(/PlayStation(?:; PlayStation)? \w+[ /]([\d.]+)/.exec(text)?.[1]) }
  // Some Android machines name an iPhone or an iPad beside themselves, some their system in words of their own.
  if (android !== null && told.name !== 'HarmonyOS' && told.name !== 'Tizen')
    return { os: 'Android', os_version: FROZEN_ANDROID.test(text) ? '' : numbers(android[1] ?? told.version) }
  if (told.name === undefined) return readPlainSystem(text, device)
  if (told.name === 'Roku OS') return { os: 'Roku', os_version: numbers(told.version) }
  if (told.name === 'Windows')
    return {
      os: 'Windows',
      os_version: told.versionName === '10' ? '10/11' : (told.versionName ?? /\bWindows (95|98|ME|2000|XP|Vista)\b/i.exec(text)?.[1] ?? ''),
    }
  if (told.name === 'macOS' && FROZEN_MACOS.test(text)) return { os: 'macOS', os_version: '' }
  const frozen = told.name === 'iOS' ? SAFARI_OF_26.exec(text)?.[1] : undefined
  if (frozen !== undefined) return { os: 'iOS', os_version: numbers(frozen) }
  const version = told.name === 'iOS' && told.version === '' ? /\b(?:iOS|iPhone OS|iPadOS)[ /]([\d._]+)/.exec(text)?.[1] : told.version
  const os = family(OPERATING_SYSTEMS, told.name)
  return { os, os_version: isNamed(os) ? numbers(version?.replaceAll('_', '.')) : '' }
}

/** Versions of this and that under one name would say nothing. */
const isNamed = (family: string) => family !== '' && family !== 'Other'

/** What apps tell that do not speak as browsers do. */
function readPlainSystem(text: string, device: Device): Pick<UserAgentFacts, 'os' | 'os_version'> {
  const ios = /\b(?:iOS|iPhone OS|iPadOS)[ /,]([\d.]+)/.exec(text)?.[1]
  if (device === 'mobile' || device === 'tablet') {
    if (ios !== undefined || /\bCFNetwork\/|\biPhone|\biPad|\biPod/.test(text)) return { os: 'iOS', os_version: numbers(ios) }
  }
  if (/\bDarwin\/|\bMac ?OS\b|\bmacOS\b|\bMac_PowerPC\b|\bMacBook|\biMac/.test(text))
    return { os: device === 'desktop' ? 'macOS' : 'Other', os_version: '' }
  if (/\bWindows\b|\bWin(?:NT|9x|98|95|32|64|7|8|10|11)\b/i.test(text)) return { os: 'Windows', os_version: '' }
  const facebook = /\bFBAN\/FB4A\b(?:.*\bFBSV\/([\d.]+))?/.exec(text)
  if (facebook !== null) return { os: 'Android', os_version: numbers(facebook[1]) }
  if (/\bRoku/.test(text)) return { os: 'Roku', os_version: '' }
  if (/^(?:Amazon;|smarttv_)AFT/.test(text)) return { os: 'Android', os_version: '' }
  return { os: device === 'bot' || device === 'unknown' ? '' : 'Other', os_version: '' }
}

/** Of a request without a User-Agent. */
export const NOTHING_TOLD: UserAgentFacts = {
  device: 'unknown',
  os: '',
  os_version: '',
  browser: '',
  browser_version: '',
  brand: '',
  model: '',
  bot: false,
}

/** The first two numbers of a version. */
function numbers(version: string | undefined): string {
  return /^\d{1,5}(?!\d)(?:\.\d{1,5}(?!\d))?/.exec(version ?? '')?.[0] ?? ''
}

function family<Name extends string>(names: readonly Name[], name: string | undefined): Name {
  const other = names.find((candidate) => candidate === 'Other')! // both lists hold it
  return names.find((candidate) => candidate === (name ?? '')) ?? other
}
