import { consentRegionOf, type coldConsentSetting } from '#contract/leads/cold-consent.ts'
import type { ConsentGate, PersonConsent } from '#server/rules/lead/cold/skip.ts'

type Named = { id: number; uuid: string; name: string }

/** What a lead's consent says, as the advertisers it names; one that names nobody known names somebody else. */
export function readConsent(consent: Readonly<Record<string, unknown>> | null, advertisers: readonly Named[]): PersonConsent | null {
  if (consent === null) return null
  const at = typeof consent.given_at === 'string' ? Date.parse(consent.given_at) : Number.NaN
  const names = Array.isArray(consent.recipients) ? new Set(consent.recipients.map((one) => String(one).trim().toLowerCase())) : null
  return {
    givenAt: Number.isNaN(at) ? null : at,
    recipients:
      names === null || names.size === 0
        ? null
        : new Set(advertisers.filter(({ uuid, name }) => names.has(uuid) || names.has(name.trim().toLowerCase())).map(({ id }) => id)),
  }
}

/** How consents are looked at where somebody lives. */
export function gateFor(gates: typeof coldConsentSetting.defaults, country: string): ConsentGate {
  return gates[consentRegionOf(country)]
}
