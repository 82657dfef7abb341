/** Answered 404 and counted in a metric only, with a sample of 1 % in the log: no row says so. */
const UNSTORED_REFUSALS = ['malformed', 'unknown_offer', 'unknown_affiliate'] as const

/** The refusals that rows of clicks may have. */
export const STORED_REFUSALS = [
  'affiliate_inactive',
  'advertiser_inactive',
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

/** Why a click was refused, in the order in which the checks run; the first that fails wins. */
export const REFUSALS = [...UNSTORED_REFUSALS, ...STORED_REFUSALS] as const
export type Refusal = (typeof REFUSALS)[number]
