import { expect, test } from 'vitest'
import { CALL_REASONS, sayCallReason, type CallReason } from '#contract/leads/call-reason.ts'
import { callReasonWords } from '#web/call-reason.ts'
import ukrainian from '#web/features/leads/call/call-reason.late.uk.json'

/** Ukrainian as the panel says it. */
const t = (key: string, values: Record<string, unknown> = {}) =>
  (ukrainian as Record<string, string>)[key.replace('callReason:', '')]?.replaceAll(/\{\{(\w+)\}\}/g, (_all, name: string) =>
    String(values[name]),
  ) ?? key

test('whatever we say of a call is told in the language of who reads it, with its values; the advertiser’s own words stay', () => {
  expect(callReasonWords('HTTP 503, and no rule fits the answer', t)).toBe('HTTP 503, жодне правило не підходить до відповіді')
  expect(callReasonWords('log-in: No answer in time', t)).toBe('log-in: Відповіді не було вчасно')
  const names = Object.keys(CALL_REASONS) as CallReason[] // its own keys
  for (const name of names) {
    const values = Object.fromEntries([...CALL_REASONS[name].matchAll(/\{(\w+)\}/g)].map(([, value = '']) => [value, `<${value}: a, b>`]))
    const told = callReasonWords(sayCallReason(name, values), t)
    expect(told).toBe(t(`callReason:${name}`, values))
    expect(told).toMatch(/[а-яі]/)
  }
  for (const theirs of ['', 'Email is already registered', 'error: No connection to CRM', 'timeout of user'])
    expect(callReasonWords(theirs, t)).toBe(theirs)
})
