import type { Say } from '#web/i18n/use-translation.ts'
import type { ScreenId } from '#contract/screens.ts'
import { isAuditKind, type AuditEntry, type AuditKind } from '#contract/people/audit.ts'
import { entityName } from '#web/features/people/audit/change-words.ts'

/** Who did it, in words: somebody of the network as somebody else, the system, or a name. */
export function whoOf(t: Say<'audit'>, { actor, acting }: Pick<AuditEntry, 'actor' | 'acting'>): string {
  if (actor === null) return t('system')
  if (acting === null) return actor.name || t('network')
  return acting.name === '' ? t('as.network') : t('as', { name: acting.name, other: actor.name })
}

/** What it was done to: its kind, and its name or what the log calls it. */
export function thingOf(t: Say<'audit'>, { entity, entity_id, thing }: AuditEntry): string {
  const kind = entityName(t, entity)
  if (thing === null) return /^[0-9a-f-]{36}$/.test(entity_id) ? kind : `${kind} ${entity_id}`
  return [`${kind} ${thing.id}`, thing.name].filter(Boolean).join(' · ')
}

/** Where each kind of thing has a page of its own, by its uuid. */
const PAGE_OF: Readonly<Record<AuditKind, ScreenId | null>> = {
  account: null,
  advertiser: 'advertiserEdit',
  advertiser_invoice: 'invoiceDetail',
  affiliate: 'affiliateEdit',
  affiliate_postback: null,
  webhook: null,
  api_key: null,
  billing_run: null,
  blacklist_entry: null,
  blacklist_import: null,
  cold_rule: null,
  contact_export: null,
  conversion: null,
  currency: null,
  currency_rate: null,
  delivery: null,
  domain: null,
  conversion_import: null,
  import: null,
  integration: 'integrationEdit',
  invitation: null,
  invoice: 'invoiceDetail',
  landing: 'landingEdit',
  lead_list: 'leadListDetails',
  legal_text: null,
  link: null,
  mail: null,
  mail_template: null,
  manager: 'managerEdit',
  news: 'newsEdit',
  notification: null,
  offer: 'offerDetailDirect',
  payment_source: null,
  payout_file: null,
  payout_request: null,
  person: null,
  postback: null,
  product: null,
  receipt: null,
  recold: null,
  reconciliation: null,
  report_schedule: null,
  saved_view: null,
  setting: null,
  suppression: null,
  ticket: null,
  ticket_template: null,
  user_session: null,
}

/** The page of a kind of thing; undefined where it has none. */
export function pageOf(entity: string): ScreenId | undefined {
  return isAuditKind(entity) ? (PAGE_OF[entity] ?? undefined) : undefined
}
