/** Where the types of `SHAPES` come from: written at the top of `tables.ts`. */
export const IMPORTS = `import type { Generated, GeneratedAlways } from 'kysely'
import type { z } from 'zod'
import type { contacts, languageCode } from '#contract/fields.ts'
import type { ConsentRule, StoredTerms } from '#contract/leads/api-offer.ts'
import type { ColdRuleSettings, ColdRuleSkip } from '#contract/leads/cold-rule.ts'
import type { IntegrityPart, IntegritySettings } from '#contract/leads/integrity.ts'
import type { IntegrationSpec } from '#contract/leads/integration-spec.ts'
import type { IntegrationType } from '#contract/leads/integration-type.ts'
import type { LeftOut } from '#contract/leads/lead-list.ts'
import type { LeadListMapping } from '#contract/leads/lead-list-mapping.ts'
import type { OpeningDays } from '#contract/leads/opening-hours.ts'
import type { MadeCall, ProductCap, ProductPrice } from '#contract/leads/product.ts'
import type { RecoldData, RecoldForecast, RecoldPacing, RecoldProjection, RecoldSchedule, RecoldSkip, SkipReason } from '#contract/leads/recold-plan.ts'
import type { BooksDifference } from '#contract/money/ledger.ts'
import type { BurntMoved, DomainCheck, DomainCheckName } from '#contract/network/domain.ts'
import type { NewsTexts } from '#contract/network/news.ts'
import type { systemResult } from '#contract/network/system.ts'
import type { ReconciliationCause, ReconciliationKey, ReconciliationProposal } from '#contract/money/reconciliation-cause.ts'
import type { ReportField, ReportReading } from '#contract/money/report-reading.ts'
import type { ProposalAsked } from '#server/rules/proposal-asked.ts'
import type { CapPeriod, OfferCap } from '#contract/offers/offer-cap.ts'
import type { company, postbackWord } from '#contract/people/advertiser.ts'
import type { answer, source } from '#contract/people/application.ts'
import type { ImportOptions, Mapping } from '#contract/people/import.ts'
import type { ChangeOrigin, ConversionStatus } from '#contract/traffic/conversion.ts'
import type { Dialect } from '#contract/traffic/dialect.ts'
import type { SentHeader } from '#contract/traffic/postback-message.ts'
import type { PullPlace } from '#server/rules/lead/integration/pull-place.ts'
import type { ColdTemplate } from '#server/rules/lead/cold/template.ts'
import type { SessionState } from '#server/rules/lead/session-fact.ts'
import type { Carried } from '#server/rules/click/click-row.ts'
import type { ConversionMapping, ImportWord } from '#contract/traffic/conversion-import.ts'
import type { Becomes, Proposed, ReportLine, ReportZone, Seen } from '#server/rules/reconciliation-row.ts'
import type { ConversionBefore } from '#server/rules/conversion/conversion-before.ts'
import type { KeptPrinted } from '#server/rules/printed.ts'
import type { PayoutRule } from '#server/rules/offer/payout.ts'
import type { SnapshotOffer } from '#server/rules/offer/snapshot.ts'
import type { GeneratedJson, Json } from './json.ts'`

