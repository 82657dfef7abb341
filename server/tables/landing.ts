import type { Generated, GeneratedAlways } from 'kysely'

type Landing = {
  id: GeneratedAlways<number>
  uuid: Generated<string>
  name: string
  url: string
  type: 'landing' | 'prelanding'
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
  version: Generated<number>
  created_at: Generated<Date>
}

type OfferLanding = { offer_id: number; landing_id: number; weight: Generated<number>; position: Generated<number> }

type StoredFile = {
  uuid: string
  kind: 'landing'
  content_type: string
  size: number
  sha256: string
  width: number
  height: number
  owner_id: number | null
  unowned_since: Date | null
  created_by: number
  created_at: Date
}

export interface LandingTables {
  landing: Landing
  offer_landing: OfferLanding
  file: StoredFile
}
