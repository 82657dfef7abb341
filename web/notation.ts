import type { Currency } from '#contract/money/amount.ts'

/** How figures are written here and now, apart from what writes them: sign-in sets it, and shows none. */

let displayLocale: string | undefined

/** Sets the locale numbers and dates are written in; done when the language changes. */
export function setDisplayLocale(locale: string): void {
  displayLocale = locale
}

/** The locale numbers and dates are written in. */
export function locale(): string | undefined {
  return displayLocale
}

type CurrencyFormat = { decimals: number; sign: string }

let currencyFormats: Readonly<Record<Currency, CurrencyFormat>> = {}

/** Sets how amounts of each currency are written; done when the constants arrive. Others are written as Intl knows them. */
export function setCurrencyFormats(formats: Readonly<Record<Currency, CurrencyFormat>>): void {
  currencyFormats = formats
}

/** How amounts of a currency are written; undefined where nobody said. */
export function currencyFormatOf(currency: Currency): CurrencyFormat | undefined {
  return currencyFormats[currency]
}
