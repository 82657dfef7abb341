import type { Company } from '#contract/money/document.ts'
import type { getGeneralSettings } from '#server/features/network/setting/setting.queries.ts'
import { drawableLogo } from './logo.ts'
import type { Look, Party } from '#server/rules/printed.ts'

/** Our company as a party of a document. */
export function companyParty(company: Company, title: string): Party {
  return {
    name: company.name || title,
    address: addressLines(company),
    country: company.country ?? '',
    vatId: company.vat_id,
    registration: company.registration,
  }
}

/** A street and a town, each on a line of its own. */
export function addressLines(party: { address: string; postcode: string; town: string } | undefined): string[] {
  if (party === undefined) return []
  return [party.address, [party.postcode, party.town].filter(Boolean).join(' ')].filter(Boolean)
}

/** How the network looks on paper. */
export async function lookOf(general: Awaited<ReturnType<typeof getGeneralSettings>>): Promise<Look> {
  return { name: general.partner_title, logo: await drawableLogo(general.logo), colour: general.colour }
}

/** The sign of a currency of ISO 4217, or its code where it has none. */
export function signOf(code: string): string {
  if (!/^[A-Z]{3}$/.test(code)) return code
  const parts = new Intl.NumberFormat('en', { style: 'currency', currency: code, currencyDisplay: 'narrowSymbol' }).formatToParts(0)
  return parts.find(({ type }) => type === 'currency')?.value ?? code
}
