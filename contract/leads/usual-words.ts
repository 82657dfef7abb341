import type { CallStatus } from './call-status.ts'
import type { IntegrationType } from './integration-type.ts'

type Words = Readonly<Record<string, CallStatus>>

/** What any call centre writes while it works, and when there is nothing more to work on. */
const WORK = {
  new: 'new',
  'new lead': 'new',
  'in progress': 'in_progress',
  'in work': 'in_progress',
  'initial call': 'in_progress',
  potential: 'in_progress',
  'high potential': 'in_progress',
  'no answer': 'no_answer',
  noanswer: 'no_answer',
  'hung up': 'no_answer',
  voicemail: 'no_answer',
  busy: 'no_answer',
  callback: 'callback',
  'call back': 'callback',
  'call again': 'callback',
  'call later': 'callback',
  'follow up': 'callback',
  'not interested': 'not_interested',
  'no interest': 'not_interested',
  notinterested: 'not_interested',
  'low potential': 'not_interested',
  'wrong number': 'unreachable',
  'invalid number': 'unreachable',
  'not reachable': 'unreachable',
  'wrong info': 'invalid_data',
  'wrong person': 'invalid_data',
  'wrong language': 'language_or_geo',
  'language barrier': 'language_or_geo',
  'wrong country': 'language_or_geo',
  'under 18': 'under_age',
  'do not call': 'do_not_call',
  duplicate: 'duplicate',
  double: 'duplicate',
  fraud: 'spam_fraud',
  spam: 'spam_fraud',
  test: 'test',
} as const satisfies Words

/** What call centres of brokers write; a deposit is a sale. */
export const CALL_WORDS = { ...WORK, depositor: 'sale', deposit: 'sale', ftd: 'sale' } as const satisfies Words

const ACCOUNT = { registered: 'registered', registration: 'registered', 'account opened': 'registered', reg: 'registered' } as const

const PARCEL = {
  wait: 'new',
  pending: 'new',
  processing: 'in_progress',
  confirmed: 'sale',
  confirm: 'sale',
  approved: 'sale',
  approve: 'sale',
  shipped: 'shipped',
  delivered: 'delivered',
  returned: 'returned',
  return: 'returned',
  cancelled: 'cancelled',
  canceled: 'cancelled',
  cancel: 'cancelled',
  rejected: 'cancelled',
  'out of stock': 'cancelled',
  expired: 'cancelled',
  trash: 'invalid_data',
} as const satisfies Words

const FORM = {
  pending: 'new',
  approved: 'sale',
  sold: 'sale',
  rejected: 'cancelled',
  cancelled: 'cancelled',
  trash: 'invalid_data',
} as const

/**
 * What words for what became of a lead mean in each kind, where an integration names none of its own. Words two systems of one kind use
 * in two ways (hold, accept, numbers) are in none: they wait for a person.
 */
export const USUAL_WORDS: Readonly<Record<IntegrationType, Words>> = {
  nutra_cod: { ...WORK, ...PARCEL },
  finance_trading: { ...CALL_WORDS, ...ACCOUNT },
  gambling: { ...CALL_WORDS, ...ACCOUNT },
  dating: { ...WORK, ...ACCOUNT, soi: 'registered' },
  loans_insurance: { ...WORK, ...FORM },
  education_leadgen: { ...WORK, ...FORM },
  sweepstakes: { ...WORK, ...FORM },
  generic: WORK,
}
