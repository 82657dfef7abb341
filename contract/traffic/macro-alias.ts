/*
 * What other platforms call our macros in the postbacks of their partners (reference: postback-dialects 2): an address that
 * was written for one of them works here as it stands. Only names of which each means one thing wherever it is used.
 */
const NAMES: Readonly<Record<string, string>> = {
  payout: 'sum payout_amount affiliate_payout',
  transaction_id: 'transactionid txn_id txnid',
  offer_id: 'offerid oid',
  pid: 'affiliate_id affid aff_id publisher_id',
  aff_external_id: 'affiliate_ref aff_ref',
  aff_click_id: 'affclickid ref_id external_id externalid',
  status: 'conv_status conversion_status',
  goal: 'goal_id goal_value goal_alias event_name event_id',
  geo: 'country country_code',
  ua: 'user_agent uagent',
  source: 'source_id sub_aff_id',
  random: 'rand ran',
  conversion_time: 'datetime',
}

const SUBS = Array.from({ length: 10 }, (_none, index) => index + 1).flatMap((number) =>
  [`aff_sub${number}`, `sub_id${number}`, `sub_id_${number}`, `subid${number}`, `s${number}`, `p${number}`].map(
    (name) => [name, `sub${number}`] as const,
  ),
)

/** Our macro by another platform's name for it. */
export const MACRO_ALIASES: ReadonlyMap<string, string> = new Map([
  ...Object.entries(NAMES).flatMap(([macro, names]) => names.split(' ').map((name) => [name, macro] as const)),
  ['aff_sub', 'sub1'],
  ...SUBS,
])

/** Macros in another system's brackets, which stay as they were typed: `${SUBID}`, `#{x}`, `{{x}}`, `{$x}`. */
export const FOREIGN_MACRO = /[$#]\{[^{}\s"<>\\^`]*\}|\{\{[^{}\s"<>\\^`]*\}\}|\{\$[^{}\s"<>\\^`]*\}/g

/** Those that hold a `#`, where an address would end: `##SUBID##` and `#{x}`. They are encoded when a postback is sent. */
export const HASHED_MACRO = /##[^#\s]+##|#\{[^{}\s"<>\\^`]*\}/g
