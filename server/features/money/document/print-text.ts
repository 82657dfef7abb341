import type { DocumentLanguage } from '#contract/money/document.ts'
import { fromUnits, toUnits } from '#contract/money/amount.ts'

/** So long a word may be before it would run over the edge. */
const LONGEST_WORD = 28
/** Nobody can read more, and whoever writes a text does not say how many pages it makes. */
const LONGEST_TEXT = 4000

/** A text of people as it is printed: without what moves or hides other text, and with places where a long word may break. */
export function printedText(text: string): string {
  return text
    .slice(0, LONGEST_TEXT)
    .normalize('NFC')
    .replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g, '')
    .replace(/\S{29,}/g, (word) => (word.match(new RegExp(`.{1,${LONGEST_WORD}}`, 'gsu')) ?? [word]).join('\u200b'))
}

/** An amount with the decimals of its currency, its sign before or after as the language has it; a price keeps the decimals it has beyond. */
export function printedAmount(
  amount: string,
  { decimals, sign, asPrice = false }: { decimals: number; sign: string; asPrice?: boolean },
  language: DocumentLanguage,
): string {
  const [whole = '0', fraction = ''] = fromUnits(toUnits(amount.replace(/^-/, ''))).split('.')
  const exact = fraction.replace(/0+$/, '')
  const shown = exact.padEnd(decimals, '0').slice(0, asPrice ? undefined : decimals)
  if (!asPrice && exact.length > decimals) throw new Error(`an amount has more decimals than its currency: ${amount}`)
  const uk = language === 'uk'
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, uk ? '\u00a0' : ',')
  const number = shown === '' ? grouped : `${grouped}${uk ? ',' : '.'}${shown}`
  const minus = amount.startsWith('-') ? '−' : ''
  if (sign === '') return minus + number
  return /^\p{Sc}$/u.test(sign) && !uk ? `${minus}${sign}${number}` : `${minus}${number}\u00a0${sign}`
}

/** A day as it is written in the language. */
export function printedDay(day: string, language: DocumentLanguage): string {
  const at = new Date(`${day}T00:00:00Z`)
  if (language === 'uk' || language === 'both')
    return new Intl.DateTimeFormat('uk', { day: '2-digit', month: '2-digit', year: 'numeric', timeZone: 'UTC' }).format(at)
  return new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' }).format(at)
}

/** A month such as `2026-11` as it is written in the language. */
export function printedMonth(month: string, language: DocumentLanguage): string {
  const [year = '', number = ''] = month.split('-')
  if (language !== 'en') return `${number}.${year}`
  const at = new Date(`${month}-01T00:00:00Z`)
  return new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(at)
}
