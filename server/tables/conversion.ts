import type { Generated, GeneratedAlways } from 'kysely'
import type { ChangeOrigin, ConversionStatus } from '#contract/traffic/conversion.ts'
import type { Currency } from '#contract/money/amount.ts'
import type { Carried } from '#server/rules/click/click-row.ts'
import type { PayoutRule } from '#server/rules/offer/payout.ts'
import type { GeneratedJson, Json } from './json.ts'

type Conversion = {
  id: GeneratedAlways<string>
  uuid: Generated<string>
  offer_id: number
  goal_id: number
  affiliate_id: number
  advertiser_id: number
  click_id: string
  click_at: Date
  transaction_id: string | null
  status: ConversionStatus
  payment_state: Generated<'open' | 'invoiced' | 'paid'>
  reason: Generated<string>
  payout: string
  revenue: string
  amount: string | null
  currency: Currency
  rule: Json<PayoutRule>
  hold_until: Date | null
  cap_day: string | null
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
  ua: Generated<string>
  /** Columns of the click that it took along, by name (`fact: 'carried'` in rules/click/click-row.ts). */
  carried: GeneratedJson<Carried>
  /** Status, amount and currency of the last postback that changed it, in the advertiser's terms. */
  reported_status: string | null
  reported_amount: string | null
  reported_currency: string | null
  created_at: Date
  updated_at: Date
}

type ConversionHistory = {
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
  hash: Buffer
}

type HistoryHead = { affiliate_id: number; seq: number; hash: Buffer }

type LedgerAccount = {
  id: GeneratedAlways<number>
  kind:
    | 'receivable'
    | 'network_revenue'
    | 'payout_cost'
    | 'affiliate_hold'
    | 'affiliate_available'
    | 'affiliate_invoiced'
    | 'affiliate_paid'
  owner_id: number
  currency: Currency
  balance: Generated<string>
}
type LedgerTransfer = { id: GeneratedAlways<string>; at: Date; kind: string; conversion_id: string | null; key: string }
type LedgerEntry = { id: GeneratedAlways<string>; transfer_id: string; account_id: number; amount: string }

type CurrencyEntry = {
  code: Currency
  name: string
  decimals: number
  sign: Generated<string>
  kind: Generated<'iso' | 'own'>
  active: Generated<boolean>
}
type CurrencyRate = { base: Currency; currency: Currency; day: string; rate: string }
type Outbox = { id: GeneratedAlways<string>; batch: string | null; fact: Json<Record<string, unknown>>; created_at: Generated<Date> }

export interface ConversionTables {
  conversion: Conversion
  conversion_history: ConversionHistory
  history_head: HistoryHead
  ledger_account: LedgerAccount
  ledger_transfer: LedgerTransfer
  ledger_entry: LedgerEntry
  currency: CurrencyEntry
  currency_rate: CurrencyRate
  outbox: Outbox
}
