import type { Clock } from '#server/platform/clock.ts'
import type { TermsOf } from './interpret.service.ts'

const REMEMBERED_MS = 2_000

/** Asks for each offer once. */
export function onceEach(termsOf: TermsOf): TermsOf {
  const known = new Map<number, ReturnType<TermsOf>>()
  return (offerId) => {
    const asked = known.get(offerId) ?? termsOf(offerId)
    known.set(offerId, asked)
    return asked
  }
}

/** Asks at most once in a while; a failure is asked again. */
export function remembered<Value>(clock: Clock, ask: () => Promise<Value>): () => Promise<Value> {
  let known: { at: number; value: Promise<Value> } | null = null
  return () => {
    if (known === null || Math.abs(clock.now() - known.at) > REMEMBERED_MS) {
      const asked = { at: clock.now(), value: ask() }
      asked.value.catch(() => (known = null))
      known = asked
    }
    return known.value
  }
}
