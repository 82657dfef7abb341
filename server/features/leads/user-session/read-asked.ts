import type { z } from 'zod'
import type { sessionFilters } from '#contract/leads/user-session.ts'
import type { Actor } from '#server/access/actor.ts'
import { trafficOf } from '#server/access/traffic-type.ts'
import { moments } from '#server/features/traffic/report/report.service.ts'
import { canonicalEmail, canonicalPhone } from '#server/rules/lead/contact.ts'
import { resolvePeriod } from '#server/statistics/period.ts'
import type { LeadVault } from '../session/vault.ts'
import type { Contacts } from './user-session.queries.ts'

type SessionFilters = z.output<z.ZodObject<typeof sessionFilters>>

/** What filters of sessions ask for: days as moments, traffic as its rows are, a searched contact as the hashes it is found by. */
export function readAsked<Asked extends Omit<SessionFilters, 'traffic'> & Partial<Pick<SessionFilters, 'traffic'>>>(
  filters: Asked,
  actor: Actor,
  vault: LeadVault,
  now: number,
) {
  const within = filters.period === null ? null : moments(resolvePeriod(filters.period, filters.zone ?? actor.timeZone, now).range)
  // who looks for one lead, or for those of lists, finds them
  const named = filters.traffic === null && (filters.search !== '' || filters.origin.length > 0)
  return {
    asked: {
      ...filters,
      traffic: trafficOf(named ? 'all' : filters.traffic, actor.scope),
      from: within?.from ?? null,
      to: within?.to ?? null,
    },
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
