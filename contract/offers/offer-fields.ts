import { z } from 'zod'
import {
  countryCode,
  destination,
  line,
  moment,
  paragraph,
  reference,
  requiredLine,
  someOf,
  tags,
  timeZone,
  uuid,
  version,
  webAddress,
} from '#contract/fields.ts'
import { deadRows } from './payout-row.ts'
import { capLevel, capMistakes, offerCap } from './offer-cap.ts'
import { offerLanding, offerLandingsInput } from './offer-landing.ts'
import { currency, percent, positiveAmount } from '#contract/money/amount.ts'
import { stored } from '#contract/shape.ts'
import { offerType } from './offer-type.ts'

/** draft → active ⇄ paused → stopped → archived. Paused and stopped offers still take postbacks for earlier clicks. */
export const OFFER_STATUSES = ['draft', 'active', 'paused', 'stopped', 'archived'] as const
export const offerStatus = z.enum(OFFER_STATUSES)
export type OfferStatus = z.output<typeof offerStatus>

/** What an offer is asked about before it becomes active: no click id of ours in a destination, a row that pays more than it earns. */
export const ACTIVATION_WARNINGS = ['no_click_id', 'pays_more'] as const
export const activationWarning = z.enum(ACTIVATION_WARNINGS)
export type ActivationWarning = z.output<typeof activationWarning>

/** The statuses an offer may be given next; saving an offer never changes its status. */
export const OFFER_TRANSITIONS: Readonly<Record<OfferStatus, readonly OfferStatus[]>> = {
  draft: ['active'],
  active: ['paused', 'archived'],
  paused: ['active', 'stopped', 'archived'],
  stopped: ['archived'],
  archived: [],
}

/** public: open to every active affiliate; premoderation: affiliates ask, staff decide; private: only those staff add. */
export const offerPrivacy = z.enum(['public', 'premoderation', 'private'])
export const goalType = z.enum(['CPA', 'CPL', 'CPS', 'RevShare', 'mixed'])
/** 302 and 307 redirects, a page that refreshes, and one that hides the referrer. */
export const redirectType = z.enum(['302', '307', 'meta', 'meta_no_referrer'])
/**
 * Over a cap: clicks go to trafficback; or clicks go on and conversions are declined, or unpaid; or the offer is paused (of
 * a cap for each affiliate: the clicks of that affiliate go to trafficback). What was within a cap when it came stays so:
 * a payout raised beyond it later is booked, and the level shows the excess.
 */
export const overCapAction = z.enum(['trafficback', 'decline', 'unpaid', 'pause'])

export const targetDevice = z.enum(['desktop', 'mobile', 'tablet', 'tv', 'console'])
export type TargetDevice = z.output<typeof targetDevice>
const family = requiredLine(40)

const targetSet = <Value extends z.ZodType>(value: Value, max: number) =>
  z.object({ mode: z.enum(['include', 'exclude']), values: z.array(value).min(1, 'Choose at least one').max(max) }).nullable()

/** Android >= 10, iOS < 15.4, Windows = XP: only numbers have an order. */
export const versionCondition = z
  .string()
  .regex(
    /^(?=.{1,50}$)[A-Za-z][A-Za-z ]* (?:(?:>=|<) \d{1,9}(?:\.\d{1,9}){0,2}|= [0-9A-Za-z]+(?:\.[0-9A-Za-z]+){0,2})$/,
    'Choose a system and write its version, such as 10 or 17.4',
  )

/** Who may reach the offer; null = everybody. Countries are ISO alpha-2 (ZZ = unknown), languages two lower-case letters. */
export const targeting = z.object({
  geo: targetSet(countryCode, 250),
  device: targetSet(targetDevice, 5),
  os: targetSet(family, 30),
  browser: targetSet(family, 30),
  language: targetSet(z.string().regex(/^[a-z]{2}$/), 100),
  /** Conditions on versions. Systems no condition names are not concerned. */
  os_version: targetSet(versionCondition, 30),
  /** `US/California` and `US/California/Los Angeles`, as `offerApi.places` finds them. */
  region: targetSet(requiredLine(100), 200),
  city: targetSet(requiredLine(200), 200),
  /** Numbers of autonomous systems, as `offerApi.networks` finds them. */
  network: targetSet(z.string().regex(/^[1-9]\d{0,9}$/, 'A network is named by its number'), 200),
})

