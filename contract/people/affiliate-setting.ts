import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { timeZone, uuid } from '#contract/fields.ts'
import { currency } from '#contract/money/amount.ts'
import { defineSetting } from '#contract/network/define-setting.ts'
import { offerPrivacy } from '#contract/offers/offer-fields.ts'
import { affiliateStatus } from '#contract/people/affiliate.ts'

/** Who becomes the manager of an affiliate who signed up: nobody, each in turn, or one. */
export const MANAGER_RULES = ['nobody', 'in_turn', 'one'] as const

/** Statuses an affiliate made by staff may begin with. */
export const FIRST_STATUSES = ['active', 'moderation', 'inactive'] as const

/** What the forms that make affiliates and offers begin with, and what affiliates are asked. */
const defaults = {
  /** Of those whom staff make. */
  status: affiliateStatus.extract(FIRST_STATUSES),
  /** Of those who are not asked, or do not say. */
  currency,
  /** null = the network's. */
  time_zone: timeZone.nullable(),
  /** Who may run a new offer, until somebody says otherwise. */
  offer_privacy: offerPrivacy,
  /** Whether who asks for access has to say how the offer will be promoted. */
  access_message: z.boolean(),
}

/** What new affiliates begin with, and what affiliates do by themselves. */
export const affiliateSetting = defineSetting(
  'affiliates',
  { access: 'setting.affiliates', about: 'what new affiliates begin with and what affiliates may do and see' },
  {
    ...defaults,
    manager: z.enum(MANAGER_RULES),
    manager_uuid: uuid.nullable(),
    /** Whether affiliates are shown the name and the contacts of their manager. */
    shows_manager: z.boolean(),
  },
  {
    status: 'active',
    currency: 'USD',
    time_zone: null,
    offer_privacy: 'premoderation',
    access_message: false,
    manager: 'nobody',
    manager_uuid: null,
    shows_manager: true,
  },
)
export type AffiliateSettings = typeof affiliateSetting.defaults

export const affiliateSettingApi = {
  settings: affiliateSetting.read,
  updateSettings: affiliateSetting.update,
  defaults: endpoint({
    method: 'GET',
    path: '/api/setting/v1/affiliate-defaults',
    access: 'signedIn',
    summary: 'What forms that make affiliates and offers begin with, and whether a request for access has to say something.',
    response: z.object(defaults),
  }),
}
