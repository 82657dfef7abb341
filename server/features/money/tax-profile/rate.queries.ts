import { sql, type RawBuilder } from 'kysely'

/** The rate of VAT of an invoice, or of whoever is invoiced, by the alias of its row: none without the standard category. */
export function rateOf(alias: 'ni' | 'nb' | 'np'): RawBuilder<string> {
  const of = sql.raw(alias)
  return sql<string>`case when ${of}.vat_category = 'S' then ${of}.vat_rate else 0 end`
}

/** The same of what is not in a row. */
export function rateIn({ vat_category, vat_rate }: { vat_category: string; vat_rate: string }): RawBuilder<string> {
  return sql<string>`${vat_category === 'S' ? vat_rate : '0'}::numeric`
}
