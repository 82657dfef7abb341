import type { z } from 'zod'
import type { Company } from '#contract/money/document.ts'
import type { taxProfileApi } from '#contract/money/tax-profile.ts'
import { proposedCategory } from './category.ts'
import { missingOf } from './missing.ts'
import type { ProfileRow } from './tax-profile.queries.ts'

/** What an affiliate reads of its own data for invoices. */
export function presentOwn(row: ProfileRow | undefined, company: Company): z.output<typeof taxProfileApi.own.response> {
  return { ...told(row, company), missing: missingOf(row, company).own, self_billing: company.self_billing, agreement: company.agreement }
}

/** The same as staff read it, with what they decided and what is proposed. */
export function presentProfile(row: ProfileRow | undefined, company: Company): z.output<typeof taxProfileApi.get.response> {
  const missing = missingOf(row, company)
  return {
    ...told(row, company),
    missing: [...missing.own, ...missing.decided, ...missing.company.map((name) => `company.${name}`)],
    vat_category: row?.vat_category ?? null,
    vat_rate: row?.vat_rate ?? '0.000',
    exemption: row?.exemption ?? '',
    vies_day: row?.vies_day ?? null,
    corrections: row?.corrections ?? 'usual',
    act: row?.act ?? 'usual',
    act_post: row?.act_post ?? '',
    act_name: row?.act_name ?? '',
    proposed: proposedCategory({ country: row?.country ?? null, vat_id: row?.vat_id ?? '' }, company),
  }
}

function told(row: ProfileRow | undefined, company: Company) {
  return {
    name: row?.name ?? '',
    address: row?.address ?? '',
    postcode: row?.postcode ?? '',
    town: row?.town ?? '',
    country: row?.country ?? null,
    vat_id: row?.vat_id ?? '',
    registration: row?.registration ?? '',
    agreed_at: row?.agreed_text === company.agreement ? (row?.agreed_at?.toISOString() ?? null) : null,
    version: row?.version ?? 1,
  }
}
