/** What became of an advertiser's postback; changed: its status, and the amount where one came; held_for_review: it would change what is paid, and waits for staff, who apply it or refuse it; declined: an approval that found a full cap; repeat: nothing new. */
export const POSTBACK_OUTCOMES = [
  'created',
  'changed',
  'amount_changed',
  'declined',
  'repeat',
  'refused',
  'waiting',
  'unmatched',
  'held_for_review',
  'test',
] as const
export type PostbackOutcome = (typeof POSTBACK_OUTCOMES)[number]

/** Why a postback was refused: the HTTP status it is answered with, and the sentence the advertiser reads. */
export const POSTBACK_REFUSALS = {
  click_id_missing: { status: 400, text: 'click_id is missing.' },
  click_id_elsewhere: { status: 422, text: 'The click id stands under another name than click_id.' },
  click_id_unknown: { status: 404, text: 'This click_id is not one of ours.' },
  not_ours: { status: 200, text: 'This order did not come by a click of ours. The call is kept, and nothing was booked.' },
  refund_early: {
    status: 200,
    text: 'The order of this refund is not booked yet. The refund is kept, and taken off the order once it is.',
  },
  offer_unknown: { status: 404, text: 'The offer of this click does not exist.' },
  token_wrong: { status: 401, text: 'The token is missing or wrong.' },
  signature_wrong: { status: 401, text: 'The signature is wrong.' },
  signature_stale: { status: 401, text: 'The timestamp of the signature is more than five minutes off.' },
  ip_not_allowed: { status: 403, text: 'This address is not on the list of the advertiser.' },
  body_invalid: { status: 400, text: 'The body cannot be read.' },
  body_list: { status: 422, text: 'A list cannot be taken: send one call for each result.' },
  body_nested: { status: 422, text: 'A value stands in a list or deeper than the first level, where nothing is read.' },
  body_unread: { status: 422, text: 'The body is neither a form nor a flat JSON object, and nothing else is read.' },
  method_unread: { status: 405, text: 'Postbacks are sent by GET, POST or PUT.' },
  path_unknown: { status: 404, text: 'Postbacks go to /postback. This call is kept, and nothing was booked.' },
  placeholder: { status: 422, text: 'A parameter still holds a placeholder instead of a value.' },
  ambiguous: { status: 422, text: 'The parameters contradict each other.' },
  goal_unknown: { status: 422, text: 'The offer has no such goal, and the word is not mapped to one.' },
  status_unknown: { status: 422, text: 'Unknown status. Use pending, approved, hold, declined or trash, or have the word mapped.' },
  status_missing: {
    status: 422,
    text: 'The call gives a reason for turning something down, and no status. Send the status too, or no reason where nothing was turned down.',
  },
  test_call: { status: 422, text: 'The call says that it is a test, and its click is real. Nothing was booked.' },
  amount_unknown: { status: 422, text: 'The amount is missing or under a name that is not known. Send it as amount.' },
  amount_ambiguous: { status: 422, text: 'The amount can be read in two ways.' },
  amount_invalid: { status: 422, text: 'amount must be a number with at most eight decimals; below 0 only for CPS and RevShare goals.' },
  currency_unknown: { status: 422, text: 'Unknown currency.' },
  rate_missing: { status: 422, text: 'There is no rate for this currency.' },
  transaction_id_invalid: { status: 422, text: 'txn_id may have at most 255 characters.' },
  transaction_id_missing: { status: 422, text: 'This goal needs a txn_id.' },
  transaction_of_other_click: { status: 409, text: 'This txn_id belongs to another click.' },
  already_converted: { status: 409, text: 'This click has already converted for this goal.' },
  click_refused: { status: 422, text: 'This click was refused when it came.' },
  click_expired: { status: 422, text: 'The click is older than the offer allows.' },
  too_early: { status: 422, text: 'Too little time passed between click and conversion.' },
  too_late: { status: 422, text: 'Too much time passed between click and conversion.' },
  transition_not_allowed: { status: 409, text: 'The conversion cannot take this status any more.' },
  payout_rule_missing: { status: 422, text: 'The goal has no payout.' },
} as const satisfies Record<string, { status: number; text: string }>
export type PostbackRefusal = keyof typeof POSTBACK_REFUSALS

/** Refusals of what was not understood, from who is no stranger: a mapping, or another name or value in the advertiser's system, mends them. */
export const NEEDS_MAPPING = [
  'path_unknown',
  'click_id_elsewhere',
  'goal_unknown',
  'status_unknown',
  'status_missing',
  'amount_unknown',
  'amount_ambiguous',
  'ambiguous',
  'placeholder',
  'body_nested',
  'body_list',
  'body_unread',
  'method_unread',
] as const satisfies readonly PostbackRefusal[]
