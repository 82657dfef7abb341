import { isbot } from 'isbot'

/** Programs that fetch links without a person behind them: their clicks are redirected, stored with a flag and counted nowhere. */
export function isProgram(text: string): boolean {
  if (BEHIND_A_BROWSER.test(text)) return true
  if (DESKTOP_READER.test(text)) return false
  if (PLAIN_MACHINE.test(text)) return /bot(?!ech)|spider|crawl|http:/i.test(text)
  return isbot(text) && isbot(NAMES.reduce((rest, name) => rest.replaceAll(name, ' '), text))
}

/**
 * Programs that put their name behind that of a whole browser. isbot overlooks them there: it takes most names for a
 * program's only where nothing tells of a browser.
 */
const BEHIND_A_BROWSER =
  /\b(?:Amzn|ChatGPT|Claude|MistralAI|Perplexity)-User\b|facebookcatalog|facebookexternalhit|lighthouse|meta-external|puppeteer|slurp|uptime/i

/**
 * Names of people's machines, browsers and apps that isbot takes for a program's: a phone called Discovery, M bot or Scanner,
 * televisions (CE-HTML, Catcher), Sogou's browser and search, WeChat (Process/tools), Yahoo Japan, Java on old phones.
 */
const NAMES: readonly RegExp[] = [
  /(?<=\bAndroid [\d.]+; (?:[a-z]{2}[-_][a-z]{2}; )?)[^;()]+(?:\(\w+\))?(?= Build\/|[;)])/gi,
  /(?<= Build\/)[\w.]+/gi,
  /\bcom\.google\.(?:android|ios|Google)[\w.]*|\bGoogleHypersonic\b|\bgoogle_ios\/[\w.]+|\bGoogle ?TV\b|\bGoogle Earth\/|\bProcess\/\w+|\bYJApp-ANDROID [\w.]+|\b(?:Apple|Sohu)?News\/[\d.]+|\bFBAN\/[\w-]+/gi,
  /\bSogou(?:Search|MSE|MobileBrowser)\b|\bQQDownload \d+|\bEmbedded Web Browser from: \S+|\bchromeframe\b|; HTC; Radar|\bJavaPlatform\b/gi,
  /\bCE-HTML\/[\d.]+;?|\bNETTV\/[\d.]+;?|\bTV\/[\w-]+|\bCatcher[\d.]+/gi,
]

/**
 * Programs on somebody's own computer that show what they fetch: readers of feeds, players, documents, browsers of before.
 * A link in them is followed when a person clicks it.
 */
const DESKTOP_READER = new RegExp(
  [
    /^(?:Akregator\/[4-9]|Doughnut\/|Evergreen \(|Feed(?:Demon|Station)\/|Liferea\/|Mimir-macOS\/|NetNewsWire\b|News(?:beuter|boat)\/|RSS(?:Bandit|Owl)\/|XBMC\/)/,
    // of those that run on telephones too, the ones on a Mac
    /^(?:Downcast|ReadKit|Reeder)\/[\d.]+ (?:\(Mac|CFNetwork\/[\d.]+ Darwin\/[\d.]+ \(x86_64)/,
    /^Microsoft Office (?:Excel|Outlook|PowerPoint|Visio|Word)\b/,
    /^Mozilla\/.*(?:\bBrowseX\b|\bWebster Pro\b|\bQuiteRSS\/|\bNetNewsWire\/)/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'i',
)

/** Machines that tell of no browser as others know them: old phones, apps on iPhone that say no more, sets and boxes. */
const PLAIN_MACHINE =
  /^dv\(iPh|\bWAP[- ]?Browser|\bMAUI\b|^(?:Apple-)?i(?:Phone|Pad|Pod)\w*(?:\/[\d.]+)?$|^\[?FBAN\/|^(?:Amazon|sony_tv);|^smarttv_|^Aplix_|^RokuOS\/|AppleTV|, ?wired\)|\bSmartHub\b|\bHbbTV\b|\bBada\/|\bMIDP|\bBREW\//i
