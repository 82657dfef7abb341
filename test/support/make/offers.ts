import { offerApi } from '#contract/offers/offer.ts'
import { ACTIVATION_WARNINGS, OPEN_TARGETING, type OfferInput } from '#contract/offers/offer-fields.ts'
import type { Caller } from '../run/api.ts'

type GoalInput = OfferInput['goals'][number]
type RuleInput = GoalInput['rules'][number]

/** A payout row; without changes the base row: 10 for the affiliate, 15 for the network. */
export function ruleInput(changes: Partial<RuleInput> = {}): RuleInput {
  return {
    affiliate_uuids: [],
    geos: [],
    devices: [],
    oses: [],
    payout_fixed: '10',
    payout_percent: '0',
    revenue_fixed: '15',
    revenue_percent: '0',
    ...changes,
  }
}

/** The default goal with a base row. */
export function goalInput(changes: Partial<GoalInput> = {}): GoalInput {
  return { code: 'sale', title: 'Sale', type: 'CPA', is_default: true, hidden: false, repeatable: false, rules: [ruleInput()], ...changes }
}

/** An offer that may be activated. */
export function offerForm(advertiserUuid: string, changes: Partial<OfferInput> = {}): OfferInput {
  return {
    title: 'Shop',
    privacy: 'public',
    vertical: 'ecommerce',
    currency: 'USD',
    advertiser_uuid: advertiserUuid,
    tracking_url: 'https://shop.example/?c={click_id}',
    preview_url: '',
    trafficback_url: '',
    description: '',
    kpi: '',
    external_id: '',
    notes: '',
    traffic_sources: [],
    tags: [],
    start_at: null,
    stop_at: null,
    time_zone: 'UTC',
    hold_days: 0,
    click_lifetime_days: 30,
    min_conversion_time: null,
    max_conversion_time: null,
    redirect_type: '302',
    deep_link_hosts: [],
    app_links: false,
    targeting: OPEN_TARGETING,
    caps: [],
    over_cap_action: 'trafficback',
    goals: [goalInput()],
    ...changes,
  }
}

/** Makes an offer through the API and, unless told otherwise, activates it. */
export async function makeOffer(staff: Caller, advertiserUuid: string, changes: Partial<OfferInput> = {}, activate = true) {
  const { status, data, errors, fields } = await staff.call(offerApi.create, { body: offerForm(advertiserUuid, changes) })
  if (status !== 200) throw new Error(`${JSON.stringify(errors)} ${JSON.stringify(fields)}`)
  if (activate) await staff.call(offerApi.setStatus, { body: { uuids: [data.uuid], status: 'active', confirm: [...ACTIVATION_WARNINGS] } })
  return data
}

/** Saves an offer over the state it is in. */
export async function saveOffer(staff: Caller, uuid: string, form: OfferInput) {
  const { version } = (await staff.call(offerApi.get, { params: { uuid } })).data
  return staff.call(offerApi.update, { params: { uuid }, body: { ...form, version } })
}
