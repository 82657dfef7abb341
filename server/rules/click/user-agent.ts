import Bowser from 'bowser'
import { isbot } from 'isbot'

/** Device kinds that can be targeted; `bot` and `unknown` occur in statistics only. */
export const DEVICES = ['desktop', 'mobile', 'tablet', 'tv', 'console', 'bot', 'unknown'] as const
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

const OS_NAMES: Readonly<Record<string, string>> = { 'Chrome OS': 'Chrome OS', 'Roku OS': 'Roku' }
const BROWSER_NAMES: Readonly<Record<string, string>> = {
  'Microsoft Edge': 'Edge',
  'Samsung Internet for Android': 'Samsung Internet',
  'Opera Touch': 'Opera',
  'Opera Coast': 'Opera',
}

// In-app browsers look like Chrome or Safari; people who buy traffic need to tell them apart.
// The second pattern tells their version.
const IN_APP: readonly [RegExp, (typeof BROWSERS)[number], RegExp][] = [
  [/\bInstagram\b/, 'Instagram', /\bInstagram[ /]([\d.]+)/],
  [/\bFBA[NV]\/|\bFB_IAB\b/, 'Facebook', /\bFBAV\/([\d.]+)/],
  [/\bBytedanceWebview\b|musical_ly|\bTikTok\b/i, 'TikTok', /\b(?:musical_ly_|app_version\/|TikTok[ /])([\d.]+)/],
  [/\bTelegram\b/, 'Telegram', /\bTelegram[\w-]*[ /]([\d.]+)/],
]

/**
 * Programs that put their name behind that of a whole browser. isbot overlooks them there: it takes most names for a
 * program's only where nothing tells of a browser.
 */
const BEHIND_A_BROWSER =
  /\b(?:ChatGPT|Claude|MistralAI|Perplexity)-User\b|facebookcatalog|facebookexternalhit|lighthouse|meta-external|puppeteer|slurp|uptime/i

/**
 * Names of people's machines and browsers that isbot takes for a program's: a phone called Discovery, M bot or Scanner,
 * televisions (CE-HTML, Catcher), Sogou's browser, Java on old phones.
 */
