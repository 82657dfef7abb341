import { amountMistake } from '#contract/money/amount.ts'
import { decimalsOf } from '#web/format.ts'
import { decimalText } from '#web/kit/fields/decimal.ts'

/**
 * What is wrong with amounts somebody typed, by their fields: `required` ones that are missing, and any that are finer than their
 * currency. All else is for the schema.
 */
export function amountMistakes<Values extends Record<string, unknown>>(
  values: Values,
  currencies: Partial<Record<keyof Values & string, string | null>>,
  required: readonly (keyof Values & string)[] = ['amount'],
): Record<string, string> {
  const found = Object.entries(currencies).flatMap(([name, currency]) => {
    const typed = decimalText(String(values[name]))
    if (typed === '' && !required.includes(name)) return []
    const mistake = amountMistake(typed, typeof currency === 'string' ? decimalsOf(currency) : 8)
    return mistake === undefined ? [] : [[name, mistake] as const]
  })
  return Object.fromEntries(found)
}
