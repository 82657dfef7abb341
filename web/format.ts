import { MONEY_SCALE, type Currency } from '#contract/money/amount.ts'
import { currencyFormatOf, locale } from './notation.ts'

/** What an unknown value looks like; zero is "0". */
export const UNKNOWN = '–'

type Options = { locale?: string }

/** How many decimals people write in a currency. */
export function decimalsOf(currency: Currency): number {
  return currencyFormatOf(currency)?.decimals ?? 2
}

/**
 * An amount, as decimal text, with the narrow currency sign and the currency's decimals; the text goes to Intl as it is,
 * never through a float: rounded half away from zero. One of more than four decimals, which no state's money has, drops zeros
 * beyond two. What would be rounded to nothing keeps its two first digits: a payout of 0.0012 is not free. With `exact` it has as
 * many more decimals as it needs: the price of an offer is never rounded. In a `column` every figure has as many decimals as the
 * currency, so that they stand below each other. `signed` is a change: what is more has a plus.
 */
export function money(
  amount: string | null | undefined,
  currency: Currency,
  options: Options & { decimals?: number; exact?: boolean; column?: boolean; signed?: boolean } = {},
): string {
  if (amount === null || amount === undefined) return UNKNOWN
  const { decimals, sign } = currencyFormatOf(currency) ?? { decimals: undefined, sign: '' }
  const own = sign !== '' || !/^[A-Z]{3}$/.test(currency)
  const least = options.decimals ?? decimals
  const currencyStyle = {
    style: 'currency',
    // Intl takes three letters; it writes an unknown code where a known one would stand
    currency: own ? NO_CURRENCY : currency,
    currencyDisplay: own ? 'code' : 'narrowSymbol',
    currencySign: 'standard',
    signDisplay: options.signed === true ? 'exceptZero' : 'negative',
  } as const
  const isWhole = options.decimals !== undefined || options.column === true
  const rounded = numberFormat(options.locale, {
    ...currencyStyle,
    ...(least === undefined ? {} : { minimumFractionDigits: least > 4 && !isWhole ? 2 : least, maximumFractionDigits: least }),
    ...(options.exact === true ? { maximumFractionDigits: MONEY_SCALE } : {}),
  })
  const tiny = options.column !== true && isTiny(amount, rounded.resolvedOptions().maximumFractionDigits ?? 0)
  const format = tiny ? numberFormat(options.locale, { ...currencyStyle, maximumSignificantDigits: 2 }) : rounded
  const text = written(format, amount as Intl.StringNumericLiteral) // a decimal text of the API; Intl reads it exactly
  return own ? text.replace(NO_CURRENCY, sign || currency) : text
}

/** Whether a decimal text is not zero, but would be once it is rounded to so many decimals. */
function isTiny(amount: string, decimals: number): boolean {
  const [whole = '', fraction = ''] = amount.replace('-', '').split('.')
  return /^0*$/.test(whole) && /[1-9]/.test(fraction) && /^0*$/.test(fraction.slice(0, decimals)) && !/[5-9]/.test(fraction[decimals] ?? '')
}

/** ISO 4217's code for "no currency". */
const NO_CURRENCY = 'XXX'

/** A whole number with grouping. */
export function integer(value: number | bigint | string | null | undefined, options: Options = {}): string {
  if (value === null || value === undefined) return UNKNOWN
  return written(numberFormat(options.locale, { maximumFractionDigits: 0 }), value as Intl.StringNumericLiteral) // number, bigint or digits
}

/** A percentage of two decimals: '12.5' → 12.50 %. */
export function percent(value: string | number | null | undefined, options: Options = {}): string {
  if (value === null || value === undefined) return UNKNOWN
  // unit, not the percent style: that one would multiply by a hundred and could not take the text as it is
  const format = numberFormat(options.locale, { style: 'unit', unit: 'percent', minimumFractionDigits: 2, maximumFractionDigits: 2 })
  return written(format, value as Intl.StringNumericLiteral) // a decimal text or a number
}

