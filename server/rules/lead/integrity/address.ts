import type { IntegritySettings } from '#contract/leads/integrity.ts'
import { isProgram } from '#server/rules/click/bot.ts'
import type { Check, Finding } from './snapshot.ts'

/** Programs that fill in forms, and addresses of machines rather than of people. */
export const checkIp: Check<IntegritySettings['ip']> = ({ ip, userAgent, address }) => {
  const found: Finding[] = []
  if (userAgent !== '' && isProgram(userAgent)) found.push({ found: 'ip_program', field: 'user_agent', weight: 70 })
  if (ip === '') return [...found, { found: 'ip_missing', field: 'ip', weight: 0 }]
  if (address === null) return [...found, { found: 'ip_unknown', field: 'ip', weight: 0 }]
  if (address.reserved) found.push({ found: 'ip_reserved', field: 'ip', weight: 30 })
  else if (address.hosting) found.push({ found: 'ip_hosting', field: 'ip', weight: 50, detail: { network: address.network } })
  return found
}

/** An address in another country than the lead says. */
export const checkGeo: Check<IntegritySettings['geo']> = ({ ip, country, address }) => {
  if (ip === '' || country === '' || address?.reserved) return []
  if (address === null || address.country === '') return [{ found: 'geo_unknown', field: 'ip', weight: 0 }]
  if (address.country === country) return []
  return [{ found: 'geo_ip', field: 'ip', weight: 40, detail: { country: address.country, told: country } }]
}