/** An offer for everybody. What an offer saved earlier does not say of its targeting is so. */
export const OPEN_TARGETING = {
  geo: null,
  device: null,
  os: null,
  os_version: null,
  browser: null,
  language: null,
  region: null,
  city: null,
  network: null,
} satisfies z.output<typeof targeting>

/** What people call the networks a targeting names, by their numbers. */
export const networkNames = z.record(z.string(), z.string())

/** What a payout row says beside whom and which landings it is for. */
export const ruleFields = {
  geos: z.array(countryCode).max(250),
  devices: z.array(targetDevice).max(5),
  oses: z.array(family).max(30),
  payout_fixed: positiveAmount,
  payout_percent: percent,
  revenue_fixed: positiveAmount,
  revenue_percent: percent,
}

/** One payout row of a goal. Empty lists mean "any"; the row with five empty lists is the base row. */
export const payoutRuleInput = z.object({
  affiliate_uuids: z.array(uuid).max(1000),
  landing_uuids: z.array(uuid).max(100).default([]),
  ...ruleFields,
})
export const payoutRule = z.object({ affiliates: z.array(reference), landings: z.array(reference), ...ruleFields })

export const goalCode = z
  .string()
  .trim()
  .regex(/^[a-z0-9][a-z0-9_-]{0,39}$/, 'Lower-case Latin letters, digits, - and _, at most 40')

export const goalFields = {
  /** What the advertiser sends as `goal`. */
  code: goalCode,
  title: requiredLine(100),
  type: goalType,
  is_default: z.boolean(),
  /** Not shown to affiliates. */
  hidden: z.boolean(),
  /** Several conversions per click, each with a transaction id. */
  repeatable: z.boolean(),
}
/** A goal with its payout rows in order; without `uuid` it is new. A goal left out is removed (its conversions stay). */
export const goalInput = z.object({ uuid: uuid.optional(), ...goalFields, rules: z.array(payoutRuleInput).max(200) })
export const goal = z.object({ uuid, ...goalFields, rules: z.array(payoutRule) })

