/**
 * What we say ourselves of a call that came to no answer of theirs, as it is kept and logged; `{name}` stands for a value. All else
 * that is kept beside a call are the advertiser's own words. Screens say these in their language.
 */
export const CALL_REASONS = {
  timeout: 'No answer in time',
  passed_on: 'No answer in time: the next one was asked',
  cut: 'The connection was cut before they answered',
  unreadable: 'What they answered could not be read',
  connect: 'No connection',
  refused: 'The address may not be called',
  no_rule: 'HTTP {status}, and no rule fits the answer',
  by_rule: 'HTTP {status}, as rule {rule} says',
  stopped: 'Ohma was stopped before the answer came',
  log_in: 'Another log-in is under way',
  too_long: 'Nothing was sent: {field} grows longer than a call may hold',
  missing: 'Nothing was sent: {fields} is missing',
  step_lacks: 'The answer of {step} holds no {value}',
  other_lead: 'Their ID {id} is another lead’s',
  too_slow: 'The patterns of the integration take too long for this answer',
  no_data: 'no JSON and no XML',
  said_error: 'an error in the answer',
  no_rows: 'no list of rows',
  many_rows: 'more than {most} rows at once',
  rows_failed: 'Rows that could not be applied: {count}; the log of the server tells why',
  list_cut: 'The list has more than {most} pages: the rest is read by the next pull',
  many_pages: 'The list has more than {most} pages, and was given up',
  not_asked: 'It could not be asked: the log of the server tells why',
} as const
export type CallReason = keyof typeof CALL_REASONS

/** The text of one, with its values. */
export function sayCallReason(reason: CallReason, values: Readonly<Record<string, string | number>> = {}): string {
  return CALL_REASONS[reason].replaceAll(/\{(\w+)\}/g, (_all, name: string) => String(values[name] ?? ''))
}

const PATTERNS = Object.entries(CALL_REASONS).map(([reason, text]) => ({
  reason: reason as CallReason, // its own keys
  pattern: new RegExp(`^${text.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&').replaceAll(/\{(\w+)\}/g, '(?<$1>.+)')}$`),
}))

/** Which of them a text is; of a step before the call its name stands before it. Null = it is not ours. */
export function readCallReason(text: string): { step: string; reason: CallReason; values: Readonly<Record<string, string>> } | null {
  const [, step = '', said = text] = /^([\w-]+): (.+)$/.exec(text) ?? []
  for (const { reason, pattern } of PATTERNS) {
    const found = pattern.exec(said)
    if (found !== null) return { step, reason, values: found.groups ?? {} }
  }
  return null
}
