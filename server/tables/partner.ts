import type { Generated, GeneratedAlways } from 'kysely'
import type { z } from 'zod'
import type { company } from '#contract/people/advertiser.ts'
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
  contacts: GeneratedJson<z.output<typeof contacts>>
  notes: Generated<string>
  version: Generated<number>
}

type Affiliate = {
  id: GeneratedAlways<number>
  account_id: number
  status: z.output<typeof affiliateStatus>
  manager_id: number | null
  country: string | null
  phone: Generated<string>
  contacts: GeneratedJson<z.output<typeof contacts>>
  tags: Generated<string[]>
  notes: Generated<string>
  traffic_sources: Generated<string[]>
  verticals: Generated<string[]>
  geos: Generated<string[]>
  currency: Generated<Currency>
  created_at: Generated<Date>
  version: Generated<number>
}

type Advertiser = {
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
  currency: Generated<Currency>
  notes: Generated<string>
  created_at: Generated<Date>
  version: Generated<number>
}

export interface PartnerTables {
  manager: Manager
  affiliate: Affiliate
  advertiser: Advertiser
}