const NAMES: readonly RegExp[] = [
  /(?<=\bAndroid [\d.]+; (?:[a-z]{2}[-_][a-z]{2}; )?)[^;()]+(?:\(\d+\))?(?= Build\/|[;)])/gi,
  /(?<= Build\/)[\w.]+/gi,
  /\bCE-HTML\/[\d.]+;?|\bNETTV\/[\d.]+;?|\bBada\/1\.0;|\bTV\/[\w-]+|\bCatcher[\d.]+|\bSogouM(?:SE|obileBrowser)\b|\bGoogle ?TV\b|\bJavaPlatform\b|\bchromeframe\b|; HTC; Radar/gi,
]
/** Phones and UC's browser for iPhone, which tell of no browser as others know them. */
const PLAIN_PHONE = /^dv\(iPh|\bWAP[- ]Browser\b|\bMAUI\b/i

/** Programs that fetch links without a person behind them: their clicks are redirected, stored with a flag and counted nowhere. */
function isProgram(text: string): boolean {
  if (BEHIND_A_BROWSER.test(text)) return true
  if (PLAIN_PHONE.test(text)) return /bot|spider|crawl|http:/i.test(text)
  return isbot(text) && isbot(NAMES.reduce((rest, name) => rest.replaceAll(name, ' '), text))
}

/** Families by a User-Agent string. Costs about 10 µs: callers keep the answers. */
export function describeUserAgent(userAgent: string): UserAgentFacts {
  const text = userAgent.slice(0, MAX_USER_AGENT)
  if (text.trim() === '') return { ...NOTHING_TOLD, bot: true }
  const parsed = Bowser.getParser(text).getResult()
  const bot = isProgram(text) || parsed.platform.type === 'bot'
  const inApp = IN_APP.find(([pattern]) => pattern.test(text))
  return {
    device: bot ? 'bot' : readDevice(parsed.platform.type, text),
    os: family(OPERATING_SYSTEMS, OS_NAMES, /PlayStation/i.test(text) ? 'PlayStation' : parsed.os.name),
    os_version: parsed.os.name === 'Windows' ? (parsed.os.versionName ?? '') : numbers(parsed.os.version),
    browser: inApp?.[1] ?? family(BROWSERS, BROWSER_NAMES, parsed.browser.name),
    browser_version: numbers(inApp === undefined ? parsed.browser.version : inApp[2].exec(text)?.[1]),
    brand: printable(parsed.platform.vendor),
    model: printable(parsed.platform.vendor === 'Apple' ? parsed.platform.model : ANDROID_MODEL.exec(text)?.[1]),
    bot,
  }
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

/** Chrome says `K` for every model, Firefox what kind of machine it is. */
const ANDROID_MODEL =
  /\bAndroid [\d.]+; (?:[a-z]{2}[-_][a-z]{2}; )?(?!(?:K|Mobile|Tablet|wv)\b(?![- ]\w)|rv:)([^;()]+?)(?= Build\/| ?[;)])/i

/** The first two numbers of a version. */
function numbers(version: string | undefined): string {
  return /^\d{1,5}(?!\d)(?:\.\d{1,5}(?!\d))?/.exec(version ?? '')?.[0] ?? ''
}

/** A name as the row of a click may hold it. */
function printable(name: string | undefined): string {
  return (name ?? '')
    .replaceAll(/[^ -[\]-~]/g, '')
    .slice(0, 40)
    .trim()
}

/** The first language of an Accept-Language header as two lower-case letters, '' when there is none. */
export function readLanguage(acceptLanguage: string): string {
  return /^\s*([a-z]{2})(?![a-z])/i.exec(acceptLanguage)?.[1]?.toLowerCase() ?? ''
}

/** What kind of machine a User-Agent tells of; `type` is what the parser makes of it, where no rule knows better. */
function readDevice(type: string | undefined, text: string): Device {
  if (CONSOLE.test(text)) return 'console'
  if (TV.test(text)) return 'tv'
  if (/\bWindows Phone\b|\bIEMobile\b|\bZuneWP7\b/.test(text)) return 'mobile'
  if (/Android|\bAdr \d|\bHarmonyOS\b|\bSilk\//i.test(text)) return ofAndroid(text)
  if (/\biPad\b/.test(text)) return 'tablet'
  if (PHONE.test(text)) return 'mobile'
  if (/\bPlayBook\b|\bTouchPad\b|\bKindle\b|\bTablet\b(?! PC)/.test(text)) return 'tablet'
  if (COMPUTER.test(text)) return 'desktop'
  return DEVICES.find((device) => device === type) ?? 'unknown'
}

/** Phones say `Mobile` and tablets do not, but for some whose names tell; apps say neither, and mostly run on phones. */
function ofAndroid(text: string): Device {
  if (/chromebook/i.test(text)) return 'desktop'
  if (ANDROID_TABLET.test(text)) return 'tablet'
  return /Mobi|\bPhone\b|^Dalvik|\bMIDP\b|Opera Mini/i.test(text) ? 'mobile' : 'tablet'
}

const CONSOLE = /PlayStation|\(PS[345]\b|Xbox|\bNintendo\b|\bGAMEPAD|\bOUYA\b|\bSteam Deck\b|\bRetroid\b/i
// Some only tell the size of their screen: `32LEX-7292`, `LED43SR23`.
const TV =
  /(?<![a-z])tv|tv(?![a-z])|\bCrKey\b|\bBRAVIA\b|\bAFT[A-Z\d]{1,9}\b|\bRoku\b|\bViera\b|\bNetCast\b|\bWeb0S\b|\bNETRANGE|\bEspial\b|\bVIDAA\b|\bSTB\b|(?<![a-z]x)Box[\d.\s);]|\bSHIELD Android\b|CE-HTML|Android[^)]*; ?[A-Z\d]*[-_]?U?[QO]?LED[-_\s]?\d|; (?:[A-Z]{1,4}-)?(?:24|28|32|39|4[0238]|50|55|58|65|75|85)[A-Z]{1,4}[-_\d]|\bProjector/i
const PHONE =
  /\biPhone|\biPod\b|Mobi|\bBlackBerry|\bBB10\b|\bMIDP\b|\bJ2ME\b|\bCLDC\b|\bSymbian|\bSeries ?[346]0\b|\bKAIOS\b|\bMAUI\b|\bNokia|\bSonyEricsson|\bUCWEB\b|\bOpera Mini\b|\bUP\.Browser\b|\bWAP[- ]Browser\b|\bDoCoMo\b|\bKDDI-|\bWindows CE\b|\bPalm|\bTizen\b|\bSAMSUNG-|\bLG-|\bBREW\b|\bMOT-|\bwebOS\b|^dv\(iPh/i
const COMPUTER =
  /\bCrOS\b|\bWindows\b|\bWin(?:NT|9x|98|95|32|64)\b|\bMac(?:intosh|Book|mini|Pro)|\biMac|\bMac ?OS\b|\bMac_PowerPC\b|\bX11\b|\bLinux\b|BSD\b|\bSunOS\b|\bOS\/2\b|\bHaiku\b|\bBeOS\b|\bAmigaOS\b/i
const ANDROID_TABLET =
  /\biPad\b|tablet|\b(?:SM-[TXP]\d|GT-P\d|GT-N[58]|KF[A-Z]{2,}|TB[-\d]|(?:BQ|TS|CS)-?[178]\d|Nexus (?:7|9|10)\b|Pixel C\b)|(?:pad|tab)(?![a-z])/i

function family<Name extends string>(names: readonly Name[], aliases: Readonly<Record<string, string>>, name: string | undefined): Name {
  const wanted = name === undefined ? '' : (aliases[name] ?? name)
  const other = names.find((candidate) => candidate === 'Other')! // both lists hold it
  return names.find((candidate) => candidate === wanted) ?? other
}
