import type { NumberFormat } from './number-format.ts'

/** An amount as decimal text, and the currencies its sign can stand for (null = no sign); or both of its readings; or nothing that can be read. */
export type AmountReading = { amount: string; currencies: readonly string[] | null } | { readings: [string, string] } | null

/** Signs and short words people write beside amounts. A code of three letters stands for itself. */
const SIGNS: Readonly<Record<string, readonly string[]>> = {
  $: ['USD', 'CAD', 'AUD', 'NZD', 'SGD', 'HKD', 'MXN', 'ARS', 'CLP', 'COP'],
  'us$': ['USD'],
  '€': ['EUR'],
  '£': ['GBP', 'EGP'],
  '¥': ['JPY', 'CNY'],
  '₴': ['UAH'],
  '₽': ['RUB'],
  '₸': ['KZT'],
  '₹': ['INR'],
  '₺': ['TRY'],
  '₦': ['NGN'],
  '₩': ['KRW'],
  '₪': ['ILS'],
  '₫': ['VND'],
  '฿': ['THB'],
  '₿': ['BTC'],
  'r$': ['BRL'],
  'zł': ['PLN'],
  'kč': ['CZK'],
  грн: ['UAH'],
  руб: ['RUB'],
} // prettier-ignore

/**
 * Reads an amount as people and programs write it: `10.5`, `10,50`, `1,000.00`, `1.000,00`, `1 000,50`, `$10.50`, `-5`,
 * `10 EUR`; at most twelve digits before and eight after the point. One separator before exactly three digits may mean
 * either thousands or decimals: both readings are answered, the thousands first, unless the text was a `number` of JSON or
 * the currency rules one out: yen have no decimals, and `10.500` is how dinars with three are written.
 */
export function readAmount(
  written: string,
  { number = false, currency = '', format }: { number?: boolean; currency?: string; format?: NumberFormat | undefined } = {},
): AmountReading {
  const text = number ? withoutNoise(written) : written
  if (format !== undefined) return readAs(text, format, currency)
  const { bare, negative, currencies } = withoutSigns(text.replaceAll(/[\u00a0\u2000-\u200a\u202f\u2060]/g, ' ').trim())
  const signed = (digits: string) => (negative && !/^0*(\.0*)?$/.test(digits) ? `-${digits}` : digits)
  if (/^\d{1,12}(\.\d{1,8})?$/.test(bare) && number) return { amount: signed(bare), currencies }
  const either = /^([1-9]\d{0,2})([.,])(\d{3})$/.exec(bare)
  if (either) {
    const [thousands, decimals] = [signed(`${either[1]}${either[3]}`), signed(`${either[1]}.${either[3]}`)]
    if (WITHOUT_DECIMALS.has(currency)) return { amount: thousands, currencies }
    return WITH_THREE.has(currency) && either[2] === '.' ? { amount: decimals, currencies } : { readings: [thousands, decimals] }
  }
  const match = GROUPED.map((pattern) => pattern.exec(bare)).find((found) => found !== null)
  if (!match) return null
  const whole = (match[1] ?? '').replaceAll(/[ .,'’]/g, '')
  const fraction = match[2] ?? ''
  if (whole.length > 12) return null
  return { amount: signed(fraction === '' ? whole || '0' : `${whole || '0'}.${fraction}`), currencies }
}

/** A number of JSON without what binary fractions add to it, `59.900000000000006`: eight decimals. */
function withoutNoise(text: string): string {
  return /^-?\d{1,12}\.\d{9,}$/.test(text)
    ? Number(text)
        .toFixed(8)
        .replace(/\.?0+$/, '')
    : text
}

/** An amount whose writer has said how: what is not written so is none. */
function readAs(text: string, format: NumberFormat, currency: string): AmountReading {
  const thousands = format === 'comma' ? /(?<=\d)[. '’\u00a0\u202f](?=\d{3}(?!\d))/g : /(?<=\d)[, '’\u00a0\u202f](?=\d{3}(?!\d))/g
  const { bare, negative, currencies } = withoutSigns(text.trim().replaceAll(thousands, ''))
  const pattern = { point: /^\d{1,12}(\.\d{1,8})?$/, comma: /^\d{1,12}(,\d{1,8})?$/, minor: /^\d{1,14}$/ }[format]
  if (!pattern.test(bare)) return null
  const places = format !== 'minor' || WITHOUT_DECIMALS.has(currency) ? 0 : WITH_THREE.has(currency) ? 3 : 2
  const digits = bare.padStart(places + 1, '0')
  const amount = places === 0 ? bare.replace(',', '.') : `${digits.slice(0, -places)}.${digits.slice(-places)}`
  return { amount: negative && /[1-9]/.test(amount) ? `-${amount}` : amount, currencies }
}

/** By ISO 4217; dinars of Iraq, which are counted in thousands without decimals, are neither. */
const WITHOUT_DECIMALS = new Set('BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'.split(' '))
const WITH_THREE = new Set('BHD JOD KWD LYD OMR TND'.split(' '))

/** Whole and fraction. Thousands are three digits each and never separated by the sign of the decimals. */
const GROUPED = [
  /^(\d{1,12})(?:[.,](\d{1,8}))?$/,
  /^()[.,](\d{1,8})$/,
  /^(\d{1,3}(?:,\d{3})+)(?:\.(\d{1,8}))?$/,
  /^(\d{1,3}(?:\.\d{3})+)(?:,(\d{1,8}))?$/,
  /^(\d{1,3}(?:[ '’]\d{3})+)(?:[.,](\d{1,8}))?$/,
]

function withoutSigns(text: string): { bare: string; negative: boolean; currencies: readonly string[] | null } {
  const match = /^([-+−]?)\s*([^\d\s.,+−-]{0,4}?)\s*([-+−]?)\s*([.,]?\d(?:[\d.,'’ ]*\d)?)\s*([^\d\s.,]{0,4}?)\.?$/.exec(text)
  if (!match) return { bare: '', negative: false, currencies: null }
  const [, before = '', left = '', inner = '', bare = '', right = ''] = match
  if ((before !== '' && inner !== '') || (left !== '' && right !== '')) return { bare: '', negative: false, currencies: null }
  const sign = (left || right).toLowerCase()
  const currencies = sign === '' ? null : (SIGNS[sign] ?? (/^[a-z][a-z0-9]{2,3}$/.test(sign) ? [sign.toUpperCase()] : []))
  // a sign nobody knows is no amount
  if (currencies?.length === 0) return { bare: '', negative: false, currencies: null }
  return { bare, negative: /[-−]/.test(before + inner), currencies }
}
