import { coldConsentSetting } from '#contract/leads/cold-consent.ts'
import { INTEGRATION_TYPES, type IntegrationType } from '#contract/leads/integration-type.ts'
import type { RecoldData, RecoldSkip, SkipReason } from '#contract/leads/recold-plan.ts'
import { openLeadVault, type Told } from '#server/features/leads/session/vault.ts'
import { getSetting } from '#server/features/network/setting/setting.queries.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'
import { describeUserAgent } from '#server/rules/click/user-agent.ts'
import { passesTarget } from '#server/rules/offer/target.ts'
import { skipReason, takersOf, type SkipFacts } from '#server/rules/lead/cold/skip.ts'
import { gateFor, readConsent } from '#server/features/leads/send/cold-consent.ts'
import { readPast } from './past.service.ts'
import { listSources, readSuppressions, type Source } from './person-facts.queries.ts'
import { findNamed } from '#server/features/leads/send/cold-limit.queries.ts'
import type { Target } from './target.queries.ts'

/** What people are judged by: the policy of a distribution and where they would go. */
export type Judging = {
  skip: RecoldSkip
  data: RecoldData
  offer: { id: number; type: IntegrationType; geo: Parameters<typeof passesTarget>[0] }
  targets: readonly Target[]
  /** Whose affiliates' people may be sent; null = everybody's. */
  team: readonly number[] | null
}
export type Judged = {
  source: Source
  reason: SkipReason | null
  /** The products that may be asked for them. */
  takers: ReadonlySet<number>
  /** Sent though no consent of theirs names anybody. */ warned: boolean
  told: Told
}

/**
 * Looks at people of a list as they stand now: the first reason each is passed over, in the order of the policy. `exceptSession`: the
 * cold session of the person that is tried again.
 */
export async function judgePeople(
  { db, secretKey }: { db: DbOrTrx; secretKey: string | null },
  now: number,
  { skip, data, offer, targets, team }: Judging,
  listItemIds: readonly string[],
  exceptSession: string | null = null,
): Promise<Map<string, Judged>> {
  const sources = await listSources(db, listItemIds)
  const people = sources.map(({ person_id }) => person_id)
  const advertisers = [...new Set(targets.map(({ advertiserId }) => advertiserId))]
  const [past, suppressed, gates, named] = await Promise.all([
    readPast(db, people, exceptSession),
    readSuppressions(db, people, offer.id, new Date(now)),
    getSetting(db, coldConsentSetting),
    findNamed(db, advertisers),
  ])
  const barred = Map.groupBy(suppressed, ({ person_id }) => person_id)
  const vault = openLeadVault(secretKey)
  return new Map(
    sources.map((source): [string, Judged] => {
      const told = source.sealed === null ? {} : vault.openTold(source.sealed)
      const { sessions, sends } = past(source.person_id)
      const bars = barred.get(source.person_id) ?? []
      const gate = gateFor(gates, source.country)
      const consent = readConsent(consentOf(source), named)
      const open = openlyTold(source, told)
      const text = (name: string) => (typeof open[name] === 'string' ? open[name] : '')
      const lasts = sends.map(({ last }) => last.getTime())
      const facts = {
        at: now,
        erased: source.erased_at !== null,
        restricted: source.restricted_at !== null,
        test: source.test,
        suppressed: source.suppressed_at !== null || bars.some(({ advertiser_id }) => advertiser_id === null),
        gate,
        consent,
        open: sessions.some(({ open }) => open),
        converted: sessions.some(({ converted }) => converted),
        callStatuses: sessions.flatMap(({ call_statuses }) => call_statuses),
        seenBy: lastHad(sends),
        lastSend: lasts.length === 0 ? null : Math.max(...lasts),
        coldSends: sessions.reduce((sum, { cold_sends }) => sum + cold_sends, 0),
        registeredAt: registeredAt(source, told),
        country: source.country,
        language: told.language ?? source.language,
        gender: source.gender,
        os: text('os'),
        device: text('device'),
        offerTakes: passesTarget(offer.geo, source.country),
        missing: missingOf(offer.type, source, told, data),
        removed: source.removed_at !== null || !isOfTeam(source, team),
        targets: targets.map((target) => ({
          ...target,
          suppressed: bars.some(({ advertiser_id }) => advertiser_id === target.advertiserId),
        })),
      } satisfies SkipFacts
      const takers = new Set(takersOf(skip, facts).map(({ productId }) => productId))
      const reason = skipReason({ skip, data }, facts)
      return [
        source.id,
        { source, reason, takers, told, warned: reason === null && gate === 'warn' && (consent?.recipients ?? null) === null },
      ]
    }),
  )
}

/** Whether whose people they are is of the team now: affiliates go from one manager to another. */
function isOfTeam({ affiliate_id, affiliate_manager }: Source, team: Judging['team']): boolean {
  return team === null || affiliate_id === null || (affiliate_manager !== null && team.includes(affiliate_manager))
}

/** What of somebody says nothing of who it is; of a file what its user agent shows, as at intake. */
export function openlyTold(source: Pick<Source, 'told'>, { user_agent }: Told): Readonly<Record<string, unknown>> {
  return source.told ?? describeUserAgent(user_agent ?? '')
}

/** Advertisers that had somebody, and when last. */
function lastHad(sends: readonly { advertiser_id: number; had: Date | null }[]): Map<number, number> {
  const had = new Map<number, number>()
  for (const { advertiser_id, had: at } of sends)
    if (at !== null) had.set(advertiser_id, Math.max(at.getTime(), had.get(advertiser_id) ?? 0))
  return had
}

/** When they registered first; null = nobody knows. */
export function registeredAt({ received_at }: Source, told: Told): number | null {
  if (received_at !== null) return received_at.getTime()
  const at = Date.parse(told.registered_at ?? '')
  return Number.isNaN(at) ? null : at
}

/** What they agreed to: of those who came in a file what the file says. */
export function consentOf({ consent, item_consent, received_at }: Source): Record<string, unknown> | null {
  return received_at === null ? item_consent : consent
}

/** What the kind of leads needs and nobody said; a password is made where it is needed, and what is left out on purpose is not there. */
function missingOf(type: IntegrationType, { country }: Source, told: Told, { fields }: RecoldData): string[] {
  return INTEGRATION_TYPES[type].required.filter((name) => {
    if (name === 'country') return country === ''
    if (name === 'password') return false
    const rule = name === 'ip' || name === 'language' ? fields[name] : undefined
    if (rule?.use === 'omit') return true
    return rule?.use !== 'declared' && (told[name] ?? '') === ''
  })
}
