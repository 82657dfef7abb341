/** The affiliate's own marks on a click, in the order of the row. */
export const MARKS = ['source', 'sub1', 'sub2', 'sub3', 'sub4', 'sub5', 'sub6', 'sub7', 'sub8', 'sub9', 'sub10'] as const

/** The parameters of a click, by their own names. */
export const CLICK_PARAMETERS = [
  'offer_id',
  'pid',
  'landing',
  'deeplink',
  'test',
  ...MARKS,
  'click_id', // the affiliate's own id
  // of the device, handed on and not stored
  'idfa',
  'gaid',
] as const
export type ClickParameter = (typeof CLICK_PARAMETERS)[number]

/** Names under which advertising platforms add their own id of a click to a link, and whose they are. */
export const AD_PARAMETERS = {
  gclid: 'Google Ads',
  gbraid: 'Google Ads',
  wbraid: 'Google Ads',
  dclid: 'Google Display & Video',
  fbclid: 'Meta',
  igshid: 'Instagram',
  ctwa_clid: 'WhatsApp',
  ttclid: 'TikTok',
  msclkid: 'Microsoft Advertising',
  twclid: 'X',
  yclid: 'Yandex Direct',
  li_fat_id: 'LinkedIn',
  sccid: 'Snapchat',
  ScCid: 'Snapchat',
  rdt_cid: 'Reddit',
  epik: 'Pinterest',
  qclid: 'Quora',
  ob_click_id: 'Outbrain',
  OutbrainClickId: 'Outbrain',
  ndclid: 'Nextdoor',
  sacid: 'StackAdapt',
  viant_click_id: 'Viant',
  ko_click_id: 'Kakao',
  oppref: 'OpenAI Ads',
  aclid: 'ExoClick',
  exotracker: 'ExoClick',
} as const
export type AdParameter = keyof typeof AD_PARAMETERS
export const AD_PARAMETER_NAMES = Object.keys(AD_PARAMETERS) as AdParameter[] // keys of a literal object

/** Every parameter, '' when it was not sent. */
export type ClickParameters = Record<ClickParameter, string> & {
  /** The first id of an ad network that the link carried, and the parameter it came in. */
  ad_param: AdParameter | ''
  ad_id: string
  /** Further ids of ad networks, then everything nothing else took, as it came: `name=value&…`; the beginning of it where it is long. */
  unread: string
}

/** Longer values are cut, never refused. */
export const MAX_VALUE_LENGTH = 255

/** An ad network's id is of no use when it is cut, so it may be longer than other values. */
export const MAX_AD_ID_LENGTH = 512

/** So many characters of the parameters that nothing took are kept, and as many more of further ids of ad networks. */
export const MAX_UNREAD_LENGTH = 512

/** Names other systems use for the same, and our own: links made for them keep working. */
export const PARAMETER_NAMES: ReadonlyMap<string, ClickParameter> = new Map([
  ...CLICK_PARAMETERS.map((name) => [name, name] as const),
  ['o', 'offer_id'],
  ['offer', 'offer_id'],
  ['a', 'pid'],
  ['aff_id', 'pid'],
  ['affiliate_id', 'pid'],
  ['aff_click_id', 'click_id'],
  ['ref_id', 'click_id'],
  ['redirect', 'deeplink'],
  ['deep_link', 'deeplink'],
  ['source_id', 'source'],
  ['aff_sub', 'sub1'],
  ...CLICK_PARAMETERS.filter((name) => /^sub\d/.test(name)).flatMap((name) => {
    const number = name.slice(3)
    return [`aff_sub${number}`, `sub_id${number}`, `sub_id_${number}`, `s${number}`, `p${number}`].map((alias) => [alias, name] as const)
  }),
])

/**
 * Reads a query string as it arrived (one character per byte). The first value given under any of a parameter's names
 * counts; what nothing took is kept as it came.
 */
export function readClickParameters(query: string): ClickParameters {
  // every parameter is set in the loop that follows
  const parameters = Object.fromEntries([...CLICK_PARAMETERS, 'ad_param', 'ad_id', 'unread'].map((name) => [name, ''])) as ClickParameters
  const seen = new Set<ClickParameter>()
  const unread: string[] = []
  const ads: string[] = []
  for (const pair of query.split('&')) {
    const equals = pair.indexOf('=')
    const given = equals < 0 ? pair : pair.slice(0, equals)
    const name = PARAMETER_NAMES.get(given)
    if (name === undefined || seen.has(name)) {
      const ad = AD_PARAMETER_NAMES.find((known) => known === given)
      const id = ad === undefined || equals < 0 ? '' : decodeValue(pair.slice(equals + 1), MAX_AD_ID_LENGTH)
      if (ad === undefined) {
        if (pair !== '') unread.push(pair)
      } else if (parameters.ad_param !== '') ads.push(pair)
      else if (id !== '') {
        parameters.ad_param = ad
        parameters.ad_id = id
      }
      continue
    }
    seen.add(name)
    parameters[name] = equals < 0 ? '' : decodeValue(pair.slice(equals + 1), name === 'deeplink' ? 2048 : MAX_VALUE_LENGTH)
  }
  parameters.unread = [ads, unread]
    .map((pairs) => cleanText(Buffer.from(pairs.join('&'), 'latin1').toString('utf8'), MAX_UNREAD_LENGTH))
    .filter((text) => text !== '')
    .join('&')
  return parameters
}

/** The ids of ad networks that stand among what nothing took, decoded, by their names. */
export function furtherAds(unread: string): [AdParameter, string][] {
  return unread.split('&').flatMap((pair) => {
    const equals = pair.indexOf('=')
    const name = AD_PARAMETER_NAMES.find((known) => known === pair.slice(0, Math.max(0, equals)))
    return name === undefined ? [] : [[name, decodeValue(pair.slice(equals + 1), MAX_AD_ID_LENGTH)] as const]
  }) as [AdParameter, string][]
}

/** A numeric id, 0 for "none given", -1 for text that is no id. */
export function readId(value: string): number {
  if (value === '') return 0
  return /^\d{1,10}$/.test(value) ? Number(value) : -1
}

/**
 * `%XX` and `+` decoded (a broken `%` stays), bytes read as UTF-8 with U+FFFD for what is none, control characters
 * dropped, cut to `max` characters.
 */
export function decodeValue(text: string, max = MAX_VALUE_LENGTH): string {
  const bytes = Buffer.from(text, 'latin1')
  let to = 0
  for (let from = 0; from < bytes.length; from++) {
    let byte = bytes[from]! // from < length
    if (byte === 0x2b) byte = 0x20
    else if (byte === 0x25 && from + 2 < bytes.length) {
      const high = hexDigit(bytes[from + 1]!)
      const low = hexDigit(bytes[from + 2]!)
      if (high >= 0 && low >= 0) {
        byte = high * 16 + low
        from += 2
      }
    }
    bytes[to++] = byte
  }
  return cleanText(bytes.toString('utf8', 0, to), max)
}

/** Without control characters, at most `max` characters (not halves of one). */
export function cleanText(text: string, max: number): string {
  const clean = text.replace(/[\u0000-\u001f\u007f-\u009f]/g, '')
  return clean.length <= max ? clean : Array.from(clean).slice(0, max).join('')
}

function hexDigit(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30
  const letter = code | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1
}
