import { divideRounded, fromUnits, toUnits, UNITS } from '#contract/money/amount.ts'
import { exchanged } from '#server/features/money/currency/exchange.ts'
import { rateBetween, requireRate, type Rate } from '#server/features/money/currency/rate.service.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'
import { findDocument, type DocumentKind } from './keep.queries.ts'
import { signOf } from './party.ts'
import type { PrintedNational } from '#server/rules/printed.ts'

const EURO = 'AT BE BG CY DE EE ES FI FR GR HR IE IT LT LU LV MC MT NL PT SI SK'

const OTHERS = [
  'CZ:CZK DK:DKK HU:HUF PL:PLN RO:RON SE:SEK GB:GBP IM:GBP UA:UAH CH:CHF LI:CHF NO:NOK IS:ISK AL:ALL',
  'BA:BAM ME:EUR XK:EUR MK:MKD RS:RSD MD:MDL GE:GEL AM:AMD AZ:AZN KZ:KZT UZ:UZS KG:KGS TR:TRY IL:ILS',
  'AE:AED SA:SAR BH:BHD OM:OMR EG:EGP ZA:ZAR KE:KES NG:NGN GH:GHS MA:MAD TN:TND IN:INR ID:IDR TH:THB',
  'VN:VND PH:PHP SG:SGD MY:MYR CN:CNY JP:JPY KR:KRW TW:TWD AU:AUD NZ:NZD CA:CAD MX:MXN BR:BRL AR:ARS',
  'CL:CLP CO:COP PE:PEN UY:UYU',
]

/** What VAT is told in where the supplier is at home (directive 2006/112/EC, art. 230, and national laws like it), by ISO 3166 code. */
const NATIONAL: Readonly<Record<string, string>> = {
  ...Object.fromEntries(EURO.split(' ').map((country) => [country, 'EUR'])),
  ...Object.fromEntries(OTHERS.flatMap((row) => row.split(' ')).map((pair) => [pair.slice(0, 2), pair.slice(3)])),
}

type Asked = {
  country: string
  currency: string
  /** Of the document; null = it says nothing of VAT. */
  vat: string | null
  /** Whose rate counts: that of the invoice, of a note too. */
  day: string
  /** The invoice a note is about: by its rate what was declared is taken back. */
  corrects: { kind: DocumentKind; subjectId: number } | null
  /** A document that gets its number is refused where there is no rate; a draft only does not tell it. */
  strict: boolean
}

/**
 * The VAT of a document in the national currency of its supplier, by the rate of its day; null where there is nothing to tell. Throws
 * `rate_missing` where it has to be told and cannot.
 */
export async function nationalVat(db: DbOrTrx, asked: Asked): Promise<PrintedNational | null> {
  const to = NATIONAL[asked.country]
  if (asked.vat === null || toUnits(asked.vat) === 0n || to === undefined || to === asked.currency) return null
  const { currency, day, strict, vat, corrects } = asked
  const kept = corrects === null ? undefined : (await findDocument(db, corrects.kind, corrects.subjectId))?.printed?.national
  if (kept?.currency.code === to) return told(vat, to, { from: toUnits(kept.rate), to: UNITS, day: kept.day })
  const rate = strict ? await requireRate(db, currency, to, day) : await rateBetween(db, currency, to, day)
  return 'missing' in rate ? null : told(vat, to, rate)
}

/** The rate with eight decimals, and the amount by that very rate: whoever multiplies comes to what is printed. */
function told(vat: string, code: string, { from, to, day }: Rate): PrintedNational {
  const decimals = new Intl.NumberFormat('en', { style: 'currency', currency: code }).resolvedOptions().maximumFractionDigits ?? 2
  const rate = divideRounded(from * UNITS, to)
  const amount = exchanged(toUnits(vat), { from: rate, to: UNITS }, decimals)
  return { amount: fromUnits(amount), rate: fromUnits(rate), day, currency: { code, sign: signOf(code), decimals } }
}
