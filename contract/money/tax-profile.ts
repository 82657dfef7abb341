import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { byUuid, day, line, moment, version } from '#contract/fields.ts'
import { partyFields } from './document.ts'
import { VAT_CATEGORIES } from './vat.ts'

/** What the affiliate says of itself. */
const said = { ...partyFields }
/** Where changes of issued invoices stand: usual = in a credit note where the invoice carried VAT, else on the next invoice. */
export const CORRECTIONS = ['usual', 'line', 'note'] as const
const corrections = z.enum(CORRECTIONS)

export const ACTS = ['usual', 'yes', 'no'] as const

/** What staff decide of it. */
export const taxDecision = {
  /** null = nobody has decided: no self-billed invoice is sent. */
  vat_category: z.enum(VAT_CATEGORIES).nullable(),
  vat_rate: z.string().regex(/^\d{1,2}(\.\d{1,3})?$/, 'A percentage from 0 to 99.999'),
  /** The provision that exempts, which such documents must name. */
  exemption: line(300),
  /** The day somebody looked the VAT id up. */
  vies_day: day.nullable(),
  /** Whether both sides sign an act of services beside its invoices; usual = as the company has it. */
  act: z.enum(ACTS).default('usual'),
  /** Who signs it for the affiliate. */
  act_post: line(100).default(''),
  act_name: line(100).default(''),
}

/** Why a category is proposed; `by_hand` proposes none. */
export const VAT_REASONS = ['same_country', 'no_vat_id', 'both_ids', 'outside', 'by_hand', 'no_country'] as const
const proposal = z.object({ category: z.enum(VAT_CATEGORIES).nullable(), reason: z.enum(VAT_REASONS) })

const profile = z.object({
  ...partyFields,
  /** null = not agreed, or to an older text. */
  agreed_at: moment.nullable(),
  /** What of it is missing for a self-billed invoice. */
  missing: z.array(z.string()),
  version,
})

/** How an affiliate is taxed: what it says, what staff decide, and its agreement to self-billing. */
export const taxProfileApi = {
  own: endpoint({
    method: 'GET',
    path: '/api/tax-profile/v1/own',
    access: 'payment.own',
    summary: 'The own data for invoices, and the agreement to self-billing where the network uses it.',
    response: profile.extend({ self_billing: z.boolean(), agreement: z.string() }),
  }),
  saveOwn: endpoint({
    method: 'POST',
    path: '/api/tax-profile/v1/own-save',
    access: 'payment.own',
    key: 'never',
    summary: 'Changes the own data for invoices.',
    body: z.object({ ...said, version }),
    response: profile,
  }),
  agree: endpoint({
    method: 'POST',
    path: '/api/tax-profile/v1/own-agree',
    access: 'payment.own',
    key: 'never',
    summary: 'Agrees to self-billing; `agreement` is the text that was read.',
    body: z.object({ agreement: z.string().min(1).max(10_000) }),
    response: profile,
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/tax-profile/v1/get/:uuid',
    access: 'billing.read',
    summary: 'How an affiliate is taxed, with the VAT category that is proposed and why.',
    params: byUuid,
    response: profile.extend({ ...taxDecision, corrections, proposed: proposal }),
  }),
  decide: endpoint({
    method: 'POST',
    path: '/api/tax-profile/v1/decide/:uuid',
    access: 'billing.approve',
    key: 'never',
    summary: "Decides an affiliate's VAT category, rate and exemption, and that its VAT id was looked up.",
    params: byUuid,
    body: z.object({ ...taxDecision, corrections: corrections.default('usual'), version }),
    response: profile.extend({ ...taxDecision, corrections, proposed: proposal }),
  }),
}
