import { brandNamed, brandOfModel } from './brand.ts'

/** Who made a machine and what it is called, '' where its User-Agent does not tell. */
export type Machine = { brand: string; model: string }

/** Brand and model by a User-Agent: at most 40 characters of printable ASCII without `\`. */
export function readMachine(text: string): Machine {
  const apple = /\b(?:iPhone|iPad|iPod|Macintosh|Apple ?TV)/.exec(text)?.[0]
  const windows = /\bWindows Phone\b|\bLumia\b/.test(text)
  // A Windows Phone names Android and iPhone beside itself; some Android machines do so for an iPhone or a Mac.
  if (apple !== undefined && !windows && !/\bAndroid\b/.test(text)) return { brand: 'Apple', model: APPLE_MODELS[apple] ?? '' }
  const model = windows ? (/\bLumia [\w ]{2,20}/.exec(text)?.[0] ?? '') : androidModel(text)
  const shown = printable(model)
  if (shown !== '') return { brand: windows ? 'Microsoft' : printable(brandOfModel(shown)), model: shown }
  return OTHERS.find(({ pattern }) => pattern.test(text))?.told(text) ?? { brand: '', model: '' }
}

const APPLE_MODELS: Readonly<Record<string, string>> = {
  iPhone: 'iPhone',
  iPad: 'iPad',
  iPod: 'iPod touch',
  AppleTV: 'Apple TV',
  'Apple TV': 'Apple TV',
}

/** The part of an Android machine's brackets that is neither version, language, processor nor kind. */
function androidModel(text: string): string {
  const start = /\b(?:Android|Adr)\b[^;()]{0,20};/i.exec(text)
  if (start === null) return /\bFBAN\/FB4A\b.*\bFBDV\/([^;\]]+)/.exec(text)?.[1] ?? '' // Facebook's app alone
  const rest = text.slice(start.index + start[0].length, start.index + start[0].length + 160)
  let depth = 0
  let end = 0
  for (; end < rest.length; end++) {
    if (rest[end] === '(') depth++
    else if (rest[end] === ')' && depth-- === 0) break
  }
  for (const part of rest.slice(0, end).split(';')) {
    const name = part.replace(/(?:^| )(?:Build|AppleWebKit|MIUI)\b.*|\/.*/, '').trim()
    // Samsung's browser says so before the number that others tell alone.
    if (name !== '' && !NO_MODEL.test(name)) return name.replace(/^SAMSUNG[ -](?=[A-Z]{2})/, '')
  }
  return ''
}

/** Chrome says `K` for every model, Firefox what kind of machine it is. */
const NO_MODEL =
  /^(?:[KU]|Mobile|Tablet|TV|ARM|WebView|x86_64|x64|HarmonyOS|HMSCore.*|Android|Linux|Opera (?:Mini|Mobi).*|Microsoft|NOKIA|rv:.*|Trident.*|\d{1,2}(?:\.[\d.]+)?|[a-z]{2,3}(?:[-_][A-Za-z\d]{0,4}(?:[-_][A-Z]{2})?)?,?)$/

/** A name as the row of a click may hold it. */
function printable(name: string): string {
  return name
    .replaceAll(/[^ -[\]-~]/g, '')
    .slice(0, 40)
    .trim()
}

/** Machines beside phones, tablets and Macs that name themselves. */
const OTHERS: readonly { pattern: RegExp; told: (text: string) => Machine }[] = [
  {
    pattern: /PlayStation/i,
    told: (text) => ({ brand: 'Sony', model: `PlayStation ${/PlayStation ?(\d|Vita|Portable)/i.exec(text)?.[1] ?? ''}`.trim() }),
  },
  { pattern: /\bXbox\b/i, told: (text) => ({ brand: 'Microsoft', model: /\bXbox (?:Series [XS]|One|360)\b/i.exec(text)?.[0] ?? 'Xbox' }) },
  { pattern: /\bNintendo\b/, told: (text) => ({ brand: 'Nintendo', model: /\bNintendo (Switch|WiiU|Wii|3DS)\b/.exec(text)?.[1] ?? '' }) },
  { pattern: /\bWeb0S\b|\bNetCast\b/, told: () => ({ brand: 'LG', model: '' }) },
  { pattern: /\bRoku\b/, told: () => ({ brand: 'Roku', model: '' }) },
  { pattern: /\bSMART-TV\b.*\bTizen\b|\bMaple\b/, told: () => ({ brand: 'Samsung', model: '' }) },
  { pattern: /\bVIDAA\b|\bHisense\b/, told: () => ({ brand: 'Hisense', model: '' }) },
  // Phones of before: `Nokia6120c/2.0`, `SonyEricssonU100i/R1x`, `SAMSUNG-SGH-E250/1.0`.
  {
    pattern: /^(?:Nokia|SonyEricsson|SAMSUNG|LG|MOT|BlackBerry|HTC|ZTE|Alcatel|HUAWEI|Huawei)[-_ ]?[A-Z\d]/,
    told: (text) => {
      const [, brand = '', model = ''] =
        /^(Nokia|SonyEricsson|SAMSUNG|LG|MOT|BlackBerry|HTC|ZTE|Alcatel|Huawei)[-_ ]?([\w-]{2,40})/i.exec(text) ?? []
      return { brand: brandNamed(FORMER[brand.toLowerCase()] ?? brand), model: printable(model) }
    },
  },
]
const FORMER: Readonly<Record<string, string>> = { mot: 'Motorola', sonyericsson: 'Sony Ericsson' }
