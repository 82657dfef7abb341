/** Answered 404 and counted in a metric only, with a sample of 1 % in the log: no row says so. */
const UNSTORED_REFUSALS = ['malformed', 'unknown_offer', 'unknown_affiliate'] as const

/** The refusals that rows of clicks may have. */
export const STORED_REFUSALS = [
  'affiliate_inactive',
  'advertiser_inactive',
  'credit_blocked',
  'offer_inactive',
  'outside_dates',
  'no_access',
  'landing_inactive',
  'targeting_geo',
  'targeting_region',
  'targeting_city',
  'targeting_device',
  'targeting_os',
  'targeting_os_version',
  'targeting_browser',
  'targeting_language',
  'targeting_network',
  'conversion_cap',
] as const

/** How an affiliate reads a refusal: what an advertiser owes is nothing it hears of. */
export const TOLD_REFUSALS: Readonly<Record<string, Refusal>> = { credit_blocked: 'advertiser_inactive' }

/** Why a click was refused, in the order in which the checks run; the first that fails wins. */
export const REFUSALS = [...UNSTORED_REFUSALS, ...STORED_REFUSALS] as const
export type Refusal = (typeof REFUSALS)[number]

/**
 * The refusals as a network thinks of them when it says where such visitors go: each that is stored stands in one group.
 * The address of a group is the field `<group>_url` of the trafficback settings.
 */
export const REFUSAL_GROUPS = {
  affiliate: ['affiliate_inactive'],
  offer: ['advertiser_inactive', 'credit_blocked', 'offer_inactive', 'landing_inactive'],
  dates: ['outside_dates'],
  access: ['no_access'],
  place: ['targeting_geo', 'targeting_region', 'targeting_city'],
  visitor: ['targeting_device', 'targeting_os', 'targeting_os_version', 'targeting_browser', 'targeting_language', 'targeting_network'],
  cap: ['conversion_cap'],
} as const satisfies Record<string, readonly (typeof STORED_REFUSALS)[number][]>
export type RefusalGroup = keyof typeof REFUSAL_GROUPS

const GROUP_OF = new Map<string, RefusalGroup>(
  // the keys of a constant are its own names
  (Object.keys(REFUSAL_GROUPS) as RefusalGroup[]).flatMap((group) => REFUSAL_GROUPS[group].map((reason) => [reason, group] as const)),
)

/** The group a refusal stands in; null of those no row has. */
export function refusalGroup(reason: string): RefusalGroup | null {
  return GROUP_OF.get(reason) ?? null
}

/** By what a refused click found its way: its offer's address, that of its reason, the network's, or none. */
export const TRAFFICBACK_WAYS = ['offer', 'reason', 'network', 'page'] as const
