import type { Generated, GeneratedAlways } from 'kysely'
import type { z } from 'zod'
import type { affiliateStatus } from '#contract/people/affiliate.ts'
import type { contacts } from '#contract/fields.ts'
import type { Currency } from '#contract/money/amount.ts'
import type { GeneratedJson } from './json.ts'

type Manager = {
  id: GeneratedAlways<number>
  account_id: number
  status: Generated<'active' | 'blocked' | 'deleted'>
  type: Generated<'affiliate' | 'advertiser' | 'support' | 'finance' | 'head'>
  team_lead_id: number | null
  contacts: GeneratedJson<Partial<z.output<typeof contacts>>>
  notes: Generated<string>
}

type Affiliate = {
  id: GeneratedAlways<number>
  account_id: number
  status: z.output<typeof affiliateStatus>
  manager_id: number | null
  country: string | null
  phone: Generated<string>
  contacts: GeneratedJson<Partial<z.output<typeof contacts>>>
  tags: Generated<string[]>
  notes: Generated<string>
  traffic_sources: Generated<string[]>
  verticals: Generated<string[]>
  geos: Generated<string[]>
  currency: Generated<Currency>
  created_at: Generated<Date>
}

type Advertiser = {
  id: GeneratedAlways<number>
  uuid: Generated<string>
  name: string
  email: Generated<string>
  status: Generated<'active' | 'inactive' | 'deleted'>
  manager_id: number | null
  company: GeneratedJson<Record<string, string>>
  contacts: GeneratedJson<Partial<z.output<typeof contacts>>>
  postback_token: string
  allowed_ips: Generated<string[]>
  currency: Generated<Currency>
  notes: Generated<string>
  created_at: Generated<Date>
}

export interface PartnerTables {
  manager: Manager
  affiliate: Affiliate
  advertiser: Advertiser
}
