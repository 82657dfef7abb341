import { positiveAmount } from '#contract/money/amount.ts'

/**
 * What a person typed or pasted as a number, as decimal text: spaces of any kind go, a comma becomes the point.
 * `1 234,50` → `1234.50`. Text that is no number is left as it is, for the schema to refuse.
 */
export function decimalText(typed: string): string {
  const packed = typed.replace(/[\s\u00a0\u202f'’]/g, '').replace('\u2212', '-')
  const commas = packed.split(',').length - 1
  const points = packed.split('.').length - 1
  // 1,234.50 has both: the one that comes last is the decimal sign
  if (commas > 0 && points > 0)
    return packed.lastIndexOf(',') > packed.lastIndexOf('.') ? packed.replaceAll('.', '').replace(',', '.') : packed.replaceAll(',', '')
  return commas === 1 ? packed.replace(',', '.') : packed
}

/** What a person typed as an amount; null while it cannot be read as one. */
export function readAmount(typed: string): string | null {
  return positiveAmount.safeParse(decimalText(typed)).data ?? null
}
