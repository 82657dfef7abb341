import { START_ERRORS } from './start-errors.ts'

/**
 * Every error the API can answer with: one table of code, HTTP status and text.
 *
 * The six codes of the specification (400, 401, 403, 404, 500, 502) keep their texts to the letter; all others have
 * numbers of their own from 1000 up, so that the web never mistakes "wrong password" for "please log in".
 */
export const ERRORS = {
  ...START_ERRORS,
  link_for_admins: {
    code: 1007,
    status: 409,
    text: 'Only an admin or head is shown this link, and it cannot be mailed yet. Ask one of them for it.',
  },
  account_unverified: {
    code: 1065,
    status: 422,
    text: 'Confirm your e-mail address first, by the link we mailed you. If it has expired, open it all the same: its page mails you another.',
  },
  account_moderation: { code: 1066, status: 422, text: 'Your application is being looked at. We mail you as soon as it is decided.' },
  account_rejected: { code: 1067, status: 422, text: 'Your application was declined. The mail about it says why.' },
  unsupported_media: { code: 1014, status: 415, text: 'This kind of content is not accepted here.' },
  disk_full: {
    code: 1019,
    status: 507,
    text: 'The disk of the server is full: nothing was saved. Ask an admin to make room, then try again.',
  },
  report_too_heavy: { code: 1016, status: 422, text: 'This report takes too long. Choose a shorter period or fewer groupings.' },
  range_too_long: { code: 1017, status: 422, text: 'The period is too long for this grouping. Choose a shorter one.' },
  statistics_away: { code: 1018, status: 503, text: 'Statistics cannot be reached at the moment. Nothing is lost; please try again.' },
  base_rule_missing: { code: 1020, status: 422, text: 'Each goal needs a base payout row before the offer can be active.' },
  status_not_allowed: { code: 1021, status: 409, text: 'This change of status is not allowed.' },
  reference_in_use: { code: 1022, status: 409, text: 'This is still in use and cannot be removed.' },
  unknown_reference: { code: 1023, status: 422, text: 'Something you refer to does not exist or is not yours.' },
  offer_incomplete: { code: 1030, status: 422, text: 'The offer is not ready to be active. Some fields need your attention.' },
  access_needed: { code: 1031, status: 409, text: 'You need access to this offer first.' },
  access_closed: { code: 1032, status: 409, text: 'Access to this offer cannot be asked for.' },
  own_account: { code: 1033, status: 409, text: 'You cannot change your own role or status.' },
  last_admin: { code: 1034, status: 409, text: 'The last active admin has to stay.' },
  limit_reached: { code: 1035, status: 409, text: 'The limit is reached. Remove something first.' },
  offer_not_live: { code: 1036, status: 409, text: 'This offer takes no visitors just now.' },
  offer_doubtful: { code: 1037, status: 409, text: 'This offer looks unfinished: confirm what is named, or mend it.' },
  key_scope: { code: 1060, status: 403, text: 'This API key lacks the scope for this call.' },
  key_never: { code: 1061, status: 403, text: 'An API key cannot do this. Do it in the panel.' },
  key_offers: { code: 1069, status: 403, text: 'This API key sends and reads leads of the offers it is bound to, and does nothing else.' },
  acting_read_only: { code: 1064, status: 403, text: 'You are only looking. Allow changes first.' },

  mail_missing: { code: 1068, status: 409, text: 'Mail is not set up yet. An admin names a server and a sender in the settings of mail.' },

  invoice_changed: { code: 1080, status: 409, text: 'This invoice changed since you opened it. Reload to see what is new.' },
  already_invoiced: {
    code: 1081,
    status: 409,
    text: '{{n}} conversions were left out: they are on another invoice already, or not approved any more or not yet.',
  },
  four_eyes: {
    code: 1082,
    status: 409,
    text: 'Somebody else has to do this: you made it, edited it last or brought in results on it, or somebody did whose account you had in hand within 30 days. Who may: {{who}}.',
  },
  paid_already: { code: 1083, status: 409, text: 'A payment for this invoice is on its way or done.' },
  issued_is_final: {
    code: 1084,
    status: 409,
    text: 'An issued invoice cannot be changed or deleted. Cancel it with a credit note.',
  },
  lines_changed: {
    code: 1085,
    status: 409,
    text: 'Conversions of this invoice have changed since. Refresh its lines, or leave the difference to the next invoice.',
  },
  below_minimum: { code: 1088, status: 422, text: '{{available}} is below the minimum of {{minimum}}.' },
  method_locked: { code: 1089, status: 409, text: 'The payment method was changed. It can be used from {{time}}.' },
  method_invalid: { code: 1090, status: 422, text: '{{field}} is not valid: {{reason}}.' },
  request_open: { code: 1091, status: 409, text: 'You have asked for a payout in this currency already. Withdraw that request first.' },
  affiliate_owes: {
    code: 1111,
    status: 409,
    text: 'Owed to the network: {{debts}}. What is earned next goes against that first; confirm to go on even so and leave it to a later invoice.',
  },
  nothing_to_invoice: { code: 1086, status: 422, text: 'There is nothing to put on an invoice.' },
  profile_incomplete: { code: 1092, status: 422, text: '{{name}}: {{fields}} are missing for an invoice.' },
  vat_changed: {
    code: 1142,
    status: 409,
    text: 'The VAT on this invoice is not what was decided since: {{now}}. Take the present VAT first.',
  },
  more_than_there: {
    code: 1145,
    status: 409,
    text: 'Only {{there}} of it is left by now. Refuse this, and propose no more than that.',
  },
  receipt_overtaken: {
    code: 1153,
    status: 409,
    text: 'What this receipt was to pay is not open any more: {{invoices}}. Refuse it and book it anew: there the rest can be given to other invoices, or kept as paid in advance.',
  },
  nothing_to_credit: { code: 1110, status: 422, text: 'There is nothing to take back by a credit note.' },
  in_payout_file: { code: 1093, status: 409, text: 'This payment belongs to a payout file. Say there what became of it.' },
  undo_too_late: { code: 1097, status: 409, text: '{{n}} conversions are on issued invoices. Make a counter-batch instead.' },
  nothing_to_pay: { code: 1095, status: 422, text: 'Nothing is due that could be paid by this file.' },
  books_differ: {
    code: 1094,
    status: 409,
    text: 'The books do not agree since {{time}}. Payments stay closed until an admin has looked.',
  },
  proposal_open: {
    code: 1121,
    status: 409,
    text: 'Something of this invoice waits for a second person. Confirm or refuse that first.',
  },
  rate_missing: { code: 1130, status: 422, text: 'There is no rate for {{currency}} on {{day}}. Add it in settings.' },
  objection_open: {
    code: 1122,
    status: 409,
    text: 'The affiliate objects to this invoice. Answer the objection, or take the invoice back and change it.',
  },
  objection_late: { code: 1123, status: 409, text: 'The time to object to this invoice is over. Write to us in a ticket.' },
  own_invoice_missing: {
    code: 1124,
    status: 409,
    text: 'The affiliate has not uploaded its own invoice yet, which is due before payment.',
  },
  changes_by_line: {
    code: 1147,
    status: 409,
    text: 'What has changed on this invoice goes on the affiliate’s next invoice as a correction. Make that one, or choose credit notes for this affiliate under “Changes of issued invoices”.',
  },
  method_unconfirmed: {
    code: 1146,
    status: 409,
    text: 'A change of where you are paid is confirmed by a code: set up a second factor under Security first. This network sends no mail yet.',
  },
  number_day: { code: 1087, status: 409, text: 'A later invoice has its number already: the day of this server lies before it.' },
  lead_offer_closed: {
    code: 1149,
    status: 403,
    text: 'This offer takes no leads of yours: it is not active, or you have no access to it.',
  },
  four_eyes_nobody: {
    code: 1151,
    status: 409,
    text: 'Nobody may do this as it is: everybody with the right made it or edited it last, or it was somebody whose account they had in hand within 30 days. Delete it and make it anew, so that whoever did not make it can decide, or give the right to one more person.',
  },
  key_reused: {
    code: 1170,
    status: 409,
    text: 'This Idempotency-Key was sent with another call. Give each call a key of its own.',
  },
  lead_refused: { code: 1152, status: 422, text: 'This lead is not taken: {{code}}.' },
  lead_id_taken: { code: 1148, status: 409, text: 'Another lead was sent in under this id. Send each lead under an id of its own.' },
  reveal_closed: {
    code: 1160,
    status: 409,
    text: 'The settings of security let nobody of your role look at contacts.',
  },
  reveal_limit: {
    code: 1161,
    status: 409,
    text: 'You have looked at the contacts of {{most}} leads within 24 hours, which is the most your role may. The next is free from {{time}}.',
  },
  send_decided: {
    code: 1163,
    status: 409,
    text: 'Something else was decided about this lead meanwhile. Its story says what.',
  },
  look_up_missing: {
    code: 1164,
    status: 409,
    text: 'This lead cannot be looked up: the system gives no list, or has not told by which ID it knows the lead.',
  },
  export_closed: {
    code: 1180,
    status: 409,
    text: 'The settings of security let nobody of your role export contacts.',
  },
  export_limit: {
    code: 1181,
    status: 409,
    text: 'These are {{rows}} leads, and you may export the contacts of {{left}} more within 24 hours. Narrow the filters.',
  },
  export_empty: { code: 1182, status: 409, text: 'No lead that the filters find has contacts that are still kept.' },
  export_gone: {
    code: 1183,
    status: 409,
    text: 'This file is not there: it is not made yet, or was deleted. Files with contacts are kept for a day.',
  },
  lead_list_in_use: {
    code: 1188,
    status: 409,
    text: 'The list “{{title}}” is used by {{names}}. End or delete that first.',
  },
  lead_list_archived: { code: 1189, status: 409, text: 'The list “{{title}}” is archived. Take it out of the archive first.' },
  lead_list_import_sent: {
    code: 1192,
    status: 409,
    text: 'People of this file were sent already, or are being sent: take those out by hand who should not be.',
  },
  recold_not_ready: { code: 1190, status: 422, text: 'This distribution cannot be started yet. Some fields need your attention.' },
  stuck_still: { code: 1191, status: 422, text: 'Nothing can be made of it yet: {{reason}}.' },
  cold_rule_not_tried: {
    code: 1195,
    status: 409,
    text: 'Version {{number}} of this rule was not run dry yet. Run it dry first and look at whom it would take.',
  },
  cold_rule_no_owner: { code: 1196, status: 409, text: 'Whose rule this is leads no team any more, so it takes nobody.' },
  contacts_gone: { code: 1162, status: 409, text: 'The contacts of this person are kept no longer.' },
} as const satisfies Record<string, { code: number; status: number; text: string }>

export type ErrorCode = keyof typeof ERRORS
