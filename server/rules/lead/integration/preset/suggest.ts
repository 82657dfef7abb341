import type { CallStatus } from '#contract/leads/call-status.ts'
import { INTEGRATION_PRESETS } from './preset.ts'

/** Parts of words by what they usually speak of; the first that is found counts. What is money stands nowhere here: it is never suggested by a part. */
const PARTS: readonly (readonly [part: string, status: CallStatus])[] = [
  ['not interest', 'not_interested'],
  ['no interest', 'not_interested'],
  ['declin', 'not_interested'],
  ['call back', 'callback'],
  ['callback', 'callback'],
  ['call later', 'callback'],
  ['follow', 'callback'],
  ['do not call', 'do_not_call'],
  ["don't call", 'do_not_call'],
  ['no answer', 'no_answer'],
  ['noanswer', 'no_answer'],
  ['voice', 'no_answer'],
  ['busy', 'no_answer'],
  ['hung', 'no_answer'],
  ['wrong number', 'unreachable'],
  ['invalid number', 'unreachable'],
  ['reach', 'unreachable'],
  ['language', 'language_or_geo'],
  ['country', 'language_or_geo'],
  ['under 18', 'under_age'],
  ['underage', 'under_age'],
  ['duplic', 'duplicate'],
  ['double', 'duplicate'],
  ['fraud', 'spam_fraud'],
  ['spam', 'spam_fraud'],
  ['fake', 'invalid_data'],
  ['invalid', 'invalid_data'],
  ['trash', 'invalid_data'],
  ['wrong', 'invalid_data'],
  ['return', 'returned'],
  ['refund', 'returned'],
  ['chargeback', 'returned'],
  ['charge back', 'returned'],
  ['charged back', 'returned'],
  ['cancel', 'cancelled'],
  ['ship', 'shipped'],
  ['test', 'test'],
  ['progress', 'in_progress'],
  ['in work', 'in_progress'],
  ['pending', 'in_progress'],
  ['new', 'new'],
]

/** What other systems mean by their words; one they disagree about says nothing, and neither does a bare number. */
const KNOWN: ReadonlyMap<string, CallStatus | null> = (() => {
  const known = new Map<string, CallStatus | null>()
  for (const { spec } of INTEGRATION_PRESETS)
    for (const [word, status] of Object.entries(spec.statuses ?? {}))
      if (!/^-?\d+$/.test(word)) known.set(word, known.has(word) && known.get(word) !== status ? null : status)
  return known
})()

/** What a word nobody has mapped might mean, for a person to confirm or not; nothing is applied by it. */
export function suggestStatus(word: string): CallStatus | undefined {
  const exact = KNOWN.get(word)
  if (exact !== undefined) return exact ?? undefined
  return PARTS.find(([part]) => word.includes(part))?.[1]
}
