import type { Company } from '#contract/money/document.ts'
import type { ProfileRow } from './tax-profile.queries.ts'

/** What the law wants of a supplier on an invoice, and is not there, by field; what only staff decide included. */
export function missingOf(profile: ProfileRow | undefined, company: Company): { own: string[]; decided: string[]; company: string[] } {
  const blank = <Fields extends object>(from: Fields | undefined, names: (keyof Fields & string)[]) =>
    names.filter((name) => from === undefined || from[name] === '' || from[name] === null)
  const own = blank(profile, ['name', 'address', 'town', 'country'])
  const category = profile?.vat_category ?? null
  const needsOwnId = category === 'S' || category === 'AE'
  const needsReason = category === 'E'
  return {
    own: [...own, ...(needsOwnId ? blank(profile, ['vat_id']) : [])],
    decided: [...blank(profile, ['vat_category']), ...(needsReason ? blank(profile, ['exemption']) : [])],
    company: [...blank(company, ['name', 'address', 'town', 'country']), ...(category === 'AE' ? blank(company, ['vat_id']) : [])],
  }
}
