import type { Generated, GeneratedAlways } from 'kysely'
import type { Role } from '#contract/access.ts'

type Account = {
  id: GeneratedAlways<number>
  uuid: Generated<string>
  role: Role
  email: string
  name: string
  password_hash: string | null
  language: Generated<'en' | 'uk'>
  time_zone: Generated<string>
  created_at: Generated<Date>
  last_login_at: Date | null
  version: Generated<number>
}

type Session = {
  id: GeneratedAlways<number>
  uuid: Generated<string>
  account_id: number
  token_hash: Buffer
  acting_account_id: number | null
  device: string
  address: string
  created_at: Date
  last_seen_at: Date
  expires_at: Date
}

type OneTimeLink = {
  token_hash: Buffer
  purpose: 'set_password' | 'setup'
  account_id: number | null
  created_at: Date
  expires_at: Date
  used_at: Date | null
}

type LoginAttempt = { id: GeneratedAlways<string>; email: string; address: string; at: Date }

type Setting = { key: string; value: unknown; updated_at: Generated<Date> }

type Audit = {
  id: GeneratedAlways<string>
  at: Date
  actor_id: number | null
  acting_id: number | null
  address: string
  action: string
  entity: string
  entity_id: string
  before: unknown
  after: unknown
}

type SavedView = {
  id: GeneratedAlways<number>
  uuid: Generated<string>
  account_id: number
  screen: string
  name: string
  address: string
  shared: boolean
  created_at: Date
  updated_at: Date
}

export interface AccountTables {
  account: Account
  session: Session
  one_time_link: OneTimeLink
  login_attempt: LoginAttempt
  setting: Setting
  audit: Audit
  saved_view: SavedView
}
