// Made from the migrations by `npm run tables:generate`; what cannot be read from them stands in shapes.ts.
/* oxlint-disable max-lines */
import type { Generated, GeneratedAlways } from 'kysely'
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
import type { GeneratedJson, Json } from './json.ts'

/** Every table: the rows as they are read, inserted and changed. */
export interface Tables {
  account: {
    id: GeneratedAlways<number>
    uuid: Generated<string>
    role: 'admin' | 'head' | 'manager' | 'team lead' | 'affiliate'
    email: string
    name: string
    password_hash: string | null
    language: Generated<z.output<typeof languageCode>>
    time_zone: Generated<string>
    created_at: Generated<Date>
    last_login_at: Date | null
    version: Generated<number>
    allowed_ips: Generated<string[]>
  }
  account_statement: {
    id: GeneratedAlways<number>
    uuid: Generated<string>
    affiliate_id: number
    month: string
    content: string
    sha256: string
    made_at: Date
  }
  acme_account: {
    directory: string
    url: string
    sealed: Buffer
    created_at: Date
  }
  acme_challenge: {
    token: string
    answer: string
    expires_at: Date
  }
  adjustment: {
    id: GeneratedAlways<number>
    affiliate_id: number
    currency: string
    kind: 'bonus' | 'correction'
    amount: string
    note: string
    made_by: number | null
    created_at: Date
    void_at: Date | null
    uuid: Generated<string>
    key: string | null
    purpose: Generated<'given' | 'opening' | 'given_up' | 'forfeited'>
    at: Date
    internal_note: Generated<string>
    void_by: number | null
    void_reason: Generated<string>
    asked: string | null
  }
  advertiser: {
    id: GeneratedAlways<number>
    uuid: Generated<string>
    name: string
    email: Generated<string>
    status: Generated<'active' | 'inactive' | 'deleted'>
    manager_id: number | null
    company: GeneratedJson<z.output<typeof company>>
    contacts: GeneratedJson<z.output<typeof contacts>>
    postback_token: string
    allowed_ips: Generated<string[]>
    currency: Generated<string>
    notes: Generated<string>
    created_at: Generated<Date>
    version: Generated<number>
    postback_words: GeneratedJson<z.output<typeof postbackWord>[]>
    no_status_approved: Generated<boolean>
    postback_auth: Generated<'token' | 'ip' | 'either' | 'both'>
    previous_token: string | null
    previous_token_until: Date | null
    external_id: Generated<string>
  }
  advertiser_adjustment: {
    id: GeneratedAlways<number>
    advertiser_id: number
    currency: string
    kind: 'discount' | 'minimum' | 'fee'
    amount: string
    note: string
    made_by: number | null
    created_at: Date
    void_at: Date | null
  }
  advertiser_billing: {
    advertiser_id: number
    net_days: number | null
    include_hold: boolean | null
    email: Generated<string>
    language: Generated<'en' | 'uk'>
    vat_category: Generated<'S' | 'AE' | 'E' | 'O'>
    vat_rate: Generated<string>
    remind: Generated<boolean>
    revision: Generated<number>
    updated_at: Date
    document_language: 'en' | 'uk' | 'both' | null
    schedule: 'weekly' | 'twice_a_month' | 'monthly' | 'on_request' | null
    minimums: Json<Record<string, string>> | null
    hold_days: number | null
    makes: 'propose' | 'drafts' | 'send' | null
  }
  advertiser_cost: {
    advertiser_id: number
    currency: string
    payout: string
  }
  advertiser_credit: {
    advertiser_id: number
    currency: string
    credit_limit: string
    warned_at: Date | null
    blocked_at: Date | null
  }
  advertiser_credit_note: {
    id: GeneratedAlways<number>
    uuid: Generated<string>
    invoice_id: number
    kind: 'whole' | 'changed'
    series: string
    series_number: number
    number: string
    number_day: string
    net: string
    vat: string
    total: string
    reason: string
    made_by: number | null
    created_at: Date
  }
  advertiser_dialect: {
    advertiser_id: number
    version: number
    dialect: Json<Dialect> | null
    secret: Buffer | null
    account_id: number | null
    created_at: Date
  }
  advertiser_invoice: {
    id: GeneratedAlways<number>
    uuid: Generated<string>
    key: string | null
    advertiser_id: number
    currency: string
    status: Generated<'draft' | 'issued' | 'partly_paid' | 'paid' | 'credited' | 'written_off'>
    series: string | null
    series_number: number | null
    number: string | null
    number_day: string | null
    period_from: string | null
    period_to: string
    time_zone: string
    net: Generated<string>
    vat_category: Generated<'S' | 'AE' | 'E' | 'O'>
    vat_rate: Generated<string>
    vat: Generated<string>
    total: Generated<string>
    open: Generated<string>
    received: Generated<string>
    offset_prepaid: Generated<string>
    credited: Generated<string>
    written_off: Generated<string>
    due_day: string
    note: Generated<string>
    internal_note: Generated<string>
    reason: Generated<string>
    billed_to: Json<z.output<typeof company>> | null
    reminded_day: Generated<number>
    reminded_at: Date | null
    revision: Generated<number>
    made_by: number | null
    edited_by: number | null
    created_at: Date
    updated_at: Date
    issued_at: Date | null
    paid_at: Date | null
    deleted_at: Date | null
    run_row_id: string | null
    hold_days: Generated<number>
    asked: string | null
  }
  advertiser_invoice_history: {
    id: GeneratedAlways<string>
    invoice_id: number
    at: Date
    actor_id: number | null
    event: string
    from_status: string | null
    to_status: string
    revision: number
    reason: Generated<string>
    asked: string | null
  }
  advertiser_invoice_line: {
    id: GeneratedAlways<string>
    invoice_id: number
    credit_note_id: number | null
    kind: 'conversion' | 'correction' | 'adjustment' | 'credit'
    conversion_id: string | null
    adjustment_id: number | null
    amount: string
    live: Generated<boolean>
    issued: Generated<boolean>
    seen_transfer_id: Generated<string>
  }
  advertiser_link: {
    id: GeneratedAlways<number>
    uuid: Generated<string>
    advertiser_id: number
    name: string
    token_hash: Buffer
    created_by: number | null
    created_at: Date
    expires_at: Date
    revoked_at: Date | null
    last_opened_at: Date | null
  }
  advertiser_offset: {
    id: GeneratedAlways<number>
    invoice_id: number
    amount: string
    created_at: Date
    back_at: Date | null
  }
  affiliate: {
    id: GeneratedAlways<number>
    account_id: number
    status: 'unverified' | 'moderation' | 'active' | 'inactive' | 'banned' | 'rejected'
    manager_id: number | null
    country: string | null
    phone: Generated<string>
    contacts: GeneratedJson<z.output<typeof contacts>>
    tags: Generated<string[]>
    notes: Generated<string>
    traffic_sources: Generated<string[]>
    verticals: Generated<string[]>
    geos: Generated<string[]>
    currency: Generated<string>
    created_at: Generated<Date>
    version: Generated<number>
    company: Generated<string>
    website: Generated<string>
    referral_code: Generated<string>
    chosen_code: string | null
    external_id: Generated<string>
    house: Generated<boolean>
  }
  affiliate_postback: {
    id: GeneratedAlways<number>
    uuid: Generated<string>
    affiliate_id: number
    offer_id: number | null
    goal_code: string | null
    statuses: Generated<string[]>
    method: Generated<'GET' | 'POST'>
    url: string
    status: Generated<'active' | 'paused' | 'suspended' | 'deleted'>
    failures: Generated<number>
    suspended_at: Date | null
    created_at: Generated<Date>
    version: Generated<number>
    body_type: Generated<'query' | 'form' | 'json'>
    body: Generated<string>
    headers: GeneratedJson<SentHeader[]>
    sealed_headers: Buffer | null
    signing_secret: Buffer | null
    signing_secret_before: Buffer | null
    signing_before_until: Date | null
  }
  affiliate_terms: {
    affiliate_id: number
    schedule: 'weekly' | 'twice_a_month' | 'monthly' | 'on_request'
    net: number
    minimums: GeneratedJson<Record<string, string>>
    hold_days: Generated<number>
    makes: Generated<'propose' | 'drafts' | 'send'>
    version: Generated<number>
    updated_at: Date
  }
  api_key: {
    id: GeneratedAlways<number>
    uuid: Generated<string>
    account_id: number
    name: string
    token_hash: Buffer
    hint: string
    scopes: string[]
    allowed_ips: string[]
    created_at: Date
    expires_at: Date | null
    last_used_at: Date | null
    last_address: Generated<string>
    revoked_at: Date | null
    revoked_by: number | null
    offer_ids: Generated<number[]>
  }
  api_offer: {
    offer_id: number
    integration_type: IntegrationType
    wait_hours: Generated<number>
    repeat_days: number | null
    integrity: GeneratedJson<Partial<IntegritySettings>>
    thank_you_url: Generated<string>
    consent: GeneratedJson<ConsentRule>
  }
  application: {
    affiliate_id: number
    answers: GeneratedJson<z.output<typeof answer>[]>
    source: GeneratedJson<z.output<typeof source>>
    address: string
    device: string
    created_at: Date
    confirmed_at: Date | null
    decided_at: Date | null
    reason: Generated<string>
  }
  audit: {
    id: GeneratedAlways<string>
    at: Date
    actor_id: number | null
    acting_id: number | null
    address: string
    action: string
    entity: string
    entity_id: string
    before: Json<unknown> | null
    after: Json<unknown> | null
    key_id: number | null
  }
  billing_run: {
    id: GeneratedAlways<number>
    uuid: Generated<string>
    key: string
    period_from: string | null
    period_to: string
    time_zone: string
    made_by: number | null
    created_at: Date
    schedule: 'weekly' | 'twice_a_month' | 'monthly' | null
    state: Generated<'proposed' | 'made' | 'dismissed' | 'empty'>
    asked: string | null
    side: Generated<'affiliates' | 'advertisers'>
  }
  billing_run_row: {
    id: GeneratedAlways<string>
    run_id: number
    affiliate_id: number | null
    currency: string
    expected: string
    state: Generated<'waiting' | 'made' | 'nothing' | 'failed'>
    invoice_id: number | null
    reason: Generated<string>
    sends: Generated<boolean>
    conversions: string[] | null
    made: string | null
    advertiser_id: number | null
    advertiser_invoice_id: number | null
    leaves_debt: Generated<boolean>
  }
  blacklist_entry: {
    id: GeneratedAlways<string>
    uuid: Generated<string>
    kind: 'email' | 'phone' | 'domain' | 'ip' | 'first_name' | 'last_name'
    hash: Buffer
    shown: string
    network: string | null
    note: Generated<string>
    expires_at: Date | null
    import_id: string | null
    created_by: number | null
    created_at: Date
  }
  blacklist_import: {
    id: GeneratedAlways<string>
    uuid: Generated<string>
    file_name: Generated<string>
    made: number
    there: number
    refused: number
    created_by: number
    created_at: Date
    removed: number | null
    removed_at: Date | null
  }
  books_check: {
    id: GeneratedAlways<number>
    at: Date
    differences: Json<BooksDifference[]>
    fingerprint: string
  }
  books_note: {
    id: GeneratedAlways<number>
    at: Date
    account_id: number
    fingerprint: string
    reason: string
  }
  call_count: {
    what: string
    who: string
    since: Date
    used: number
  }
  cap_counter: {
    offer_id: number
    affiliate_id: number
    period: 'hour' | 'day' | 'week' | 'month' | 'total'
    starts: Date
    measure: 'conversions' | 'payout'
    used: string
  }
  certificate: {
    host: string
    chain: string | null
    sealed: Buffer | null
    issued_at: Date | null
    expires_at: Date | null
    due_at: Date
    tried_at: Date | null
    failures: Generated<number>
    error: Generated<string>
  }
  cold_rule: {
    id: GeneratedAlways<number>
    uuid: Generated<string>
    title: string
    status: Generated<'draft' | 'active' | 'paused' | 'archived'>
    pause_reason: Generated<'' | 'by_hand' | 'failing'>
    manager_id: number | null
    team_of: number | null
    version_id: number | null
    live_version_id: number | null
    event: 'unsold' | 'rejected_by_all' | 'call_status' | 'returned' | null
    call_statuses: Generated<string[]>
    failures: Generated<number>
    next_run_at: Date | null
    asked_at: Date | null
    asked_by: number | null
    created_by: number | null
    version: Generated<number>
    created_at: Date
    updated_at: Date
  }
  cold_rule_due: {
    id: GeneratedAlways<string>
    rule_id: number
    session_id: string
  }
  cold_rule_person: {
    rule_id: number
    person_id: string
    list_item_id: string
    at: Date
  }
  cold_rule_run: {
    id: GeneratedAlways<string>
    uuid: Generated<string>
    rule_id: number
    version_id: number
    kind: 'event' | 'schedule' | 'manual' | 'dry'
    at: Date
    matched: Generated<number>
    queued: Generated<number>
    skipped: GeneratedJson<Partial<Record<ColdRuleSkip, number>>>
    error: Generated<'' | 'list_gone' | 'offer_closed' | 'no_products' | 'owner_gone' | 'unexpected'>
    list_id: number | null
    recold_id: number | null
    by_id: number | null
  }
  cold_rule_version: {
    id: GeneratedAlways<number>
    rule_id: number
    number: number
    settings: Json<ColdRuleSettings>
    template: Json<ColdTemplate> | null
    list_ids: Generated<number[]>
    recold_id: number | null
    created_by: number | null
    created_at: Date
  }
  commission_month: {
    month: string
    made_at: Date
  }
  commission_statement: {
    id: GeneratedAlways<number>
    uuid: Generated<string>
    month: string
    manager_id: number
    content: string
    sha256: string
  }
  commission_terms: {
    manager_id: number
    basis: 'profit' | 'payout'
    percent: string
    updated_at: Date
  }
  contact_export: {
    id: GeneratedAlways<string>
    uuid: Generated<string>
    account_id: number
    state: Generated<'waiting' | 'ready' | 'refused' | 'failed' | 'deleted'>
    reason: 'check' | 'advertiser' | 'affiliate' | 'person' | 'dispute' | 'technical' | 'other'
    note: string
    session_ids: string[]
    rows: number
    created_at: Date
    done_at: Date | null
    expires_at: Date | null
    sealed: Buffer | null
    sha256: string | null
    downloads: Generated<number>
  }
  conversion: {
    id: GeneratedAlways<string>
    uuid: Generated<string>
    offer_id: number
    goal_id: number
    affiliate_id: number
    advertiser_id: number
    click_id: string
    click_at: Date
    transaction_id: string | null
    status: 'pending' | 'hold' | 'approved' | 'declined' | 'trash'
    payment_state: Generated<'open' | 'invoiced' | 'paid'>
    reason: Generated<string>
    payout: string
    revenue: string
    amount: string | null
    currency: string
    rule: Json<PayoutRule>
    hold_until: Date | null
    test: Generated<boolean>
    landing: Generated<number>
    prelanding: Generated<number>
    geo: Generated<string>
    device: Generated<string>
    os: Generated<string>
    browser: Generated<string>
    lang: Generated<string>
    source: Generated<string>
    subs: Generated<string[]>
    aff_click_id: Generated<string>
    ip: Generated<string>
    created_at: Date
    updated_at: Date
    reported_status: string | null
    reported_amount: string | null
    reported_currency: string | null
    ua: Generated<string>
    carried: GeneratedJson<Carried>
    within_cap: Generated<boolean>
    invoiced: Generated<string>
    billed: Generated<string>
    recold_id: number | null
  }
  conversion_history: {
    affiliate_id: number
    seq: number
    conversion_id: string
    at: Date
    from_status: ConversionStatus | null
    to_status: ConversionStatus
    reason: Generated<string>
    origin: ChangeOrigin
    actor_id: number | null
    body: Json<Record<string, unknown>>
    hash: Buffer | null
    hold_until: Date | null
    chain_seq: number | null
    batch_id: number | null
  }
  conversion_import: {
    id: GeneratedAlways<number>
    uuid: Generated<string>
    state: Generated<'draft' | 'running' | 'done' | 'undoing' | 'undone'>
    file_name: string
    encoding: string
    delimiter: string
    columns: string[]
    mapping: GeneratedJson<ConversionMapping>
    row_count: number
    created_by: number
    undone_by: number | null
    created_at: Date
    started_at: Date | null
    finished_at: Date | null
    undone_at: Date | null
    words: GeneratedJson<ImportWord[]>
    amount_is_sale: Generated<boolean>
    dates: Generated<'iso' | 'dmy' | 'mdy'>
    advertiser_id: number | null
  }
  conversion_import_row: {
    import_id: number
    line: number
    cells: string[]
    state: Generated<'waiting' | 'created' | 'changed' | 'amount' | 'same' | 'capped' | 'refused' | 'undone' | 'kept'>
    reason: Generated<string>
    conversion_id: string | null
    seq: number | null
    last_seq: number | null
    before: Json<ConversionBefore> | null
  }
  credit_note: {
    id: GeneratedAlways<number>
    uuid: Generated<string>
    invoice_id: number
    series: string
    series_number: number
    number: string
    net: string
    vat: string
    total: string
    reason: string
    made_by: number | null
    created_at: Date
    kind: 'whole' | 'changed'
  }
  currency: {
    code: string
    name: string
    decimals: number
    sign: Generated<string>
    kind: Generated<'iso' | 'own'>
    active: Generated<boolean>
    version: Generated<number>
  }
  currency_rate: {
    base: string
    currency: string
    day: string
    rate: string
    source: Generated<'hand' | 'file' | 'feed' | 'base'>
    set_at: Date | null
  }
  document: {
    id: GeneratedAlways<number>
    uuid: Generated<string>
    kind: 'invoice' | 'credit_note' | 'advertiser_invoice' | 'advertiser_credit_note' | 'statement' | 'act' | 'advertiser_act' | 'commission'
    subject_id: number
    number: string | null
    bytes: Buffer
    sha256: Buffer
    made_at: Date
    printed: Json<KeptPrinted> | null
  }
  domain: {
    id: GeneratedAlways<number>
    uuid: Generated<string>
    host: string
    kind: 'panel' | 'tracking'
    is_default: Generated<boolean>
    certificate: 'acme' | 'proxy'
    token: string
    verified_at: Date | null
    verified_by: 'dns' | 'file' | null
    checked_at: Date | null
    next_check_at: Date | null
    checks: GeneratedJson<DomainCheck[]>
    failing: DomainCheckName | null
    failing_since: Date | null
    failures: Generated<number>
    told_at: Date | null
    certificate_tried_at: Date | null
    certificate_issued_at: Date | null
    certificate_expires_at: Date | null
    certificate_error: Generated<string>
    burnt_at: Date | null
    burnt_by: number | null
    burnt_reason: Generated<string>
    burnt_moved: Json<BurntMoved> | null
    created_by: number | null
    created_at: Date
    updated_at: Date
    version: Generated<number>
  }
  domain_assignment: {
    id: GeneratedAlways<number>
    domain_id: number
    affiliate_id: number | null
    offer_id: number | null
  }
  file: {
    uuid: string
    kind: 'landing' | 'ticket' | 'news' | 'own_invoice'
    content_type: string
    size: number
    sha256: string
    width: number | null
    height: number | null
    owner_id: number | null
    unowned_since: Date | null
    created_by: number
    created_at: Date
    name: Generated<string>
    place: Generated<number>
  }
  goal: {
    id: GeneratedAlways<number>
    uuid: Generated<string>
    offer_id: number
    code: string
    title: string
    type: Generated<'CPA' | 'CPL' | 'CPS' | 'RevShare' | 'mixed'>
    is_default: Generated<boolean>
    hidden: Generated<boolean>
    repeatable: Generated<boolean>
    position: Generated<number>
    retired: Generated<boolean>
  }
  history_head: {
    affiliate_id: number
    seq: number
    hash: Buffer
    chain_seq: number
  }
  import: {
    id: GeneratedAlways<number>
    uuid: Generated<string>
    kind: 'affiliate' | 'advertiser'
    state: Generated<'draft' | 'running' | 'done' | 'undoing' | 'undone'>
    file_name: string
    encoding: string
    delimiter: string
    columns: string[]
    mapping: GeneratedJson<Mapping>
    options: GeneratedJson<ImportOptions>
    row_count: number
    created_by: number
    undone_by: number | null
    created_at: Date
    started_at: Date | null
    finished_at: Date | null
    undone_at: Date | null
  }
  import_row: {
    import_id: number
    line: number
    cells: string[]
    state: Generated<'waiting' | 'made' | 'skipped' | 'refused' | 'removed' | 'stays'>
    problems: GeneratedJson<Record<string, string>>
    made_id: number | null
  }
  import_word: {
    advertiser_id: number
    word: string
    means: 'approved' | 'pending' | 'declined' | 'trash' | 'hold'
    said_at: Date
    account_id: number | null
  }
  integration: {
    id: GeneratedAlways<number>
    uuid: Generated<string>
    title: string
    type: IntegrationType
    preset: Generated<string>
    notes: Generated<string>
    status: Generated<'active' | 'archived'>
    version: Generated<number>
    created_at: Generated<Date>
    updated_at: Generated<Date>
  }
  integration_version: {
    id: GeneratedAlways<number>
    integration_id: number
    number: number
    spec: Json<IntegrationSpec>
    state: Generated<'draft' | 'active' | 'deprecated'>
    note: Generated<string>
    created_at: Date
    created_by: number | null
    published_at: Date | null
  }
  invitation: {
    id: GeneratedAlways<number>
    uuid: Generated<string>
    token_hash: Buffer
    email: string
    language: 'en' | 'uk'
    manager_id: number | null
    invited_by: number | null
    mailed: boolean
    created_at: Date
    expires_at: Date
    used_at: Date | null
    revoked_at: Date | null
    affiliate_id: number | null
  }
  invoice: {
    id: GeneratedAlways<number>
    uuid: Generated<string>
    affiliate_id: number
    currency: string
    status: Generated<'draft' | 'waiting' | 'approved' | 'partly_paid' | 'paid' | 'declined' | 'cancelled'>
    series: string | null
    series_number: number | null
    number: string | null
    number_day: string | null
    period_from: string | null
    period_to: string
    time_zone: string
    net: Generated<string>
    vat_category: Generated<'S' | 'AE' | 'E' | 'O'>
    vat_rate: Generated<string>
    vat: Generated<string>
    total: Generated<string>
    open: Generated<string>
    sent: Generated<string>
    paid: Generated<string>
    offset_prepaid: Generated<string>
    credited: Generated<string>
    payment_system: Generated<string>
    due_day: string | null
    note: Generated<string>
    internal_note: Generated<string>
    reason: Generated<string>
    revision: Generated<number>
    run_row_id: string | null
    made_by: number | null
    edited_by: number | null
    created_at: Date
    updated_at: Date
    sent_at: Date | null
    approved_at: Date | null
    paid_at: Date | null
    deleted_at: Date | null
    mode: 'self_billing' | 'statement' | null
    planned: Generated<string>
    object_until: Date | null
  }
  invoice_history: {
    id: GeneratedAlways<string>
    invoice_id: number
    at: Date
    actor_id: number | null
    event: string
    from_status: string | null
    to_status: string
    revision: number
    reason: Generated<string>
    asked: string | null
  }
  invoice_line: {
    id: GeneratedAlways<string>
    invoice_id: number
    kind: 'conversion' | 'correction' | 'adjustment' | 'referral'
    conversion_id: string | null
    adjustment_id: number | null
    amount: string
    status: Generated<string>
    live: Generated<boolean>
    unissued: Generated<boolean>
    referral_month_id: string | null
    credit_note_id: number | null
    seen_transfer_id: Generated<string>
  }
  invoice_objection: {
    id: GeneratedAlways<number>
    uuid: Generated<string>
    invoice_id: number
    reason: string
    made_by: number
    made_at: Date
    state: Generated<'open' | 'answered' | 'withdrawn' | 'ended'>
    answer: Generated<string>
    answered_by: number | null
    ended_at: Date | null
  }
  invoice_offset: {
    id: GeneratedAlways<number>
    invoice_id: number
    amount: string
    created_at: Date
    back_at: Date | null
  }
  kept_answer: {
    account_id: number
    key: string
    hash: Buffer
    sealed: Buffer | null
    created_at: Date
  }
  landing: {
    id: GeneratedAlways<number>
    uuid: Generated<string>
    name: string
    url: string
    type: Generated<'landing' | 'prelanding'>
    language: Generated<string>
    tags: Generated<string[]>
    privacy: Generated<'public' | 'private'>
    affiliate_ids: Generated<number[]>
    advertiser_id: number | null
    status: Generated<'moderation' | 'active' | 'stopped' | 'deleted'>
    reason: Generated<string>
    notes: Generated<string>
    preview: string | null
    proposed_by: number | null
    checked_at: Date | null
    check_status: number | null
    check_error: Generated<string>
    failures: Generated<number>
    next_check_at: Generated<Date>
    created_at: Generated<Date>
    version: Generated<number>
  }
  lead_authority: {
    affiliate_id: number
    offer_id: number
    state: 'testing' | 'live'
    changed_at: Date
    changed_by: number | null
    applying: Generated<boolean>
    due_at: Date | null
    failures: Generated<number>
  }
  lead_counter: {
    owner: string
    period: string
    starts: Date
    used: Generated<number>
  }
  lead_entry: {
    token_hash: Buffer
    send_id: string
    expires_at: Date
    used_at: Date | null
    thank_you_url: Generated<string>
    country: Generated<string>
    other_country: boolean | null
    other_address: boolean | null
    other_agent: boolean | null
  }
  lead_form_trap: {
    affiliate_id: number
    offer_id: number
    day: string
    caught: Generated<number>
  }
  lead_list: {
    id: GeneratedAlways<number>
    uuid: Generated<string>
    title: string
    description: Generated<string>
    manager_id: number | null
    created_by: number | null
    version: Generated<number>
    created_at: Date
    updated_at: Date
    archived_at: Date | null
    deleted_at: Date | null
  }
  lead_list_count: {
    list_id: number
    affiliate_id: number
    source: string
    country: string
    items: string
    removed: string
  }
  lead_list_import: {
    id: GeneratedAlways<string>
    uuid: Generated<string>
    list_id: number
    file_name: string
    status: 'draft' | 'running' | 'done' | 'failed' | 'cancelled' | 'undone'
    mapping: GeneratedJson<LeadListMapping>
    basis: Generated<string>
    content: Buffer | null
    rows: Generated<number>
    done: Generated<number>
    added: Generated<number>
    refused: Generated<number>
    leased_until: Date | null
    created_by: number
    created_at: Date
    ended_at: Date | null
    problem: Generated<string>
    encoding: Generated<string>
    delimiter: Generated<string>
    country: Generated<string>
    source: Generated<string>
    statement: Generated<string>
    confirmed_at: Date | null
    known: Generated<number>
    left_out: GeneratedJson<Partial<Record<LeftOut, number>>>
  }
  lead_list_import_mistake: {
    import_id: string
    row: number
    place: number
    field: string
    code: string
  }
  lead_list_item: {
    id: GeneratedAlways<string>
    list_id: number
    person_id: string
    source: 'session' | 'conversion' | 'file'
    session_id: string | null
    conversion_id: string | null
    import_id: string | null
    affiliate_id: number | null
    country: Generated<string>
    via: 'manual' | 'filter' | 'rule' | 'file' | 'merge' | 'split'
    added_by: number | null
    added_at: Date
    removed_at: Date | null
    sealed: Buffer | null
    consent: Json<Record<string, unknown>> | null
  }
  lead_reveal: {
    id: GeneratedAlways<string>
    session_id: string
    account_id: number
    at: Date
    reason: 'check' | 'advertiser' | 'affiliate' | 'person' | 'dispute' | 'technical' | 'other'
    note: string
    export_id: string | null
  }
  lead_review: {
    session_id: string
    at: Date
    by_id: number | null
    approved: boolean
    note: Generated<string>
  }
  lead_send: {
    id: GeneratedAlways<string>
    uuid: Generated<string>
    session_id: string
    person_id: string
    product_id: number
    advertiser_id: number
    member_id: number | null
    version_id: number
    attempt: number
    status: 'sending' | 'accepted' | 'pending' | 'approved' | 'rejected' | 'duplicate' | 'invalid' | 'no_capacity' | 'error' | 'ambiguous' | 'cancelled'
    outcome: string | null
    reason: Generated<string>
    external_id: string | null
    redirect: Buffer | null
    price: string | null
    http_status: number | null
    call: Buffer | null
    asked_at: Date
    answered_at: Date | null
    places: GeneratedJson<{ owner: string; period: CapPeriod; starts: string }[]>
    passed_on: Generated<boolean>
  }
  lead_status: {
    id: GeneratedAlways<string>
    send_id: string
    at: Date
    source: 'pull' | 'push' | 'staff'
    raw: string
    status: string | null
    sale: boolean
    amount: Generated<string>
    booked: Generated<string>
    word: string | null
    noted: Generated<boolean>
    note: Generated<string>
    account_id: number | null
    transaction: Generated<string>
    deposit: Generated<'' | 'first' | 'again'>
  }
  lead_word: {
    integration_id: number
    word: string
    first_seen_at: Date
    last_seen_at: Date
    seen: Generated<number>
    raw: Generated<string>
    meaning: string | null
    mapped_at: Date | null
    mapped_by: number | null
    applying: Generated<boolean>
    due_at: Date | null
    failures: Generated<number>
  }
  ledger_account: {
    id: GeneratedAlways<number>
    kind: 'receivable' | 'advertiser_invoiced' | 'advertiser_prepaid' | 'affiliate_hold' | 'affiliate_available' | 'affiliate_correction' | 'affiliate_bonus' | 'affiliate_referral' | 'affiliate_invoiced' | 'affiliate_transit' | 'affiliate_prepaid' | 'cash' | 'vat_input' | 'vat_output' | 'fx_position' | 'opening' | 'network_revenue' | 'payout_cost' | 'referral_cost' | 'bonus_cost' | 'correction_cost' | 'affiliate_write_off' | 'advertiser_write_off' | 'bank_fee' | 'fx_result' | 'rounding' | 'affiliate_pending' | 'pending_cost'
    owner_id: number
    currency: string
    balance: Generated<string>
    debited: Generated<string>
  }
  ledger_entry: {
    id: GeneratedAlways<string>
    transfer_id: string
    account_id: number
    amount: string
    line: number
    at: Date
  }
  ledger_month: {
    month: string
    account_id: number
    opening: string
    debits: string
    credits: string
  }
  ledger_transfer: {
    id: GeneratedAlways<string>
    at: Date
    kind: string
    conversion_id: string | null
    key: string
    booked_at: Date
    actor_id: number | null
    invoice_id: number | null
    payment_id: number | null
    adjustment_id: number | null
    advertiser_invoice_id: number | null
    receipt_id: number | null
    advertiser_adjustment_id: number | null
  }
  legal_acceptance: {
    id: GeneratedAlways<number>
    legal_text_id: number
    affiliate_id: number
    accepted_at: Date
    address: string
  }
  legal_draft: {
    kind: 'terms' | 'agreement' | 'privacy'
    language: 'en' | 'uk'
    html: string
    revision: string
    saved_at: Date
    saved_by: number | null
  }
  legal_text: {
    id: GeneratedAlways<number>
    uuid: Generated<string>
    kind: 'terms' | 'agreement' | 'privacy'
    language: 'en' | 'uk'
    version: number
    html: string
    note: string
    published_at: Date
    published_by: number | null
  }
  link: {
    code: string
    offer_id: number
    affiliate_id: number
    params: GeneratedJson<Record<string, string>>
    created_at: Generated<Date>
    kept_from: string | null
  }
  login_attempt: {
    id: GeneratedAlways<string>
    email: string
    address: string
    at: Date
    turn_at: Date | null
  }
  login_place: {
    account_id: number
    address: string
    seen_at: Date
  }
  mail: {
    id: GeneratedAlways<string>
    uuid: Generated<string>
    event: string
    language: string
    recipient: string
    account_id: number | null
    sealed: Buffer | null
    subject: Generated<string>
    status: Generated<'waiting' | 'sent' | 'refused' | 'failed' | 'expired'>
    attempts: Generated<number>
    next_at: Date
    expires_at: Date
    created_at: Date
    settled_at: Date | null
    error: Generated<string>
    taken_at: Date | null
    leased_until: Date | null
    attachment: Buffer | null
    attachment_name: Generated<string>
    document_id: number | null
  }
  mail_request: {
    id: GeneratedAlways<string>
    kind: 'recovery' | 'confirmation'
    email: string
    at: Date
  }
  mail_template: {
    event: string
    language: string
    subject: string
    body: string
    version: Generated<number>
    updated_at: Date
  }
  manager: {
    id: GeneratedAlways<number>
    account_id: number
    status: Generated<'active' | 'blocked' | 'deleted'>
    type: Generated<'affiliate' | 'advertiser' | 'support' | 'finance' | 'head'>
    team_lead_id: number | null
    contacts: GeneratedJson<z.output<typeof contacts>>
    notes: Generated<string>
    version: Generated<number>
  }
  news: {
    id: GeneratedAlways<number>
    uuid: Generated<string>
    texts: Json<NewsTexts>
    cover: string | null
    roles: Generated<string[]>
    geos: Generated<string[]>
    tags: Generated<string[]>
    pinned: Generated<boolean>
    status: Generated<'draft' | 'published' | 'archived'>
    publish_at: Date | null
    told_until: Generated<number>
    told_at: Date | null
    created_by: number | null
    created_at: Date
    updated_at: Date
    version: Generated<number>
  }
  news_read: {
    news_id: number
    account_id: number
    at: Date
  }
  notification: {
    id: GeneratedAlways<string>
    uuid: Generated<string>
    account_id: number
    kind: 'access_requested' | 'access_decided' | 'affiliate_registered' | 'affiliate_status' | 'landing_decided' | 'conversions_declined' | 'cap_nearly_full' | 'cap_full' | 'deliveries_given_up' | 'offer_paused' | 'payout_changed' | 'ticket_message' | 'news' | 'accounts_assigned' | 'system_problem' | 'domain_failing' | 'domain_replaced' | 'new_device' | 'credit_near' | 'credit_blocked' | 'invoice_objection' | 'own_invoice' | 'invoice_moved' | 'request_decided' | 'balance_changed' | 'leads_silent' | 'product_refused' | 'product_failing' | 'cold_rule_failing'
    at: Date
    read_at: Date | null
    offer_id: number | null
    affiliate_id: number | null
    landing_id: number | null
    status: Generated<string>
    reason: Generated<string>
    count: Generated<number>
    once: string | null
    ticket_id: number | null
    news_id: number | null
    mail_at: Date | null
  }
  notification_choice: {
    account_id: number
    kind: string
    bell: boolean
    mail: 'off' | 'now' | 'daily'
  }
  notification_digest: {
    account_id: number
    hour: Generated<number>
    stopped: Generated<boolean>
    next_at: Date | null
    sent_on: string | null
  }
  number_series: {
    series: string
    last: Generated<number>
    last_day: string
  }
  offer: {
    id: GeneratedAlways<number>
    uuid: Generated<string>
    type: 'direct' | 'api'
    title: string
    status: Generated<'draft' | 'active' | 'paused' | 'stopped' | 'archived'>
    privacy: Generated<'public' | 'premoderation' | 'private'>
    advertiser_id: number | null
    vertical: Generated<string>
    currency: string
    tracking_url: Generated<string>
    preview_url: Generated<string>
    trafficback_url: Generated<string>
    description: Generated<string>
    kpi: Generated<string>
    notes: Generated<string>
    traffic_sources: Generated<string[]>
    tags: Generated<string[]>
    start_at: Date | null
    stop_at: Date | null
    time_zone: Generated<string>
    hold_days: Generated<number>
    click_lifetime_days: Generated<number>
    min_conversion_time: number | null
    max_conversion_time: number | null
    redirect_type: Generated<'302' | '307' | 'meta' | 'meta_no_referrer'>
    deep_link_hosts: Generated<string[]>
    targeting: GeneratedJson<Partial<SnapshotOffer['targeting']>>
    over_cap_action: Generated<'trafficback' | 'decline' | 'unpaid' | 'pause'>
    postback_token: string | null
    created_at: Generated<Date>
    updated_at: Generated<Date>
    version: Generated<number>
    caps: GeneratedJson<OfferCap[]>
    app_links: Generated<boolean>
    external_id: Generated<string>
  }
  offer_access: {
    offer_id: number
    affiliate_id: number
    status: 'pending' | 'approved' | 'rejected' | 'blocked'
    message: Generated<string>
    reason: Generated<string>
    requested_at: Date | null
    decided_at: Date | null
    decided_by: number | null
  }
  offer_group: {
    id: GeneratedAlways<number>
    offer_id: number
    place: number
    strategy: Generated<'priority' | 'weight' | 'round_robin' | 'best_rate'>
    least_sample: Generated<number>
    explore: Generated<number>
    turns: Generated<string>
  }
  offer_landing: {
    offer_id: number
    landing_id: number
    weight: Generated<number>
    position: Generated<number>
  }
  offer_member: {
    id: GeneratedAlways<number>
    uuid: Generated<string>
    group_id: number
    product_id: number
    place: number
    weight: Generated<number>
    terms: GeneratedJson<StoredTerms>
    paused: Generated<boolean>
  }
  official_number: {
    kind: 'invoice' | 'credit_note' | 'advertiser_invoice' | 'advertiser_credit_note'
    subject_id: number
    number: string
  }
  one_time_link: {
    token_hash: Buffer
    purpose: 'set_password' | 'setup' | 'recovery' | 'confirm_email' | 'change_email'
    account_id: number | null
    created_at: Date
    expires_at: Date
    used_at: Date | null
    email: string | null
  }
  outbox: {
    id: GeneratedAlways<string>
    batch: string | null
    fact: Json<Record<string, unknown>>
    created_at: Generated<Date>
    target: Generated<'conversion_fact' | 'session_fact'>
  }
  own_document: {
    id: GeneratedAlways<number>
    uuid: Generated<string>
    invoice_id: number
    affiliate_id: number
    number: string
    day: string
    state: Generated<'given' | 'replaced' | 'refused'>
    reason: Generated<string>
    made_by: number
    made_at: Date
    decided_by: number | null
    ended_at: Date | null
  }
  payment: {
    id: GeneratedAlways<number>
    uuid: Generated<string>
    key: string
    affiliate_id: number
    invoice_id: number | null
    source_id: number
    currency: string
    amount: string
    on_invoice: string
    state: 'planned' | 'sent' | 'settled' | 'failed' | 'returned' | 'cancelled'
    day: string
    external_id: Generated<string>
    note: Generated<string>
    made_by: number | null
    created_at: Date
    settled_at: Date | null
    payout_id: number | null
    charged: Generated<string>
    fee: Generated<string>
    moved_currency: string | null
    moved: string | null
    expected: string | null
    internal_note: Generated<string>
    ended_day: string | null
    reason: Generated<string>
    fee_currency: string | null
    asked: string | null
  }
  payment_code: {
    account_id: number
    code_hash: Buffer
    change: Buffer
    tries: Generated<number>
    expires_at: Date
  }
  payment_method: {
    id: GeneratedAlways<number>
    uuid: Generated<string>
    affiliate_id: number
    system: string
    place: number
    sealed: Buffer
    masked: string
    locked_until: Date | null
    created_at: Date
    removed_at: Date | null
    mark: Buffer | null
  }
  payment_source: {
    id: GeneratedAlways<number>
    name: string
    active: Generated<boolean>
    uuid: Generated<string>
    kind: Generated<'bank' | 'paypal' | 'wise' | 'capitalist' | 'crypto' | 'other'>
    holder: Generated<string>
    iban: Generated<string>
    bic: Generated<string>
    currency: string | null
    version: Generated<number>
    decimal_sign: Generated<'.' | ','>
  }
  payout: {
    id: GeneratedAlways<number>
    uuid: Generated<string>
    file_id: number
    source_id: number
    affiliate_id: number
    method_id: number
    system: string
    held: Buffer
    masked: string
    currency: string
    amount: string
    charged: Generated<string>
    reference: string | null
    state: Generated<'planned' | 'sent' | 'settled' | 'failed' | 'returned' | 'cancelled'>
    external_id: Generated<string>
    fee: Generated<string>
    reason: Generated<string>
    ended_at: Date | null
    asked: string | null
    leaves_debt: Generated<boolean>
  }
  payout_file: {
    id: GeneratedAlways<number>
    uuid: Generated<string>
    key: string
    source_id: number
    format: 'sepa' | 'paypal' | 'wise' | 'capitalist' | 'usdt' | 'coinspaid' | 'own'
    currency: string
    due_to: string
    execution_day: string
    delimiter: Generated<string>
    state: Generated<'draft' | 'released' | 'cancelled' | 'recalled'>
    made_by: number
    created_at: Date
    released_by: number | null
    released_at: Date | null
    ended_by: number | null
    ended_at: Date | null
    name: string | null
    sealed: Buffer | null
    sha256: Buffer | null
    asked: string | null
  }
  payout_request: {
    id: GeneratedAlways<number>
    uuid: Generated<string>
    affiliate_id: number
    currency: string
    amount: string
    state: Generated<'open' | 'accepted' | 'declined' | 'withdrawn' | 'joined'>
    invoice_id: number | null
    reason: Generated<string>
    created_at: Date
    decided_at: Date | null
    decided_by: number | null
  }
  payout_rule: {
    id: GeneratedAlways<number>
    offer_id: number
    goal_id: number
    position: Generated<number>
    affiliate_ids: Generated<number[]>
    geos: Generated<string[]>
    devices: Generated<string[]>
    oses: Generated<string[]>
    payout_fixed: Generated<string>
    payout_percent: Generated<string>
    revenue_fixed: Generated<string>
    revenue_percent: Generated<string>
    landing_ids: Generated<number[]>
  }
  person: {
    id: GeneratedAlways<string>
    uuid: Generated<string>
    key_id: Generated<number>
    sealed: Buffer | null
    phone_hash: Buffer | null
    email_hash: Buffer | null
    country: Generated<string>
    language: Generated<string>
    gender: Generated<'male' | 'female' | 'other' | 'unknown'>
    test: Generated<boolean>
    suppressed_at: Date | null
    erased_at: Date | null
    first_seen_at: Date
    last_seen_at: Date
    restricted_at: Date | null
  }
  person_erasure: {
    person_id: string
    at: Date
    by_id: number | null
    clicks: Generated<string[]>
    passes: Generated<number>
    due_at: Date | null
    complained_at: Date | null
    opted_out_at: Date | null
  }
  postback_attempt: {
    id: GeneratedAlways<string>
    delivery_id: string
    at: Date
    duration_ms: number
    http_status: number | null
    error: Generated<string>
    response: Generated<string>
  }
  postback_delivery: {
    id: GeneratedAlways<string>
    uuid: Generated<string>
    postback_id: number
    affiliate_id: number
    conversion_id: string
    history_seq: number
    replay: Generated<number>
    method: 'GET' | 'POST'
    url: string
    state: Generated<'queued' | 'sent' | 'dead' | 'held'>
    tries: Generated<number>
    next_try_at: Date | null
    http_status: number | null
    error: Generated<string>
    created_at: Date
    done_at: Date | null
    host: Generated<string>
    dismissed_at: Date | null
    dismissed_by: number | null
    body_type: Generated<'query' | 'form' | 'json'>
    body: Generated<string>
    headers: GeneratedJson<SentHeader[]>
  }
  postback_in: {
    id: GeneratedAlways<string>
    request_key: string
    received_at: Date
    method: string
    query: string
    body: Generated<string>
    address: string
    outcome: 'created' | 'changed' | 'amount_changed' | 'declined' | 'repeat' | 'refused' | 'waiting' | 'unmatched' | 'test' | 'held_for_review'
    reason: Generated<string>
    http_status: number
    click_id: Generated<string>
    transaction_id: Generated<string>
    goal_code: Generated<string>
    offer_id: number | null
    affiliate_id: number | null
    advertiser_id: number | null
    conversion_id: string | null
    parsed: Json<Record<string, unknown>> | null
    next_try_at: Date | null
    answer: GeneratedJson<{ http_status?: number; body?: Record<string, unknown> }>
    authorized: boolean | null
    token_hash: string | null
    path: Generated<string>
    stranger: Generated<boolean>
    dismissed_at: Date | null
    dismissed_by: number | null
    dialect_version: number | null
    shape: Generated<string>
  }
  preference: {
    account_id: number
    density: 'comfortable' | 'compact'
    first_day: 'monday' | 'saturday' | 'sunday' | null
    default_period: string | null
    home: string | null
    updated_at: Date
  }
  preset_seen: {
    preset: string
    seen_at: Date
  }
  product: {
    id: GeneratedAlways<number>
    uuid: Generated<string>
    advertiser_id: number
    title: string
    integration_id: number
    version_id: number
    host: string
    geos: Generated<string[]>
    time_zone: string
    notes: Generated<string>
    credentials: Buffer
    status: Generated<'active' | 'paused' | 'archived'>
    tested_version_id: number | null
    tested_at: Date | null
    version: Generated<number>
    created_at: Date
    updated_at: Date
    failures: Generated<number>
    rests_until: Date | null
    blocked: Generated<boolean>
    hours: Json<OpeningDays> | null
    caps: GeneratedJson<ProductCap[]>
    currency: string
    prices: GeneratedJson<ProductPrice[]>
    breaker_failures: Generated<number>
    breaker_minutes: Generated<number>
  }
  product_pull: {
    product_id: number
    due_at: Date
    leased_until: Date | null
    pulled_at: Date | null
    error: Generated<string>
    failures: Generated<number>
    silent: Generated<number>
    swept_at: Date | null
    round: Json<PullPlace> | null
    rounded_at: Date | null
    sweep: Json<PullPlace> | null
  }
  product_test: {
    id: GeneratedAlways<string>
    uuid: string
    product_id: number
    version_id: number
    account_id: number | null
    outcome: 'accepted' | 'rejected' | 'duplicate' | 'no_capacity' | 'temporary' | 'config_error' | 'ambiguous'
    reason: Generated<string>
    external_id: Generated<string>
    redirect: Generated<string>
    calls: Json<MadeCall[]>
    at: Date
  }
  product_token: {
    product_id: number
    version_id: number
    step: string
    made_of: Buffer | null
    sealed: Buffer | null
    expires_at: Date | null
    number: Generated<number>
    leased_until: Date | null
    failures: Generated<number>
    outcome: 'rejected' | 'duplicate' | 'no_capacity' | 'temporary' | 'config_error' | null
    reason: Generated<string>
    retry_at: Date | null
  }
  proposal: {
    id: GeneratedAlways<number>
    uuid: Generated<string>
    kind: 'bonus' | 'correction' | 'write_off' | 'opening' | 'given_up' | 'forfeited' | 'prepayment' | 'discount' | 'fee' | 'advance' | 'receipt' | 'rules'
    invoice_id: number | null
    advertiser_invoice_id: number | null
    currency: string
    amount: string
    note: string
    state: Generated<'open' | 'confirmed' | 'refused' | 'lapsed'>
    made_by: number
    created_at: Date
    decided_by: number | null
    decided_at: Date | null
    reason: Generated<string>
    adjustment_id: number | null
    affiliate_id: number | null
    key: string | null
    asked: Json<ProposalAsked> | null
    advertiser_adjustment_id: number | null
    advertiser_id: number | null
  }
  rate_feed: {
    id: Generated<number>
    next_at: Date | null
    at: Date | null
    ok_at: Date | null
    problem: Generated<string>
    day: string | null
    changed: Generated<number>
    without: Generated<string[]>
    failures: Generated<number>
  }
  receipt: {
    id: GeneratedAlways<number>
    uuid: Generated<string>
    key: string
    advertiser_id: number
    source_id: number
    currency: string
    amount: string
    day: string
    external_id: Generated<string>
    note: Generated<string>
    state: Generated<'booked' | 'bounced'>
    paid_back: Generated<string>
    reason: Generated<string>
    revision: Generated<number>
    made_by: number | null
    created_at: Date
    ended_at: Date | null
    moved_currency: string | null
    moved: string | null
    expected: string | null
    short: Generated<string>
    back_moved: Generated<string>
    back_expected: Generated<string>
    back_by: number | null
    back_at: Date | null
    asked: string | null
    last_asked: string | null
    ended_by: number | null
  }
  receipt_part: {
    id: GeneratedAlways<number>
    receipt_id: number
    invoice_id: number
    amount: string
    released: Generated<string>
    recovered: Generated<boolean>
    created_at: Date
  }
  recipient_notice: {
    id: GeneratedAlways<string>
    uuid: Generated<string>
    person_id: string
    advertiser_id: number
    first_at: Date
    last_at: Date
    leads: GeneratedJson<string[]>
    told_at: Date | null
    told_by: number | null
    note: Generated<string>
  }
  recold: {
    id: GeneratedAlways<number>
    uuid: Generated<string>
    title: string
    list_id: number
    offer_id: number
    product_ids: Generated<number[]>
    manager_id: number | null
    affiliate_id: number
    payout: Generated<'none' | 'fixed' | 'original'>
    schedule: Json<RecoldSchedule>
    pacing: Json<RecoldPacing>
    data: Json<RecoldData>
    skip: Json<RecoldSkip>
    seed: string
    status: Generated<'draft' | 'active' | 'paused' | 'done' | 'deleted'>
    pause_reason: Generated<string>
    taken_item_id: Generated<string>
    caps_from: Date | null
    next_place: Generated<string>
    started_at: Date | null
    last_send_at: Date | null
    finished_at: Date | null
    created_by: number | null
    version: Generated<number>
    created_at: Date
    updated_at: Date
    resumed_at: Date | null
    rests_until: Date | null
    forecast: GeneratedJson<RecoldForecast>
    team: number[] | null
    payout_amount: string | null
    projection: Json<RecoldProjection> | null
    planned_end: Date | null
  }
  recold_count: {
    id: GeneratedAlways<string>
    recold_id: number
    status: string
    skip_reason: string
    sent_hour: Date | null
    items: string
    fresh: Generated<boolean>
  }
  recold_item: {
    id: GeneratedAlways<string>
    uuid: Generated<string>
    recold_id: number
    list_item_id: string
    person_id: string
    country: Generated<string>
    place: string
    status: Generated<'pending' | 'scheduled' | 'sending' | 'accepted' | 'rejected' | 'no_capacity' | 'failed' | 'ambiguous' | 'skipped' | 'cancelled'>
    skip_reason: Generated<'' | SkipReason>
    scheduled_at: Date | null
    sent_at: Date | null
    ended_at: Date | null
    leased_until: Date | null
    session_id: string | null
    not_before: Date | null
    affiliate_id: number | null
  }
  reconciliation: {
    id: GeneratedAlways<number>
    uuid: Generated<string>
    state: Generated<'uploaded' | 'matched' | 'applying' | 'applied' | 'undoing' | 'undone'>
    revision: Generated<number>
    advertiser_id: number | null
    affiliate_id: number | null
    file_name: string
    format: 'csv' | 'xlsx' | 'counter'
    encoding: string | null
    delimiter: string | null
    columns: string[]
    row_count: number
    reading: Json<ReportReading>
    remembered: Generated<boolean>
    period_from: string | null
    period_to: string | null
    time_zone: Generated<string>
    matching_at: Date | null
    problem: Generated<string>
    zone: Json<ReportZone> | null
    clock_offset: number | null
    zone_confirmed: Generated<boolean>
    postbacks: Generated<boolean>
    counter_of: number | null
    created_by: number
    applied_by: number | null
    undone_by: number | null
    created_at: Date
    matched_at: Date | null
    applying_at: Date | null
    applied_at: Date | null
    undone_at: Date | null
    due_at: Date | null
    failures: Generated<number>
    differing: Generated<number>
  }
  reconciliation_row: {
    batch_id: number
    line: number
    in_report: boolean
    cells: Generated<string[]>
    theirs: Json<ReportLine> | null
    conversion_id: string | null
    key: ReconciliationKey | null
    cause: ReconciliationCause | null
    detail: Generated<string>
    proposal: Generated<ReconciliationProposal>
    action: Generated<'none' | 'approve' | 'create' | 'decline' | 'correct' | 'restore'>
    becomes_correction: Generated<boolean>
    proposed: Json<Proposed> | null
    seen: Json<Seen> | null
    becomes: Json<Becomes> | null
    offer_id: number | null
    affiliate_id: number | null
    currency: string | null
    payout: Generated<string>
    revenue: Generated<string>
    done_payout: string | null
    done_revenue: string | null
    their_amount: string | null
    our_amount: string | null
    state: Generated<'open' | 'applied' | 'same' | 'skipped' | 'undone' | 'kept'>
    reason: Generated<string>
    seq: number | null
    before: Json<ConversionBefore> | null
  }
  recovery_code: {
    account_id: number
    code_hash: Buffer
    used_at: Date | null
  }
  referral: {
    affiliate_id: number
    referrer_id: number
    code: string
    percent: string
    months: number
    created_at: Date
    id: GeneratedAlways<number>
    uuid: Generated<string>
    level: Generated<number>
    state: Generated<'clear' | 'held' | 'released' | 'refused'>
    causes: Generated<string[]>
    held_at: Date | null
    decided_at: Date | null
    decided_by: number | null
    reason: Generated<string>
  }
  referral_month: {
    id: GeneratedAlways<string>
    referral_id: number
    month: string
    currency: string
    n: number
    amount: Generated<string>
    bookings: Generated<number>
    target: Generated<string>
    claim: Generated<string>
    updated_at: Date
  }
  referral_visit: {
    affiliate_id: number
    day: string
    visits: number
  }
  report_reading: {
    id: GeneratedAlways<number>
    advertiser_id: number | null
    affiliate_id: number | null
    columns: Json<Partial<Record<ReportField, string>>>
    reading: Json<Omit<ReportReading, 'mapping'>>
    clock_offset: number | null
    updated_at: Date
  }
  report_schedule: {
    id: GeneratedAlways<number>
    uuid: Generated<string>
    account_id: number
    name: string
    question: Json<unknown>
    address: string
    every: 'day' | 'week' | 'month'
    day: Generated<number>
    hour: number
    recipients: number[]
    paused: Generated<boolean>
    next_at: Date
    asked: Generated<boolean>
    leased_until: Date | null
    last_at: Date | null
    last_sent: Generated<number>
    last_problem: Generated<string>
    created_at: Date
  }
  saved_view: {
    id: GeneratedAlways<number>
    uuid: Generated<string>
    account_id: number
    screen: string
    name: string
    address: string
    shared: Generated<boolean>
    created_at: Date
    updated_at: Date
  }
  second_factor: {
    account_id: number
    secret: Buffer
    last_step: Generated<string>
    begun_at: Date
    confirmed_at: Date | null
  }
  seen_device: {
    account_id: number
    mark: Buffer
    seen_at: Date
  }
  session: {
    id: GeneratedAlways<number>
    uuid: Generated<string>
    account_id: number
    token_hash: Buffer
    device: string
    address: string
    created_at: Date
    last_seen_at: Date
    expires_at: Date
    acting_from_id: number | null
    changes_reason: string | null
  }
  session_due: {
    session_id: string
  }
  session_told: {
    session_id: string
    state: Json<SessionState>
  }
  setting: {
    key: string
    value: Json<unknown>
    updated_at: Generated<Date>
    version: Generated<number>
  }
  shop_order: {
    conversion_id: string
    total: string
  }
  shop_refund: {
    conversion_id: string
    refund_id: string
    amount: string
  }
  sign_in: {
    id: GeneratedAlways<string>
    account_id: number | null
    at: Date
    outcome: 'in' | 'wrong_password' | 'wrong_code' | 'not_active' | 'address'
    way: 'password' | 'code' | 'recovery_code'
    device: string
    address: string
    new_device: Generated<boolean>
  }
  smtp_secret: {
    name: 'password' | 'dkim_key'
    sealed: Buffer
    set_at: Date
  }
  stray_path: {
    day: string
    path: string
    calls: string
    last_at: Date
    batch: string | null
  }
  stuck_status: {
    id: GeneratedAlways<string>
    uuid: Generated<string>
    product_id: number
    send_id: string | null
    kind: 'push' | 'booking'
    reason: string
    lead_ref: Generated<string>
    raw: Generated<string>
    amount: Generated<string>
    transaction: Generated<string>
    goal: Generated<string>
    status: Generated<string>
    params: GeneratedJson<Record<string, string>>
    digest: Buffer
    seen: Generated<number>
    first_seen_at: Date
    last_seen_at: Date
    state: Generated<'open' | 'settled' | 'dismissed'>
    outcome: Generated<string>
    note: Generated<string>
    account_id: number | null
    settled_at: Date | null
    sale: Generated<boolean>
  }
  suppression: {
    id: GeneratedAlways<string>
    uuid: Generated<string>
    kind: 'email' | 'phone' | 'domain' | 'ip'
    hash: Buffer
    shown: string
    advertiser_id: number | null
    offer_id: number | null
    reason: 'opt_out' | 'dnc' | 'erasure' | 'complaint' | 'litigator' | 'manual'
    source: 'staff' | 'file' | 'api' | 'link' | 'erasure' | 'call'
    note: Generated<string>
    expires_at: Date | null
    created_by: number | null
    created_at: Date
  }
  system_alarm: {
    line: string
    subject: Generated<string>
    since: Date
    seen_at: Date
    told_at: Date | null
  }
  system_run: {
    id: GeneratedAlways<string>
    uuid: Generated<string>
    kind: 'self_check' | 'backup' | 'trial'
    state: Generated<'waiting' | 'running' | 'done' | 'failed'>
    asked_by: number | null
    asked_at: Date
    started_at: Date | null
    finished_at: Date | null
    leased_until: Date | null
    done: Generated<number>
    total: Generated<number>
    result: GeneratedJson<z.output<typeof systemResult>>
    error: Generated<string>
  }
  system_size: {
    part: string
    at: Date
    bytes: string
  }
  table_layout: {
    account_id: number
    list: string
    columns: string[] | null
    widths: GeneratedJson<Record<string, number>>
    updated_at: Date
  }
  tax_profile: {
    affiliate_id: number
    name: Generated<string>
    address: Generated<string>
    postcode: Generated<string>
    town: Generated<string>
    country: string | null
    vat_id: Generated<string>
    registration: Generated<string>
    vat_category: 'S' | 'AE' | 'E' | 'O' | null
    vat_rate: Generated<string>
    exemption: Generated<string>
    vies_day: string | null
    agreed_text: string | null
    agreed_at: Date | null
    agreed_from: string | null
    agreed_by: number | null
    version: Generated<number>
    updated_at: Date
    corrections: Generated<'usual' | 'line' | 'note'>
    act: Generated<'usual' | 'yes' | 'no'>
    act_post: Generated<string>
    act_name: Generated<string>
  }
  ticket: {
    id: GeneratedAlways<number>
    uuid: Generated<string>
    affiliate_id: number
    subject: string
    category: 'general' | 'finance' | 'technical' | 'offer_request'
    priority: Generated<'low' | 'normal' | 'high' | 'urgent'>
    status: 'open' | 'waiting_us' | 'waiting_user' | 'closed'
    assignee_id: number | null
    offer_id: number | null
    offer_answer: 'approved' | 'rejected' | null
    earlier_id: number | null
    by_staff: boolean
    created_at: Date
    last_at: Date
    answered_at: Date | null
    waiting_since: Date | null
    closed_at: Date | null
    change: Generated<string>
    told_change: Generated<string>
  }
  ticket_message: {
    id: GeneratedAlways<number>
    uuid: Generated<string>
    ticket_id: number
    kind: 'message' | 'note' | 'closed' | 'reopened' | 'approved' | 'rejected'
    author_id: number
    by_staff: boolean
    body: Generated<string>
    key: string
    at: Date
    mail_due: Generated<boolean>
  }
  ticket_reader: {
    ticket_id: number
    account_id: number
    read_id: number
  }
  ticket_template: {
    id: GeneratedAlways<number>
    uuid: Generated<string>
    title: string
    body: string
    created_at: Date
    version: Generated<number>
  }
  tracking_key: {
    version: number
    mac: Buffer
    mask: Buffer
    created_at: Generated<Date>
  }
  trial_balance: {
    month: string
    uuid: Generated<string>
    content: string
    sha256: string
    made_at: Date
    time_zone: string
  }
  unsafe_host: {
    host: string
  }
  used_form: {
    id: Buffer
    expires_at: Date
  }
  user_session: {
    id: GeneratedAlways<string>
    uuid: Generated<string>
    person_id: string
    affiliate_id: number
    offer_id: number
    landing_id: number | null
    click_id: string
    external_id: string | null
    origin: 'api' | 'landing' | 'test' | 'cold'
    traffic_type: Generated<'warm' | 'cold'>
    test: Generated<boolean>
    status: 'received' | 'held' | 'queued' | 'accepted' | 'unsold' | 'rejected' | 'duplicate' | 'ambiguous' | 'converted' | 'closed' | 'test'
    reason: Generated<string>
    call_status: string | null
    told: GeneratedJson<Record<string, unknown>>
    sealed: Buffer | null
    consent: Json<Record<string, unknown>> | null
    country: Generated<string>
    draw: number
    trace: GeneratedJson<unknown[]>
    attempts: Generated<number>
    next_try_at: Date | null
    leased_until: Date | null
    received_at: Date
    decided_at: Date | null
    changed_at: Date
    integrity: GeneratedJson<IntegrityPart[]>
    integrity_verdict: Generated<'unchecked' | 'clean' | 'flagged' | 'held' | 'rejected'>
    integrity_score: Generated<number>
    ip_hash: Buffer | null
    device_hash: Buffer | null
    recold_id: number | null
  }
  visitor_key: {
    month: string
    key: Buffer
  }
  webhook: {
    id: GeneratedAlways<number>
    uuid: Generated<string>
    affiliate_id: number
    url: string
    events: string[]
    status: Generated<'active' | 'paused' | 'suspended' | 'deleted'>
    failures: Generated<number>
    suspended_at: Date | null
    secret: Buffer
    secret_before: Buffer | null
    before_until: Date | null
    created_at: Date
  }
  webhook_attempt: {
    id: GeneratedAlways<string>
    delivery_id: string
    at: Date
    duration_ms: number
    http_status: number | null
    error: Generated<string>
    response: Generated<string>
  }
  webhook_delivery: {
    id: GeneratedAlways<string>
    uuid: Generated<string>
    webhook_id: number
    message: string
    replay: Generated<number>
    type: string
    body: string
    host: string
    state: Generated<'queued' | 'sent' | 'dead' | 'held'>
    tries: Generated<number>
    next_try_at: Date | null
    http_status: number | null
    error: Generated<string>
    created_at: Date
    done_at: Date | null
  }
  webhook_event: {
    id: GeneratedAlways<string>
    affiliate_id: number
    type: string
    subject: string
    was: string | null
    became: string | null
    at: Date
  }
}
