import type { Words } from '#web/kit/status/status-look.ts'

/** What a call is called where people read of it: the lead itself, asking what became of leads, or a step by its name. */
export function stepName(step: string, words: Words): string {
  return step === '' ? words('call.lead') : step === 'pull' ? words('call.pull') : words('call.step', { name: step })
}
