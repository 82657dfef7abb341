import { date, day } from '#web/format.ts'
import { locale } from '#web/notation.ts'

/** A rate as people read it: its own decimals, at least four, as the language writes numbers. */
export function rateText(rate: string): string {
  return new Intl.NumberFormat(locale(), { minimumFractionDigits: 4, maximumFractionDigits: 8 }).format(Number(rate))
}

/** A day of a month that is named beside it. */
export function shortDay(text: string): string {
  return date(`${text}T00:00:00Z`, 'UTC', { yearless: true })
}

/** Some days: one, or from one to another; `within` a month whose year is plain. */
export function gapText({ from, to }: { from: string; to: string }, within = false): string {
  const told = within ? shortDay : day
  return from === to ? told(from) : `${told(from)} – ${told(to)}`
}