const hostName = z
  .string()
  .trim()
  .toLowerCase()
  .max(253)
  .regex(
    /^\.?([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/,
    'A host such as shop.example, or .shop.example for all below it',
  )

const seconds = z
  .int()
  .min(0)
  .max(365 * 86_400)

/** What a list shows of the fields below. */
export const offerListFields = {
  title: requiredLine(150),
  privacy: offerPrivacy,
  vertical: line(40),
  currency,
  tags,
  caps: z.array(offerCap).max(20),
}

/** What staff may edit of an offer: forms, answers, and the columns read and written follow from it. */
export const offerFields = {
  ...offerListFields,
  /** Destination with macros. */
  tracking_url: destination(),
  /** The destination may be an app address (`market://`, `itms-apps://`) and take the visitor's `{idfa}` and `{gaid}` along. */
  app_links: z.boolean(),
  preview_url: webAddress(),
  /** With macros; '' = the network's. */
  trafficback_url: webAddress(),
  /** HTML, sanitised on the server. */
  description: paragraph(20_000),
  kpi: paragraph(20_000),
  /** What it is called in links and lists of the platform it was moved from; '' = it was not. */
  external_id: line(100),
  /** Staff only. */
  notes: paragraph(),
  traffic_sources: z.array(requiredLine(40)).max(50),
  start_at: moment.nullable(),
  stop_at: moment.nullable(),
  /** Zone of the caps' periods. */
  time_zone: timeZone,
  hold_days: z.int().min(0).max(365),
  click_lifetime_days: z.int().min(1).max(3650),
  /** Seconds between click and conversion; null = no limit. */
  min_conversion_time: seconds.nullable(),
  max_conversion_time: seconds.nullable(),
  redirect_type: redirectType,
  deep_link_hosts: z.array(hostName).max(100),
  targeting,
  over_cap_action: overCapAction,
}

/** What offers of either type are made of, beside whose they are. */
export const offerParts = {
  ...offerFields,
  landings: offerLandingsInput,
  goals: z.array(goalInput).min(1, 'Add at least one goal').max(30),
}
type Parts = z.output<z.ZodObject<typeof offerParts>>

/** Refuses what does not go together in an offer of either type. */
export function checkParts(offer: Parts, context: { addIssue: (issue: { code: 'custom'; path: PropertyKey[]; message: string }) => void }) {
  const refuse = (path: (string | number)[], message: string) => context.addIssue({ code: 'custom', path, message })
  if (offer.goals.filter((one) => one.is_default).length !== 1) refuse(['goals'], 'Exactly one goal is the default one')
  if (offer.start_at !== null && offer.stop_at !== null && Date.parse(offer.stop_at) <= Date.parse(offer.start_at))
    refuse(['stop_at'], 'The end must be after the start')
  const { min_conversion_time: min, max_conversion_time: max } = offer
  if (min !== null && max !== null && max < min) refuse(['max_conversion_time'], 'Not less than the min CTIT')
  for (const { path, message } of capMistakes(offer.caps)) refuse(['caps', ...path], message)
  const landings = new Set(offer.landings.map((landing) => landing.landing_uuid))
  offer.goals.forEach((one, index) => {
    one.rules.forEach((rule, position) => {
      if (rule.landing_uuids.some((landing) => !landings.has(landing)))
        refuse(
          ['goals', index, 'rules', position, 'landing_uuids'],
          'This row is for a landing that is not in the offer: remove the row, or choose landings of this offer',
        )
    })
    if (offer.goals.findIndex((other) => other.code === one.code) !== index) refuse(['goals', index, 'code'], 'Another goal has this code')
  })
}

/** Refuses payout rows that can never win. */
export function checkRows({ goals }: Pick<Parts, 'goals'>, context: Parameters<typeof checkParts>[1]): void {
  for (const { goal, position, text } of deadRows(goals))
    context.addIssue({ code: 'custom', path: ['goals', goal, 'rules', position], message: text })
}

/** A whole direct-link offer as it may be stored: goals and payout rows are replaced as given. */
export const offerForm = z.object({ ...offerParts, advertiser_uuid: z.uuid('Choose an advertiser') }).superRefine(checkParts)
/** A new offer: none of its payout rows may be one that can never win. */
export const offerInput = offerForm.superRefine(checkRows)
export type OfferInput = z.input<typeof offerInput>
/**
 * A changed offer: rows that could never win before and were not touched may stay, so that they are in nobody's way.
 * `confirm`: what looks like a mistake of an active offer and is meant so.
 */
export const offerUpdate = offerForm.safeExtend({ version, confirm: someOf(activationWarning) })

/** Whether a payout row applies to everybody everywhere. */
export function isBaseRule(rule: {
  affiliate_uuids: unknown[]
  landing_uuids: unknown[]
  geos: unknown[]
  devices: unknown[]
  oses: unknown[]
}): boolean {
  return rule.affiliate_uuids.length + rule.landing_uuids.length + rule.geos.length + rule.devices.length + rule.oses.length === 0
}

/** An amount, a percentage of what the advertiser reports, or both. */
export const terms = z.object({ fixed: z.string(), percent: z.string() })

export const offer = z.object({
  uuid,
  id: z.int(),
  ...stored(offerListFields),
  type: offerType,
  status: offerStatus,
  /** null where it is none of the caller's business. */
  advertiser: reference.nullable(),
  geo: targeting.shape.geo,
  /** Base row of the default goal; null where it is missing. */
  payout: terms.nullable(),
  revenue: terms.nullable(),
  /** Affiliates that wait for a decision. */
  pending: z.int(),
  /** Whether the caller may change it. */
  editable: z.boolean(),
  created_at: moment,
  updated_at: moment,
})

export const offerDetail = offer.extend({
  /** Addresses and notes are '' where the offer is not the caller's own. */
  ...stored(offerFields),
  landings: z.array(offerLanding),
  goals: z.array(goal),
  /** The offer's own token; null = the advertiser's counts, or the offer is not the caller's own. */
  postback_token: z.string().nullable(),
  access_counts: z.object({ pending: z.int(), approved: z.int(), rejected: z.int(), blocked: z.int() }),
  /** One for each of `caps`, in their order. */
  cap_levels: z.array(capLevel),
  /** Whether its advertiser is active: without, an active offer takes no visitors, and affiliates see it as paused. */
  advertiser_active: z.boolean(),
  /** What activating it asks to have confirmed; nothing where the offer is not the caller's own. */
  doubts: z.array(activationWarning),
  network_names: networkNames,
  version,
})
