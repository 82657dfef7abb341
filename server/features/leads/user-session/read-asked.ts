import type { z } from 'zod'
import type { sessionFilters } from '#contract/leads/user-session.ts'
import type { Actor } from '#server/access/actor.ts'
import { moments } from '#server/features/traffic/report/report.service.ts'
import { canonicalEmail, canonicalPhone } from '#server/rules/lead/contact.ts'
import { resolvePeriod } from '#server/statistics/period.ts'
import type { LeadVault } from '../session/vault.ts'
import type { Contacts } from './user-session.queries.ts'

/** What filters of sessions ask for: days as moments, a searched contact as the hashes it is found by. */
export function readAsked<Asked extends z.output<z.ZodObject<typeof sessionFilters>>>(
  filters: Asked,
  actor: Actor,
  vault: LeadVault,
  now: number,
) {
  const within = filters.period === null ? null : moments(resolvePeriod(filters.period, filters.zone ?? actor.timeZone, now).range)
  return {
    asked: { ...filters, from: within?.from ?? null, to: within?.to ?? null },
    contacts: contactsIn(filters.search, vault),
  }
}

/** The hashes by which a whole telephone or e-mail address is found; null where the text is none. */
export function contactsIn(text: string, vault: LeadVault): Contacts {
  const phone = text === '' ? undefined : canonicalPhone(text, '')
  const email = canonicalEmail(text)
  return {
    phone: phone === undefined ? null : vault.hash('phone', phone),
    email: email.includes('@') ? vault.hash('email', email) : null,
  }
}
