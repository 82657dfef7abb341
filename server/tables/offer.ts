import type { Generated, GeneratedAlways } from 'kysely'
import type { Currency } from '#contract/money/amount.ts'
import type { SnapshotOffer } from '#server/rules/offer/snapshot.ts'
import type { GeneratedJson } from './json.ts'

type Offer = {
  id: GeneratedAlways<number>
  uuid: Generated<string>
  type: 'direct' | 'api'
  title: string
  status: Generated<'draft' | 'active' | 'paused' | 'stopped' | 'archived'>
  privacy: Generated<'public' | 'premoderation' | 'private'>
  advertiser_id: number | null
  vertical: Generated<string>
  currency: Currency
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
  redirect_type: Generated<SnapshotOffer['redirect']>
  deep_link_hosts: Generated<string[]>
  targeting: GeneratedJson<Partial<SnapshotOffer['targeting']>>
  daily_cap: number | null
  over_cap_action: Generated<'trafficback' | 'decline' | 'unpaid' | 'pause'>
  postback_token: string | null
  created_at: Generated<Date>
  updated_at: Generated<Date>
}

type Goal = {
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

type PayoutRule = {
  id: GeneratedAlways<number>
  offer_id: number
  goal_id: number
  position: Generated<number>
  affiliate_ids: Generated<number[]>
  landing_ids: Generated<number[]>
  geos: Generated<string[]>
  devices: Generated<string[]>
  oses: Generated<string[]>
  payout_fixed: Generated<string>
  payout_percent: Generated<string>
  revenue_fixed: Generated<string>
  revenue_percent: Generated<string>
}

type OfferAccess = {
  offer_id: number
  affiliate_id: number
  status: 'pending' | 'approved' | 'rejected' | 'blocked'
  message: Generated<string>
  reason: Generated<string>
  requested_at: Date | null
  decided_at: Date | null
  decided_by: number | null
}

type Link = {
  code: string
  offer_id: number
  affiliate_id: number
  params: GeneratedJson<Record<string, string>>
  created_at: Generated<Date>
}
type CapCounter = { offer_id: number; day: string; used: Generated<number> }
type TrackingKey = { version: number; mac: Buffer; mask: Buffer; created_at: Generated<Date> }
type VisitorKey = { month: string; key: Buffer }

export interface OfferTables {
  offer: Offer
  goal: Goal
  payout_rule: PayoutRule
  offer_access: OfferAccess
  link: Link
  cap_counter: CapCounter
  tracking_key: TrackingKey
  visitor_key: VisitorKey
}
