import {
  OPEN_TERMS,
  type ApiOfferDetail,
  type ApiOfferInput,
  type ApiOfferMember,
  type ConsentRule,
  type MemberCap,
  type ProductChoice,
} from '#contract/leads/api-offer.ts'
import type { IntegrationType } from '#contract/leads/integration-type.ts'
import type { IntegritySettings } from '#contract/leads/integrity.ts'
import { INTEGRATION_TYPES } from '#contract/leads/integration-type.ts'
import { blankGoal, offerBody, offerValues, type GoalValues, type OfferValues } from '#web/features/offers/offer/form/offer-values.ts'
import { tidyDecimal } from '#web/features/offers/offer/rule-words.ts'
import { typedNumber, typedNumberOrNull } from '#web/kit/fields/typed-number.ts'
import type { ReferenceRow } from '#web/kit/list/filter.ts'
import { hoursIn, hoursText } from '#web/opening/hours-text.ts'

type Group = ApiOfferInput['groups'][number]
type Member = Group['members'][number]

/** A product of the offer on the screen: numbers are texts, hours are written by the day. */
export type MemberValues = Omit<
  Member,
  'weight' | 'hours' | 'caps' | 'repeat_days' | 'reject_above' | 'on_timeout' | 'prices' | 'affiliates'
> & {
  on_timeout: 'ask' | 'next'
  key: string
  product: ReferenceRow
  advertiser: string
  hindered: ApiOfferMember['hindered']
  needs: readonly string[]
  /** What the product pays wherever its place says nothing. */
  own: Pick<ApiOfferMember['own'], 'currency' | 'prices'>
  weight: string
  affiliates: { mode: Member['affiliates']['mode']; affiliate_uuids: ReferenceRow[] }
  /** Open at any time: what is written of the days does not count. */
  always: boolean
  days: string[]
  caps: { period: MemberCap['period']; measure: NonNullable<MemberCap['measure']>; goal: string; limit: string }[]
  reject_above: string
  repeat_days: string
  prices: { goal: string; geos: string[]; price: string; payout: string }[]
}
export type GroupValues = Omit<Group, 'members' | 'least_sample' | 'explore'> & {
  key: string
  least_sample: string
  explore: string
  members: MemberValues[]
}

/** What a form of an API offer holds beside what direct links have. */
export type LeadValues = {
  integration_type: IntegrationType
  wait_hours: string
  repeat_days: string
  integrity: IntegrityValues
  consent: ConsentRule
  thank_you_url: string
  groups: GroupValues[]
}

type Texts<Of, Names extends keyof Of> = Omit<Of, Names> & Record<Names, string>
/** The checks of an offer with their numbers as texts. */
type IntegrityValues = Omit<IntegritySettings, 'duplicate' | 'velocity'> & {
  duplicate: Texts<IntegritySettings['duplicate'], 'days' | 'most'>
  velocity: Texts<IntegritySettings['velocity'], 'minutes' | 'per_ip' | 'per_device' | 'per_affiliate'>
}
export type ApiOfferValues = OfferValues & LeadValues

let keys = 0
const newKey = () => `lead${(keys += 1)}`

/** The checks of an offer as a form holds them. */
export function integrityValues({ duplicate, velocity, ...rest }: IntegritySettings): IntegrityValues {
  const text = (number: number | null) => (number === null ? '' : String(number))
  return {
    ...rest,
    duplicate: { ...duplicate, days: text(duplicate.days), most: text(duplicate.most) },
    velocity: {
      action: velocity.action,
      minutes: text(velocity.minutes),
      per_ip: text(velocity.per_ip),
      per_device: text(velocity.per_device),
      per_affiliate: text(velocity.per_affiliate),
    },
  }
}

function integrityBody({ duplicate, velocity, ...rest }: IntegrityValues): IntegritySettings {
  return {
    ...rest,
    duplicate: { ...duplicate, days: typedNumber(duplicate.days), most: typedNumber(duplicate.most) },
    velocity: {
      action: velocity.action,
      minutes: typedNumber(velocity.minutes),
      per_ip: typedNumberOrNull(velocity.per_ip),
      per_device: typedNumberOrNull(velocity.per_device),
      per_affiliate: typedNumberOrNull(velocity.per_affiliate),
    },
  }
}

export function blankGroup(): GroupValues {
  return { key: newKey(), strategy: 'priority', least_sample: '50', explore: '10', members: [] }
}

/** A product just chosen, which takes whatever its system does. */
export function memberOf({ uuid, id, name, advertiser, time_zone, needs, currency, prices }: ProductChoice): MemberValues {
  const { hours: _hours, affiliates: _ids, ...open } = OPEN_TERMS
  return {
    ...open,
    key: newKey(),
    product_uuid: uuid,
    product: { uuid, id, name },
    advertiser: advertiser.name,
    hindered: null,
    needs,
    own: { currency, prices },
    weight: '1',
    paused: false,
    affiliates: { mode: 'all', affiliate_uuids: [] },
    time_zone,
    always: true,
    days: hoursText(null),
    caps: [],
    reject_above: '',
    on_timeout: 'ask',
    repeat_days: '',
    prices: [],
  }
}

