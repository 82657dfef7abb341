import type { z } from 'zod'
import type { taxProfileApi } from '#contract/money/tax-profile.ts'

type Proposal = z.output<typeof taxProfileApi.get.response>['proposed']
type Taxed = { country: string | null; vat_id: string }

/** Members of the VAT area of the European Union; Greece's VAT ids begin with EL. */
const UNION = new Set('AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' '))

/**
 * Which VAT category a service of one to the other may have (money.md 6): proposed, never decided. In one country the standard rate, or
 * exempt without a VAT id; between two of the Union reverse charge where both have ids; with anybody outside of it not subject.
 */
export function proposedCategory(supplier: Taxed, customer: Taxed): Proposal {
  if (supplier.country === null || customer.country === null) return { category: null, reason: 'no_country' }
  if (supplier.country === customer.country)
    return supplier.vat_id === '' ? { category: 'E', reason: 'no_vat_id' } : { category: 'S', reason: 'same_country' }
  if (!UNION.has(supplier.country) || !UNION.has(customer.country)) return { category: 'O', reason: 'outside' }
  if (supplier.vat_id === '' || customer.vat_id === '') return { category: null, reason: 'by_hand' }
  return { category: 'AE', reason: 'both_ids' }
}
