import type { RecoldData, RecoldSkip, SkipReason } from '#contract/leads/recold-plan.ts'

/** How the network looks at consents of a region: without one nobody is sent; they are, with a warning; or nobody asks. */
export type ConsentGate = 'block' | 'warn' | 'off'

/** `recipients`: advertisers that are named; null = nobody in particular. */
export type PersonConsent = { givenAt: number | null; recipients: ReadonlySet<number> | null }

/** A product that may be asked. `suppressed`: the person may not be offered to its advertiser. */
export type SkipTarget = { advertiserId: number; geos: readonly string[]; suppressed: boolean }

/** What is known of somebody at the moment they would be sent. */
export type SkipFacts = {
  at: number
  erased: boolean
  restricted: boolean
  test: boolean
  suppressed: boolean
  gate: ConsentGate
  consent: PersonConsent | null
  /** A lead of theirs is not decided about yet: it waits for its sale or for a person. */
  open: boolean
  converted: boolean
  callStatuses: readonly string[]
  /** Advertisers that had the person, and when last. */
  seenBy: ReadonlyMap<number, number>
  lastSend: number | null
  /** Cold sends of all distributions. */
  coldSends: number
  registeredAt: number | null
  country: string
  language: string
  gender: string
  os: string
  device: string
  /** The offer takes leads of the country. */
  offerTakes: boolean
  /** What its kind of leads needs and is not known of them. */
  missing: readonly string[]
  removed: boolean
  targets: readonly SkipTarget[]
}

export type SkipRules = { skip: RecoldSkip; data: Pick<RecoldData, 'geos' | 'languages' | 'genders' | 'os' | 'devices'> }

const DAY = 86_400_000

/** The first reason somebody is passed over, in the order of `SKIP_REASONS`; null = they are sent. `geo_cap` is decided by pacing. */
export function skipReason({ skip, data }: SkipRules, facts: SkipFacts): SkipReason | null {
  const { at } = facts
  if (facts.erased) return 'erased'
  if (facts.restricted) return 'restricted'
  if (facts.test) return 'test'
  const { targets, covered, fresh, fitting } = narrowed(skip, facts)
  // without any product left it is the target that is wrong
  if (facts.suppressed || (targets.length === 0 && facts.targets.length > 0)) return 'suppressed'
  if (covered.length === 0 && targets.length > 0) return 'no_consent'
  if (isOld(facts, skip.consent_days)) return 'old_consent'
  if (facts.open) return 'open'
  if (facts.converted) return 'converted'
  if (facts.callStatuses.some((status) => skip.call_statuses.some((forbidden) => forbidden === status))) return 'call_status'
  if (fresh.length === 0 && covered.length > 0) return 'same_advertiser'
  if (facts.lastSend !== null && at - facts.lastSend < skip.cool_down_days * DAY) return 'cool_down'
  if (facts.coldSends >= skip.most_sends) return 'most_sends'
  if (isOfWrongAge(facts, skip)) return 'age'
  if (fitting.length === 0 || !facts.offerTakes || facts.missing.length > 0) return 'target'
  if (!isAsked(data, facts)) return 'data'
  return facts.removed ? 'removed' : null
}

type TargetFacts<Target> = Pick<SkipFacts, 'at' | 'gate' | 'consent' | 'seenBy' | 'country'> & { targets: readonly Target[] }

/** Of the products those that may be asked for somebody, if anybody sends them. */
export function takersOf<Target extends SkipTarget>(skip: RecoldSkip, facts: TargetFacts<Target>): Target[] {
  return narrowed(skip, facts).fitting
}

/** The products less and less: not suppressed, covered by the consent, those that did not have the person, those of their country. */
function narrowed<Target extends SkipTarget>(skip: RecoldSkip, { at, gate, consent, seenBy, country, targets: all }: TargetFacts<Target>) {
  const targets = all.filter(({ suppressed }) => !suppressed)
  const agreed = agreedTo(gate, consent)
  const covered = targets.filter(({ advertiserId }) => agreed === null || agreed.has(advertiserId))
  const fresh = covered.filter(({ advertiserId }) => !isRecent(seenBy.get(advertiserId), at, skip.same_advertiser_days))
  return { targets, covered, fresh, fitting: fresh.filter(({ geos }) => geos.length === 0 || geos.includes(country)) }
}

/** The advertisers somebody's consent covers under a gate; null = it holds nobody back. */
export function agreedTo(gate: ConsentGate, consent: PersonConsent | null): ReadonlySet<number> | null {
  if (gate === 'off') return null
  if (consent !== null && consent.recipients !== null) return consent.recipients
  return gate === 'block' ? new Set() : null
}

/** One that does not say when it was given is as old as can be. */
function isOld({ at, gate, consent }: SkipFacts, days: number | null): boolean {
  if (gate === 'off' || consent === null || days === null) return false
  return consent.givenAt === null || at - consent.givenAt > days * DAY
}

function isRecent(seen: number | undefined, at: number, days: number | null): boolean {
  return seen !== undefined && (days === null || at - seen < days * DAY)
}

/** Of whom nobody knows when they registered no age is right. */
function isOfWrongAge({ at, registeredAt }: SkipFacts, { age_min_days, age_max_days }: RecoldSkip): boolean {
  if (age_min_days === null && age_max_days === null) return false
  if (registeredAt === null) return true
  const age = at - registeredAt
  return (age_min_days !== null && age < age_min_days * DAY) || (age_max_days !== null && age > age_max_days * DAY)
}

function isAsked(data: SkipRules['data'], { country, language, gender, os, device }: SkipFacts): boolean {
  const among = (chosen: readonly string[], value: string) =>
    chosen.length === 0 || chosen.some((one) => one.toLowerCase() === (value === '' ? 'unknown' : value.toLowerCase()))
  return (
    among(data.geos, country) &&
    among(data.languages, language) &&
    among(data.genders, gender) &&
    among(data.os, os) &&
    among(data.devices, device)
  )
}
