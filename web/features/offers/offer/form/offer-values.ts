import type { z } from 'zod'
import { OPEN_TARGETING, type offerDetail, type OfferInput } from '#contract/offers/offer-fields.ts'
import { isZero, tidyDecimal } from '#web/features/offers/offer/rule-words.ts'
import { typedNumber, typedNumberOrNull } from '#web/kit/fields/typed-number.ts'
import type { Option, ReferenceRow } from '#web/kit/list/filter.ts'
import { networkName, placeName, readCondition, type USUAL_TARGETS } from '#web/targeting-words.ts'
import { clockAt, momentAt } from '#web/zone-time.ts'

export type OfferDetail = z.output<typeof offerDetail>
type Goal = OfferInput['goals'][number]
type Rule = Goal['rules'][number]

/** A payout row on the screen; `key` tells rows apart while they are moved. */
export type RuleValues = Omit<Rule, 'affiliate_uuids' | 'landing_uuids'> & {
  key: string
  affiliate_uuids: ReferenceRow[]
  landing_uuids: string[]
}
/** A landing of the offer on the screen. */
export type LandingRow = Pick<
  OfferDetail['landings'][number],
  'uuid' | 'id' | 'name' | 'type' | 'status' | 'language' | 'private' | 'failures' | 'reason'
> & {
  weight: string
}
export type GoalValues = Omit<Goal, 'rules'> & { key: string; rules: RuleValues[] }
type Target<Value> = { mode: 'any' | 'include' | 'exclude'; values: Value[] }
/** What is listed is held by its value, what is searched with its label. */
type Targets = Record<(typeof USUAL_TARGETS)[number], Target<string>> &
  Record<'region' | 'city' | 'network', Target<Option>> & { os_version: Target<VersionRow> }
type VersionRow = Omit<ReturnType<typeof readCondition>, 'os'> & { os: string | null }

/** What the form holds: numbers are texts, moments are clocks in the offer's zone, targeting is never null. */
export type OfferValues = Omit<
  OfferInput,
  | 'advertiser_uuid'
  | 'goals'
  | 'landings'
  | 'targeting'
  | 'hold_days'
  | 'click_lifetime_days'
  | 'min_conversion_time'
  | 'max_conversion_time'
  | 'vertical'
> & {
  advertiser_uuid: string | null
  vertical: string | null
  goals: GoalValues[]
  landings: LandingRow[]
  targeting: Targets
  hold_days: string
  click_lifetime_days: string
  min_conversion_time: string
  max_conversion_time: string
}

let keys = 0
const newKey = () => `row${(keys += 1)}`

/** A row that applies to everybody; with terms of another as a start. */
export function blankRule(terms: Partial<RuleValues> = {}): RuleValues {
  return {
    affiliate_uuids: [],
    landing_uuids: [],
    geos: [],
    devices: [],
    oses: [],
    payout_fixed: '',
    payout_percent: '',
    revenue_fixed: '',
    revenue_percent: '',
    ...terms,
    key: newKey(),
  }
}

/** A goal with its base row. */
export function blankGoal(goal: Partial<GoalValues> = {}): GoalValues {
  const fields = { code: '', title: '', type: 'CPA' as const, is_default: false, hidden: false, repeatable: false }
  return { ...fields, rules: [blankRule()], ...goal, key: newKey() }
}

/** An offer nobody has written yet, with the usual terms. */
export function blankOffer(zone: string, sale: string): OfferValues {
  return {
    title: '',
    advertiser_uuid: null,
    privacy: 'premoderation',
    vertical: null,
    currency: 'USD',
    tracking_url: '',
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
    time_zone: zone,
    hold_days: '0',
    click_lifetime_days: '30',
    min_conversion_time: '',
    max_conversion_time: '',
    redirect_type: '302',
    deep_link_hosts: [],
    app_links: false,
    targeting: targetsOf(OPEN_TARGETING, {}),
    caps: [],
    over_cap_action: 'trafficback',
    landings: [],
    goals: [blankGoal({ code: 'sale', title: sale, is_default: true })],
  }
}

/** A saved offer as the form holds it. */
export function offerValues(offer: OfferDetail): OfferValues {
  const { time_zone: zone } = offer
  return {
    title: offer.title,
    advertiser_uuid: offer.advertiser?.uuid ?? null,
    privacy: offer.privacy,
    vertical: offer.vertical || null,
    currency: offer.currency,
    tracking_url: offer.tracking_url,
    preview_url: offer.preview_url,
    trafficback_url: offer.trafficback_url,
    description: offer.description,
    kpi: offer.kpi,
    external_id: offer.external_id,
    notes: offer.notes,
    traffic_sources: offer.traffic_sources,
    tags: offer.tags,
    start_at: offer.start_at && clockAt(offer.start_at, zone),
    stop_at: offer.stop_at && clockAt(offer.stop_at, zone),
    time_zone: zone,
    hold_days: String(offer.hold_days),
    click_lifetime_days: String(offer.click_lifetime_days),
    min_conversion_time: textOf(offer.min_conversion_time),
    max_conversion_time: textOf(offer.max_conversion_time),
    redirect_type: offer.redirect_type,
    deep_link_hosts: offer.deep_link_hosts,
    app_links: offer.app_links,
    targeting: targetsOf(offer.targeting, offer.network_names),
    caps: offer.caps.map((cap) => ({ ...cap, limit: tidyDecimal(cap.limit) })),
    over_cap_action: offer.over_cap_action,
    landings: offer.landings.map(landingRow),
    goals: offer.goals.map(({ rules, ...goal }) => ({
      ...goal,
      key: goal.uuid,
      rules: rules.map(({ affiliates, landings, ...rule }, index) => ({
        ...rule,
        // the same for the same offer, so that a fresh answer does not look like an edit
        key: `${goal.uuid}.${index}`,
        affiliate_uuids: affiliates,
        landing_uuids: landings.map(({ uuid }) => uuid),
        payout_fixed: tidyDecimal(rule.payout_fixed),
        payout_percent: tidyDecimal(rule.payout_percent),
        revenue_fixed: tidyDecimal(rule.revenue_fixed),
        revenue_percent: tidyDecimal(rule.revenue_percent),
      })),
    })),
  }
}