/** A moment (ISO 8601) as date and time in a zone: 21 Nov 2026, 14:05; `yearless` where the year is known. */
export function dateTime(
  moment: string | null | undefined,
  zone: string,
  options: Options & { seconds?: boolean; yearless?: boolean } = {},
): string {
  if (moment === null || moment === undefined) return UNKNOWN
  return dateFormat(options.locale, {
    timeZone: zone,
    day: 'numeric',
    month: 'short',
    ...(options.yearless === true ? {} : { year: 'numeric' }),
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    ...(options.seconds === true ? { second: '2-digit' } : {}),
  }).format(new Date(moment))
}

/** A moment as the date it falls on in a zone. */
export function date(moment: string | null | undefined, zone: string, options: Options & { yearless?: boolean } = {}): string {
  if (moment === null || moment === undefined) return UNKNOWN
  const year = options.yearless === true ? {} : ({ year: 'numeric' } as const)
  return dateFormat(options.locale, { timeZone: zone, day: 'numeric', month: 'short', ...year }).format(new Date(moment))
}

/** The year of a moment in a zone. */
export function yearOf(moment: string, zone: string): string {
  return dateFormat('en', { timeZone: zone, year: 'numeric' }).format(new Date(moment))
}

/** A calendar day (YYYY-MM-DD), which has no zone. */
export function day(text: string, options: Options = {}): string {
  return date(`${text}T00:00:00Z`, 'UTC', options)
}

/** A moment with its zone named, for tooltips over relative times. */
export function exactTime(moment: string, zone: string, options: Options = {}): string {
  return `${dateTime(moment, zone, { ...options, seconds: true })} (${zone.replaceAll('_', ' ')})`
}

const STEPS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_557_600_000],
  ['month', 2_629_800_000],
  ['week', 604_800_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
]

/** How long ago or ahead a moment is: "5 minutes ago", "in 3 days"; under a minute "now". */
export function relativeTime(moment: string | null | undefined, now: number, options: Options = {}): string {
  if (moment === null || moment === undefined) return UNKNOWN
  const distance = new Date(moment).getTime() - now
  const format = new Intl.RelativeTimeFormat(options.locale ?? locale(), { numeric: 'auto' })
  const step = STEPS.find(([, length]) => Math.abs(distance) >= length)
  return step === undefined ? format.format(0, 'second') : format.format(Math.trunc(distance / step[1]), step[0])
}

/** Long text shortened to 10 characters plus an ellipsis; characters people see as one are never cut apart. */
export function shorten(text: string, length = 10): string {
  const characters = [...new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text)]
  return characters.length <= length
    ? text
    : `${characters
        .slice(0, length)
        .map(({ segment }) => segment)
        .join('')}…`
}

/** Intl writes negatives with a hyphen in most languages; people read a minus sign, as wide as a digit. Exports take plain figures. */
function written(format: Intl.NumberFormat, value: Intl.StringNumericLiteral): string {
  return format.format(value).replace('-', '\u2212')
}

const numberFormats = new Map<string, Intl.NumberFormat>()

/** Making a formatter costs more than using it a hundred times; tables use the same few. */
function numberFormat(asked: string | undefined, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const where = asked ?? locale()
  const key = `${where} ${JSON.stringify(options)}`
  let format = numberFormats.get(key)
  if (format === undefined) numberFormats.set(key, (format = new Intl.NumberFormat(where, options)))
  return format
}

const dateFormats = new Map<string, Intl.DateTimeFormat>()

function dateFormat(asked: string | undefined, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const where = asked ?? locale()
  const key = `${where} ${JSON.stringify(options)}`
  let format = dateFormats.get(key)
  if (format === undefined) dateFormats.set(key, (format = new Intl.DateTimeFormat(where, options)))
  return format
}

/** The name of a country in the language of the panel; the code itself when there is none. */
export function countryName(code: string): string {
  try {
    return new Intl.DisplayNames(locale(), { type: 'region' }).of(code) ?? code
  } catch {
    return code
  }
}