/** What a column holds where its type and its checks in the database do not say it: every jsonb, and texts without a check. */
export const SHAPES: Readonly<Record<string, string>> = {
  'account.language': 'z.output<typeof languageCode>',
  'advertiser_billing.minimums': 'Record<string, string>',
  'affiliate_terms.minimums': 'Record<string, string>',
  'setting.value': 'unknown',
  'news.texts': 'NewsTexts',
  'system_run.result': 'z.output<typeof systemResult>',
  'billing_run_row.conversions': 'string[]',
  'books_check.differences': 'BooksDifference[]',
  'domain.checks': 'DomainCheck[]',
  'domain.failing': 'DomainCheckName',
  'domain.burnt_moved': 'BurntMoved',
  'blacklist_entry.network': 'string',
  'conversion_import.mapping': 'ConversionMapping',
  'conversion_import.words': 'ImportWord[]',
  'conversion_import_row.before': 'ConversionBefore',
  'api_offer.integration_type': 'IntegrationType',
  'api_offer.consent': 'ConsentRule',
  'api_offer.integrity': 'Partial<IntegritySettings>',
  'cold_rule_run.skipped': 'Partial<Record<ColdRuleSkip, number>>',
  'cold_rule_version.settings': 'ColdRuleSettings',
  'cold_rule_version.template': 'ColdTemplate',
  'integration.type': 'IntegrationType',
  'integration_version.spec': 'IntegrationSpec',
  'lead_list_item.consent': 'Record<string, unknown>',
  'lead_list_import.mapping': 'LeadListMapping',
  'lead_list_import.left_out': 'Partial<Record<LeftOut, number>>',
  'product.hours': 'OpeningDays',
  'product.caps': 'ProductCap[]',
  'product.prices': 'ProductPrice[]',
  'product_test.calls': 'MadeCall[]',
  'recipient_notice.leads': 'string[]',
  'recold.schedule': 'RecoldSchedule',
  'recold.pacing': 'RecoldPacing',
  'recold.data': 'RecoldData',
  'recold.skip': 'RecoldSkip',
  'recold.forecast': 'RecoldForecast',
  'recold.projection': 'RecoldProjection',
  'recold_item.skip_reason': "'' | SkipReason",
  'product_pull.round': 'PullPlace',
  'product_pull.sweep': 'PullPlace',
  'reconciliation.reading': 'ReportReading',
  'reconciliation.zone': 'ReportZone',
  'reconciliation_row.theirs': 'ReportLine',
  'reconciliation_row.cause': 'ReconciliationCause',
  'reconciliation_row.key': 'ReconciliationKey',
  'reconciliation_row.proposal': 'ReconciliationProposal',
  'reconciliation_row.proposed': 'Proposed',
  'reconciliation_row.seen': 'Seen',
  'reconciliation_row.becomes': 'Becomes',
  'reconciliation_row.before': 'ConversionBefore',
  'report_reading.columns': 'Partial<Record<ReportField, string>>',
  'report_reading.reading': "Omit<ReportReading, 'mapping'>",
  'proposal.asked': 'ProposalAsked',
  'import.mapping': 'Mapping',
  'import.options': 'ImportOptions',
  'import_row.problems': 'Record<string, string>',
  'report_schedule.question': 'unknown',
  'lead_send.places': '{ owner: string; period: CapPeriod; starts: string }[]',
  'session_told.state': 'SessionState',
  'stuck_status.params': 'Record<string, string>',
  'user_session.told': 'Record<string, unknown>',
  'user_session.consent': 'Record<string, unknown>',
  'user_session.trace': 'unknown[]',
  'user_session.integrity': 'IntegrityPart[]',
  'affiliate_postback.headers': 'SentHeader[]',
  'postback_delivery.headers': 'SentHeader[]',
  'postback_delivery.body_type': "'query' | 'form' | 'json'",
  'audit.before': 'unknown',
  'audit.after': 'unknown',
  'manager.contacts': 'z.output<typeof contacts>',
  'affiliate.contacts': 'z.output<typeof contacts>',
  'application.answers': 'z.output<typeof answer>[]',
  'application.source': 'z.output<typeof source>',
  'advertiser.contacts': 'z.output<typeof contacts>',
  'advertiser.company': 'z.output<typeof company>',
  'advertiser_dialect.dialect': 'Dialect',
  'document.printed': 'KeptPrinted',
  'advertiser_invoice.billed_to': 'z.output<typeof company>',
  'advertiser.postback_words': 'z.output<typeof postbackWord>[]',
  'offer.targeting': "Partial<SnapshotOffer['targeting']>",
  'offer.caps': 'OfferCap[]',
  'offer_member.terms': 'StoredTerms',
  'table_layout.widths': 'Record<string, number>',
  'link.params': 'Record<string, string>',
  'conversion.rule': 'PayoutRule',
  'conversion.carried': 'Carried',
  'conversion_history.from_status': 'ConversionStatus',
  'conversion_history.to_status': 'ConversionStatus',
  'conversion_history.origin': 'ChangeOrigin',
  'conversion_history.body': 'Record<string, unknown>',
  'outbox.fact': 'Record<string, unknown>',
  'postback_in.parsed': 'Record<string, unknown>',
  'postback_in.answer': '{ http_status?: number; body?: Record<string, unknown> }',
  'postback_delivery.method': "'GET' | 'POST'",
}