/** A landing of the offer as its form holds it. */
export function landingRow({ url: _url, preview: _preview, weight, ...landing }: OfferDetail['landings'][number]): LandingRow {
  return { ...landing, weight: String(weight) }
}

/** The names of the landings a payout row is for. */
export function landingNames({ landings }: OfferValues, rule: RuleValues): string[] {
  return landings.filter(({ uuid }) => rule.landing_uuids.includes(uuid)).map(({ name }) => name)
}

/** The goals once a landing has left the offer: a row that was for it alone goes with it, for without one it would hold for everybody. */
export function withoutLanding(goals: readonly GoalValues[], uuid: string) {
  const removed: { goal: GoalValues; rule: RuleValues }[] = []
  const left = goals.map((goal) => ({
    ...goal,
    rules: goal.rules.flatMap((rule) => {
      const others = rule.landing_uuids.filter((one) => one !== uuid)
      if (others.length > 0 || rule.landing_uuids.length === 0) return [{ ...rule, landing_uuids: others }]
      removed.push({ goal, rule })
      return []
    }),
  }))
  return { goals: left, removed }
}

/** What the server takes of the form. */
export function offerBody(values: OfferValues): OfferInput {
  const { targeting, goals, landings, time_zone: zone } = values
  return {
    ...values,
    advertiser_uuid: values.advertiser_uuid ?? '',
    vertical: values.vertical ?? '',
    start_at: values.start_at && momentAt(values.start_at, zone),
    stop_at: values.stop_at && momentAt(values.stop_at, zone),
    hold_days: typedNumber(values.hold_days),
    click_lifetime_days: typedNumber(values.click_lifetime_days),
    min_conversion_time: typedNumberOrNull(values.min_conversion_time),
    max_conversion_time: typedNumberOrNull(values.max_conversion_time),
    targeting: {
      geo: setOf(targeting.geo, asItIs),
      // the pickers offer only values of the contract
      device: setOf(targeting.device, asItIs) as OfferInput['targeting']['device'],
      os: setOf(targeting.os, asItIs),
      browser: setOf(targeting.browser, asItIs),
      language: setOf(targeting.language, asItIs),
      region: setOf(targeting.region, valueOf),
      city: setOf(targeting.city, valueOf),
      os_version: setOf(targeting.os_version, conditionOf),
      network: setOf(targeting.network, valueOf),
    },
    landings: landings.map(({ uuid, weight }) => ({ landing_uuid: uuid, weight: typedNumber(weight) })),
    goals: goals.map(({ key: _key, rules, ...goal }) => ({
      ...goal,
      rules: rules.map(({ key: _rule, affiliate_uuids, ...rule }) => ({
        ...rule,
        affiliate_uuids: affiliate_uuids.map(({ uuid }) => uuid),
        payout_fixed: rule.payout_fixed || '0',
        payout_percent: rule.payout_percent || '0',
        revenue_fixed: rule.revenue_fixed || '0',
        revenue_percent: rule.revenue_percent || '0',
      })),
    })),
  }
}

/** What still keeps a saved offer from being active, in the server's own terms. */
export function missingFor(offer: Pick<OfferDetail, 'type' | 'tracking_url' | 'goals'>): ('destination' | 'base' | 'payout')[] {
  const bases = offer.goals.map(({ rules }) =>
    rules.find((rule) => rule.affiliates.length + rule.landings.length + rule.geos.length + rule.devices.length + rule.oses.length === 0),
  )
  return [
    ...(offer.type === 'direct' && offer.tracking_url === '' ? (['destination'] as const) : []),
    ...(bases.some((base) => base === undefined) ? (['base'] as const) : []),
    ...(bases.some((base) => base && isZero(base.payout_fixed) && isZero(base.payout_percent)) ? (['payout'] as const) : []),
  ]
}

/** A condition on a version as the server takes it. */
export function conditionOf({ os, operator, version }: VersionRow): string {
  return `${os ?? ''} ${operator} ${version.trim()}`
}

function targetsOf(targeting: OfferDetail['targeting'], names: OfferDetail['network_names']): Targets {
  return {
    geo: targetOf(targeting.geo, asItIs),
    device: targetOf(targeting.device, asItIs),
    os: targetOf(targeting.os, asItIs),
    browser: targetOf(targeting.browser, asItIs),
    language: targetOf(targeting.language, asItIs),
    region: targetOf(targeting.region, (value) => ({ value, label: placeName(value) })),
    city: targetOf(targeting.city, (value) => ({ value, label: placeName(value) })),
    os_version: targetOf(targeting.os_version, readCondition),
    network: targetOf(targeting.network, (value) => ({ value, label: networkName(value, names) })),
  }
}

function targetOf<Value>(set: OfferDetail['targeting']['os'], shown: (value: string) => Value): Target<Value> {
  return set === null ? { mode: 'any', values: [] } : { mode: set.mode, values: set.values.map(shown) }
}

function setOf<Value>({ mode, values }: Target<Value>, stored: (value: Value) => string) {
  return mode === 'any' ? null : { mode, values: values.map(stored) }
}

const asItIs = (value: string) => value
const valueOf = ({ value }: Option) => value

function textOf(value: number | null): string {
  return value === null ? '' : String(value)
}
