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

/** Every parameter, '' when it was not sent. */
export type ClickParameters = Record<ClickParameter, string>

/** Longer values are cut, never refused. */
export const MAX_VALUE_LENGTH = 255

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
  ['aff_sub', 'sub1'],
  ...CLICK_PARAMETERS.filter((name) => /^sub\d/.test(name)).flatMap((name) => {
    const number = name.slice(3)
    return [`aff_sub${number}`, `sub_id${number}`, `sub_id_${number}`, `s${number}`, `p${number}`].map((alias) => [alias, name] as const)
  }),
])

/**
 * Reads a query string as it arrived (one character per byte). The first value given under any of a parameter's names
 * counts; names we do not know are ignored.
 */
export function readClickParameters(query: string): ClickParameters {
  // every parameter is set in the loop that follows
  const parameters = Object.fromEntries(CLICK_PARAMETERS.map((name) => [name, ''])) as ClickParameters
  const seen = new Set<ClickParameter>()
  for (const pair of query.split('&')) {
    const equals = pair.indexOf('=')
    const name = PARAMETER_NAMES.get(equals < 0 ? pair : pair.slice(0, equals))
    if (name === undefined || seen.has(name)) continue
    seen.add(name)
    parameters[name] = equals < 0 ? '' : decodeValue(pair.slice(equals + 1), name === 'deeplink' ? 2048 : MAX_VALUE_LENGTH)
  }
  return parameters
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
