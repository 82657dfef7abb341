import type { IntegrityCheck, IntegrityFound } from '#contract/leads/integrity.ts'

/** What is known of an address. */
export type AddressFacts = {
  /** ISO 3166, '' = nobody knows. */
  country: string
  /** Of the network that announces it; 0 = unknown. */
  asn: number
  network: string
  hosting: boolean
  /** One that nobody has on the internet: of a home, a test, a machine itself. */
  reserved: boolean
}

/** A lead and what was there when it came: all that the checks look at. */
export type LeadSnapshot = {
  /** Of its affiliate's telling, ISO 3166; '' = not told. */
  country: string
  /** E.164, '' = none. */
  phone: string
  email: string
  ip: string
  userAgent: string
  /** null = nothing can be looked up just now. */
  address: AddressFacts | null
  /** Earlier leads with its telephone or its e-mail address, as far as they count. */
  before: { count: number; by: 'phone' | 'email'; lastAt: number; sameAffiliate: boolean } | null
  /** Leads of the window before it. */
  recent: { ip: number; device: number; affiliate: number }
  /** What of it stands on the blacklist. */
  listed: readonly { kind: string; field: string; entry: string }[]
}

/** What a check found. `weight` 0 = it could not look. */
export type Finding = { found: IntegrityFound; field: string; weight: number; detail?: Readonly<Record<string, string>> }

/** Looks at one side of a lead by the settings of its offer. Pure. */
export type Check<Settings> = (lead: LeadSnapshot, settings: Settings, now: number) => Finding[]

export type Checks<All> = { readonly [Name in IntegrityCheck]: Check<All[Name & keyof All]> }
