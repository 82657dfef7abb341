import type { ConsentRule } from '#contract/leads/api-offer.ts'

/** What of a consent an offer asks for is not there, by the names of the lead API; `consent` alone where there is none at all. */
export function missingOfConsent(
  { fields }: Pick<ConsentRule, 'fields'>,
  consent: Readonly<Record<string, unknown>> | null | undefined,
): string[] {
  if (consent === null || consent === undefined) return ['consent']
  return fields.filter((name) => typeof consent[name] !== 'string' || consent[name] === '').map((name) => `consent.${name}`)
}
