import { readCallReason } from '#contract/leads/call-reason.ts'
import type english from '#web/features/leads/call/call-reason.late.en.json'
import type { Words } from '#web/kit/status/status-look.ts'

declare module '#web/i18n/texts.ts' {
  interface Texts {
    callReason: typeof english
  }
}

/** Why a call came to nothing: in the words of this language where they are ours, else in the advertiser's. Its page loads the texts `callReason`. */
export function callReasonWords(reason: string, t: Words): string {
  const own = readCallReason(reason)
  if (own === null) return reason
  return `${own.step === '' ? '' : `${own.step}: `}${t(`callReason:${own.reason}`, own.values)}`
}
