import { fromUnits, toUnits } from '#contract/money/amount.ts'
import type { VAT_CATEGORIES } from '#contract/money/vat.ts'
import type { company } from '#contract/people/advertiser.ts'
import type { z } from 'zod'
import { roundedTo, shareOf } from '#server/features/money/invoice/posting.ts'

type Taxed = { vat_category: (typeof VAT_CATEGORIES)[number]; vat_rate: string }

/** Net, VAT and total in the decimals of a currency; VAT once of the whole, as EN 16931 has it. Below zero alike. */
export function totalsOf({ vat_category, vat_rate }: Taxed, lines: bigint, decimals: number) {
  const net = roundedTo(decimals, lines)
  const rate = vat_category === 'S' ? toUnits(vat_rate) : 0n
  const vat = shareOf(net, rate, decimals)
  return { net: fromUnits(net), vat: fromUnits(vat), total: fromUnits(net + vat) }
}

/** What of an advertiser's company an invoice needs and is not there; with reverse charge its VAT id too. */
export function missingFrom(
  { name, address, country, vat_id }: z.output<typeof company>,
  { vat_category }: Pick<Taxed, 'vat_category'>,
): ('name' | 'address' | 'country' | 'vat_id')[] {
  return [
    ...(name === '' ? (['name'] as const) : []),
    ...(address === '' ? (['address'] as const) : []),
    ...(country === null ? (['country'] as const) : []),
    ...(vat_category === 'AE' && vat_id === '' ? (['vat_id'] as const) : []),
  ]
}
