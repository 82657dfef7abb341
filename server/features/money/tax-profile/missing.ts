import type { Company } from '#contract/money/document.ts'
import { AppError } from '#server/platform/errors.ts'
import type { ProfileRow } from './tax-profile.queries.ts'

/** What the law wants of a supplier on an invoice, and is not there, by field; what only staff decide included. */
export function missingOf(profile: ProfileRow | undefined, company: Company): { own: string[]; decided: string[]; company: string[] } {
  const own = blank(profile, ['name', 'address', 'town', 'country'])
  const category = profile?.vat_category ?? null
  const needsOwnId = category === 'S' || category === 'AE'
  const needsReason = category === 'E'
  return {
    own: [...own, ...(needsOwnId ? blank(profile, ['vat_id']) : [])],
    decided: [...blank(profile, ['vat_category']), ...(needsReason ? blank(profile, ['exemption']) : [])],
    company: missingOfCompany(company, category),
  }
}

/** What an invoice needs of our own company and is not there; with VAT or reverse charge its VAT id too. */
export function missingOfCompany(company: Company, category: string | null): ('name' | 'address' | 'country' | 'vat_id')[] {
  return [...blank(company, ['name', 'address', 'country']), ...(category === 'S' || category === 'AE' ? blank(company, ['vat_id']) : [])]
}

/** Refuses an invoice for which something of somebody is missing, by name. Throws `profile_incomplete`. */
export function refuseMissing(name: string, names: readonly string[], prefix = ''): void {
  if (names.length === 0) return
  const fields = Object.fromEntries(names.map((field) => [`${prefix}${field}`, 'Required']))
  throw new AppError('profile_incomplete', { fields, values: { name, fields: names.map((field) => WORDS[field] ?? field).join(', ') } })
}

const WORDS: Readonly<Record<string, string>> = {
  name: 'Legal name',
  address: 'Address',
  town: 'Town',
  country: 'Country',
  vat_id: 'VAT ID',
  vat_category: 'VAT category',
  exemption: 'Provision of the exemption',
}

function blank<Name extends string>(from: Partial<Record<Name, unknown>> | undefined, names: readonly Name[]): Name[] {
  return names.filter((name) => from === undefined || from[name] === '' || from[name] === null)
}
