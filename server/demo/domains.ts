import { DOMAIN_CHECKS, type DomainCheck, type DomainCheckName, type DomainFinding } from '#contract/network/domain.ts'
import { newToken } from '#server/platform/secret.ts'
import { addAssignments } from '#server/features/network/domain/assignment.queries.ts'
import { insertDomain } from '#server/features/network/domain/domain.queries.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

type Made = {
  host: string
  kind: 'panel' | 'tracking'
  usual?: true
  /** Of the affiliate whose login is printed. */
  own?: true
  stands: 'verified' | 'failing' | 'burnt' | 'pending'
  addedDays: number
}

/**
 * Links of the demo must work on the machine it runs on, so those in use are names of that machine (`localhost` and what stands below it,
 * RFC 6761); the others are names nobody can own.
 */
const DOMAINS: readonly Made[] = [
  { host: 'localhost', kind: 'tracking', usual: true, stands: 'verified', addedDays: 80 },
  { host: 'start.localhost', kind: 'tracking', own: true, stands: 'verified', addedDays: 40 },
  { host: 'go.northlight.example', kind: 'tracking', stands: 'failing', addedDays: 60 },
  { host: 'click.northlight.example', kind: 'tracking', stands: 'burnt', addedDays: 85 },
  { host: 'partners.northlight.example', kind: 'panel', stands: 'pending', addedDays: 1 },
]

/** The domains of the demo, as looks found them. None is due for a look: no call leaves the demo by itself. */
export async function makeDomains(db: DbOrTrx, now: number, admin: { accountId: number }, ownAffiliate: number): Promise<void> {
  for (const { host, kind, usual = false, own = false, stands, addedDays } of DOMAINS) {
    const added = new Date(now - addedDays * DAY)
    const verified = stands === 'pending' ? null : new Date(added.getTime() + HOUR)
    const made = await insertDomain(db, {
      host,
      kind,
      is_default: usual,
      certificate: 'proxy',
      token: newToken(),
      verified_at: verified,
      verified_by: verified && 'file',
      checked_at: new Date(now - HOUR / 3),
      checks: JSON.stringify(checksOf(stands)),
      created_by: admin.accountId,
      created_at: added,
      updated_at: added,
      ...(stands === 'failing' && { failing: 'resolves' as const, failing_since: new Date(now - 5 * HOUR), failures: 6 }),
      ...(stands === 'burnt' && {
        burnt_at: new Date(now - 9 * DAY),
        burnt_by: admin.accountId,
        burnt_reason: 'Flagged by two advertising networks',
        burnt_moved: { replacement_id: null, default: false, assignments: [], removed: [] },
      }),
    })
    if (made !== undefined && own) await addAssignments(db, made.id, [{ affiliate_id: ownAffiliate, offer_id: null }])
  }
}

function checksOf(stands: Made['stands']): DomainCheck[] {
  const away = stands === 'failing' || stands === 'pending'
  const found: Record<DomainCheckName, [boolean | null, DomainFinding, string[]]> = {
    resolves: away ? [false, 'nothing', []] : [true, 'fine', ['127.0.0.1']],
    record: [false, 'nothing', []],
    http: away ? [false, 'nothing', []] : [true, 'fine', []],
    https: [null, 'not_needed', []],
    certificate: [null, 'not_needed', []],
    unsafe: [null, 'no_list', []],
  }
  return DOMAIN_CHECKS.map((check) => {
    const [ok, finding, told] = found[check]
    return { check, ok, finding, found: told, days: null }
  })
}
