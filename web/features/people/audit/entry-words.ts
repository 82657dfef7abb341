import type { TFunction } from 'i18next'
import type { ScreenId } from '#contract/screens.ts'
import type { AuditEntry } from '#contract/people/audit.ts'
import { entityName } from '#web/features/people/audit/change-words.ts'

/** Who did it, in words: somebody of the network as somebody else, the system, or a name. */
export function whoOf(t: TFunction<'audit'>, { actor, acting }: Pick<AuditEntry, 'actor' | 'acting'>): string {
  if (actor === null) return t('system')
  if (acting === null) return actor.name || t('network')
  return acting.name === '' ? t('as.network') : t('as', { name: acting.name, other: actor.name })
}

/** What it was done to: its kind, and its name or what the log calls it. */
export function thingOf(t: TFunction<'audit'>, { entity, entity_id, thing }: AuditEntry): string {
  const kind = entityName(t, entity)
  if (thing === null) return /^[0-9a-f-]{36}$/.test(entity_id) ? kind : `${kind} ${entity_id}`
  return `${kind} ${thing.id} · ${thing.name}`
}

/** Where things have a page of their own. */
export const PAGE_OF: Readonly<Record<string, ScreenId>> = {
  affiliate: 'affiliateEdit',
  advertiser: 'advertiserEdit',
  manager: 'managerEdit',
  offer: 'offerDetailDirect',
  landing: 'landingEdit',
  news: 'newsEdit',
}