/** The goals leads of a kind begin with; the first that is paid is the default. */
export function goalsOfType(type: IntegrationType): GoalValues[] {
  const { goals } = INTEGRATION_TYPES[type]
  const main = goals.find(({ isPaid }) => isPaid) ?? goals[0]
  return goals.map(({ code, title, again = false }) => blankGoal({ code, title, is_default: code === main?.code, repeatable: again }))
}

export function leadValues(offer: ApiOfferDetail): ApiOfferValues {
  return {
    ...offerValues(offer),
    integration_type: offer.integration_type,
    wait_hours: String(offer.wait_hours),
    repeat_days: offer.repeat_days === null ? '' : String(offer.repeat_days),
    integrity: integrityValues(offer.integrity),
    consent: offer.consent,
    thank_you_url: offer.thank_you_url,
    groups: offer.groups.map(({ strategy, least_sample, explore, members }, at) => ({
      // the same for the same offer, so that a fresh answer does not look like an edit
      key: `group${at}`,
      strategy,
      least_sample: String(least_sample),
      explore: String(explore),
      members: members.map((member) => ({
        key: member.uuid,
        product_uuid: member.product.uuid,
        product: member.product,
        advertiser: member.advertiser.name,
        hindered: member.hindered,
        needs: member.needs,
        own: { currency: member.own.currency, prices: member.own.prices },
        weight: String(member.weight),
        paused: member.paused,
        geos: member.geos,
        affiliates: { mode: member.affiliates.mode, affiliate_uuids: member.affiliates.list },
        subs: member.subs,
        time_zone: member.time_zone,
        always: member.hours === null,
        days: hoursText(member.hours),
        caps: member.caps.map(({ period, measure = 'accepted', goal = '', limit }) => ({ period, measure, goal, limit: String(limit) })),
        reject_above: String(member.reject_above ?? ''),
        on_reject: member.on_reject,
        on_timeout: member.on_timeout ?? 'ask',
        repeat_days: member.repeat_days === null ? '' : String(member.repeat_days),
        prices: member.prices.map(({ goal, geos, price, payout }) => ({
          goal,
          geos,
          price: tidyDecimal(price),
          payout: payout === null ? '' : tidyDecimal(payout),
        })),
      })),
    })),
  }
}

/** What the server takes of the form. */
export function leadBody(values: ApiOfferValues): ApiOfferInput {
  const { advertiser_uuid: _advertiser, ...shared } = offerBody(values)
  return {
    ...shared,
    integration_type: values.integration_type,
    wait_hours: typedNumber(values.wait_hours),
    repeat_days: typedNumberOrNull(values.repeat_days),
    integrity: integrityBody(values.integrity),
    consent: values.consent,
    thank_you_url: values.thank_you_url,
    groups: values.groups.map(({ strategy, least_sample, explore, members }) => ({
      strategy,
      least_sample: typedNumber(least_sample),
      explore: typedNumber(explore),
      members: members.map(
        ({
          key: _key,
          product: _product,
          advertiser: _name,
          hindered: _state,
          needs: _needs,
          own: _own,
          always,
          days,
          weight,
          affiliates,
          repeat_days,
          reject_above,
          ...member
        }) => ({
          ...member,
          weight: typedNumber(weight),
          affiliates: { mode: affiliates.mode, affiliate_uuids: affiliates.affiliate_uuids.map(({ uuid }) => uuid) },
          hours: always ? null : days.map((text) => hoursIn(text) ?? []),
          caps: member.caps.map(({ period, measure, goal, limit }) => ({
            period,
            ...(measure !== 'accepted' && { measure }),
            ...(measure === 'goal' && { goal }),
            limit: typedNumber(limit),
          })),
          reject_above: typedNumberOrNull(reject_above),
          repeat_days: typedNumberOrNull(repeat_days),
          prices: member.prices.map((row) => ({ ...row, price: row.price || '0', payout: row.payout === '' ? null : row.payout })),
        }),
      ),
    })),
  }
}

/** Days whose hours cannot be read, by their fields. */
export function hourMistakes({ groups }: LeadValues, text: string): Record<string, string> {
  return Object.fromEntries(
    groups.flatMap(({ members }, at) =>
      members.flatMap(({ always, days }, place) =>
        days.flatMap((day, index) =>
          !always && hoursIn(day) === null ? [[`groups.${at}.members.${place}.days.${index}`, text] as const] : [],
        ),
      ),
    ),
  )
}

/** What a product cannot do without and leads of a kind need not have: those that lack it are not offered to it. */
export function lackingOf(type: IntegrationType, needs: readonly string[]): string[] {
  const { required, needsPassword } = INTEGRATION_TYPES[type]
  const sure = new Set<string>([...required, ...(needsPassword ? ['password'] : []), 'created_at', 'registered_at', 'traffic_type'])
  if (sure.has('first_name') || sure.has('last_name')) sure.add('full_name')
  return needs.filter((name) => !sure.has(name))
}
