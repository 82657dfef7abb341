import type { CallStatus } from '#contract/leads/call-status.ts'

/** What a call centre says, in the words most brokers' systems use for it. */
const SALE_WORDS: Readonly<Record<CallStatus, string>> = {
  new: 'New',
  in_progress: 'In progress',
  no_answer: 'No answer',
  callback: 'Callback',
  not_interested: 'Not interested',
  other_company: 'Other company',
  unreachable: 'Not reachable',
  invalid_data: 'Wrong info',
  language_or_geo: 'Wrong language',
  under_age: 'Under 18',
  do_not_call: 'Do not call',
  duplicate: 'Duplicate',
  spam_fraud: 'Fraud',
  test: 'Test',
  registered: 'Registered',
  failed_payment: 'Failed deposit',
  sale: 'Depositor',
  shipped: 'Shipped',
  delivered: 'Delivered',
  returned: 'Returned',
  cancelled: 'Cancelled',
}

/** What a sender's system is told of a lead; one nobody has called yet is new. */
export function saleWord(status: CallStatus | null): string {
  return SALE_WORDS[status ?? 'new']
}
