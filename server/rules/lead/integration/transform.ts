import { createHash, createHmac } from 'node:crypto'
import { TRANSFORM_NAMES } from '#contract/leads/lead-macro.ts'
import { parsePhoneNumberFromString, type CountryCode } from 'libphonenumber-js/min'

/** What transforms read beside their value and arguments. */
export type TransformContext = {
  /** Tables of the integration, by name. */
  tables: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** ISO 3166: of which country a telephone is that has no + before it; '' = unknown. */
  country: string
}

type Transform = {
  least: number
  most: number
  apply: (value: string, args: readonly string[], context: TransformContext) => string
  /** How long the result will be, where it may be many times what goes in: asked before it is made. */
  grown?: (value: string, args: readonly string[]) => number
  /** What it costs beside its lengths. */
  work?: (value: string, args: readonly string[]) => number
}

const ALL: Readonly<Record<(typeof TRANSFORM_NAMES)[number], Transform>> = {
  lower: plain((value) => value.toLowerCase()),
  upper: plain((value) => value.toUpperCase()),
  trim: plain((value) => value.trim()),
  digits: plain((value) => value.replace(/\D/g, '')),
  strip_plus: plain((value) => value.replace(/^\+/, '')),
  first_word: plain((value) => value.trim().split(/\s+/)[0] ?? ''),
  rest_words: plain((value) => value.trim().split(/\s+/).slice(1).join(' ')),
  urlencode: plain((value) => encodeURIComponent(value.toWellFormed())),
  base64: plain((value) => Buffer.from(value, 'utf8').toString('base64')),
  json: plain((value) => JSON.stringify(value.toWellFormed()).slice(1, -1)),
  e164: phone((found) => found.number),
  national: phone((found) => found.nationalNumber),
  dial_code: phone((found) => found.countryCallingCode),
  default: { least: 1, most: 1, apply: (value, [other = '']) => (value === '' ? other : value) },
  concat: { least: 1, most: 5, apply: (value, args) => (value === '' ? '' : value + args.join('')) },
  prefix: { least: 1, most: 5, apply: (value, args) => (value === '' ? '' : args.join('') + value) },
  substr: {
    least: 1,
    most: 2,
    apply: (value, [from = '0', length]) => {
      const letters = [...value]
      return letters.slice(Number(from), length === undefined ? undefined : Number(from) + Number(length)).join('')
    },
  },
  replace: {
    least: 2,
    most: 2,
    // by a function: `$&` in what is put in means nothing
    apply: (value, [what = '', by = '']) => (what === '' ? value : value.replaceAll(what, () => by)),
    grown: (value, [what = '', by = '']) => (what === '' ? value.length : value.length + timesIn(value, what) * (by.length - what.length)),
    work: (value, [what = '']) => (value.length * what.length) / 8,
  },
  hash: {
    least: 1,
    most: 2,
    apply: (value, [algorithm = '', as = 'hex']) => hashed(algorithm, (name) => createHash(name).update(value).digest(encodingOf(as))),
  },
  hmac: {
    least: 2,
    most: 3,
    apply: (value, [algorithm = '', secret = '', as = 'hex']) =>
      hashed(algorithm, (name) => createHmac(name, secret).update(value).digest(encodingOf(as))),
  },
  /** `date:'DD/MM/YYYY HH:mm:ss','Europe/Kyiv'`; also unix, unix_ms, iso. */
  date: { least: 1, most: 2, apply: (value, [format = '', zone = 'UTC']) => writeDate(value, format, zone) },
  /** `lookup:countries,'0'`: what stands in a table of the integration, else the second argument. */
  lookup: {
    least: 1,
    most: 2,
    apply: (value, [table = '', other = ''], { tables }) => {
      const rows = Object.hasOwn(tables, table) ? (tables[table] ?? {}) : {}
      return Object.hasOwn(rows, value) ? (rows[value] ?? other) : other
    },
  },
  /** `password:12`: the same password cut and mended to what an advertiser takes: letters and digits, each kind at least once. */
  password: { least: 0, most: 1, apply: (value, [most = '12']) => fitPassword(value, Number(most)) },
}

/** The transform of a name: pure, bounded, never throwing; what it cannot read becomes '' and is then missing. Undefined for a name there is none of. */
export function transformOf(name: string): Transform | undefined {
  const known = TRANSFORM_NAMES.find((one) => one === name)
  return known === undefined ? undefined : ALL[known]
}

function timesIn(text: string, what: string): number {
  let times = 0
  for (let at = text.indexOf(what); at >= 0; at = text.indexOf(what, at + what.length)) times += 1
  return times
}

function plain(apply: (value: string) => string): Transform {
  return { least: 0, most: 0, apply }
}

/** A telephone is read as of the country named, else of the lead's. */
function phone(read: (found: { number: string; nationalNumber: string; countryCallingCode: string }) => string): Transform {
  return {
    least: 0,
    most: 1,
    apply: (value, [named], { country }) => {
      const of = (named ?? country).toUpperCase()
      const found = parsePhoneNumberFromString(value, of === '' ? undefined : (of as CountryCode)) // ISO codes; unknown ones find nothing
      return found === undefined ? '' : read(found)
    },
  }
}

const ALGORITHMS = ['md5', 'sha1', 'sha256', 'sha512']

function hashed(algorithm: string, make: (name: string) => string): string {
  return ALGORITHMS.includes(algorithm) ? make(algorithm) : ''
}

function encodingOf(as: string): 'hex' | 'base64' {
  return as === 'base64' ? 'base64' : 'hex'
}

const TOKENS: Readonly<Record<string, (at: Temporal.ZonedDateTime) => string>> = {
  YYYY: (at) => pad(at.year, 4),
  YY: (at) => pad(at.year % 100, 2),
  MM: (at) => pad(at.month, 2),
  DD: (at) => pad(at.day, 2),
  HH: (at) => pad(at.hour, 2),
  mm: (at) => pad(at.minute, 2),
  ss: (at) => pad(at.second, 2),
  SSS: (at) => pad(at.millisecond, 3),
  Z: (at) => at.offset,
}

function pad(number: number, to: number): string {
  return String(number).padStart(to, '0')
}

/** Writes a moment (`2026-11-23T10:00:00Z`) or a day (`1990-01-31`) as an advertiser wants it; '' where it is neither or the zone is unknown. */
function writeDate(value: string, format: string, zone: string): string {
  try {
    const at = /^\d{4}-\d{2}-\d{2}$/.test(value)
      ? Temporal.PlainDate.from(value).toZonedDateTime({ timeZone: zone })
      : Temporal.Instant.from(value).toZonedDateTimeISO(zone)
    if (format === 'unix') return String(Math.floor(at.epochMilliseconds / 1000))
    if (format === 'unix_ms') return String(at.epochMilliseconds)
    if (format === 'iso') return at.toInstant().toString()
    return format.replace(/YYYY|YY|MM|DD|HH|mm|SSS|ss|Z/g, (token) => TOKENS[token]?.(at) ?? token)
  } catch {
    return ''
  }
}

/** Stable for a password: the same one always becomes the same. '' stays ''. */
function fitPassword(password: string, most: number): string {
  if (password === '' || !(most >= 6)) return ''
  const kept = password.replace(/[^a-zA-Z0-9]/g, '').slice(0, most - 3)
  const more = createHash('sha256').update(password).digest()
  const one = (letters: string, at: number) => letters[(more[at] ?? 0) % letters.length] ?? ''
  return kept + one('ABCDEFGHJKLMNPQRSTUVWXYZ', 0) + one('abcdefghijkmnpqrstuvwxyz', 1) + one('23456789', 2)
}
