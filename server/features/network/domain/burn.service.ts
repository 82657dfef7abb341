import { UNDO_BURN_HOURS, type domainUses } from '#contract/network/domain.ts'
import type { z } from 'zod'
import type { Actor } from '#server/access/actor.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db, DbOrTrx } from '#server/platform/pg/database.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import { isSecure, type Addresses } from './address.service.ts'
import { addAssignments, removeAssignments } from './assignment.queries.ts'
import { announceDomains } from './announce.queries.ts'
import { countUses, tellReplaced, untellReplaced } from './burn.queries.ts'
import { clearDefault, getDomain, isUsable, listReplacements, updateDomain, type DomainRow } from './domain.queries.ts'
import { lockDomain, refuseDanger } from './domain.service.ts'

/** What uses a domain, and what could take its place. Throws `not_found`. */
export async function usesOf(db: DbOrTrx, config: Addresses, key: string): Promise<z.input<typeof domainUses>> {
  const domain = await getDomain(db, key)
  if (domain === undefined) throw new AppError('not_found')
  const [uses, replacements] = await Promise.all([countUses(db, domain), replacementsOf(db, config, domain)])
  return {
    default: domain.is_default,
    assignments: domain.assigned,
    ...uses,
    replacements: replacements.map(({ uuid, host, status }) => ({ uuid, host, status })),
    fallback: domain.kind === 'panel' ? config.publicUrl : config.trackingUrl,
  }
}

/**
 * Takes a domain out of use for everything new: its default and its assignments go to another of its kind, or to the configured
 * address, and affiliates whose links change are told. Clicks on old links are answered as before. Throws `not_found`,
 * `forbidden`, `status_not_allowed` where it is burnt already or was never verified, `unknown_reference`.
 */
export async function burnDomain(
  db: Db,
  now: number,
  actor: Actor,
  key: string,
  { reason, replacement_uuid, config }: { reason: string; replacement_uuid: string | null; config: Addresses },
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const domain = await lockDomain(trx, key)
    refuseDanger(actor, domain)
    if (domain.verified_at === null || domain.burnt_at !== null) throw new AppError('status_not_allowed')
    const replacement =
      replacement_uuid === null ? undefined : (await replacementsOf(trx, config, domain)).find(({ uuid }) => uuid === replacement_uuid)
    if (replacement_uuid !== null && replacement === undefined)
      throw new AppError('unknown_reference', { fields: { replacement_uuid: 'Choose a verified domain of the same kind' } })
    await tellReplaced(trx, now, domain, replacement?.host ?? '')
    const removed = await removeAssignments(trx, domain.id)
    const assignments = replacement === undefined ? removed : await addAssignments(trx, replacement.id, removed)
    const moved = {
      replacement_id: replacement?.id ?? null,
      default: domain.is_default,
      assignments: replacement ? assignments : removed,
      removed,
    }
    if (domain.is_default) await clearDefault(trx, domain.kind, now)
    await updateDomain(trx, domain.id, {
      burnt_at: new Date(now),
      burnt_by: actor.accountId,
      burnt_reason: reason,
      burnt_moved: moved,
      updated_at: new Date(now),
    })
    if (domain.is_default && replacement !== undefined)
      await updateDomain(trx, replacement.id, { is_default: true, updated_at: new Date(now) })
    const after = {
      host: domain.host,
      reason,
      replacement: replacement?.host ?? null,
      default: domain.is_default,
      assignments: removed.length,
    }
    await recordAudit(trx, actor, now, { action: 'burn', entity: 'domain', entityId: domain.id, after })
    await announceDomains(trx)
  })
}

/**
 * Takes a burning back: what it gave to another domain comes back, unless somebody gave it to a third one since. Throws `not_found`,
 * `forbidden`, `status_not_allowed` where it is not burnt, or was too long ago.
 */
export async function undoBurn(db: Db, now: number, actor: Actor, key: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const domain = await lockDomain(trx, key)
    refuseDanger(actor, domain)
    const { burnt_at, burnt_moved: moved } = domain
    if (burnt_at === null || moved === null || now > undoUntil(burnt_at)) throw new AppError('status_not_allowed')
    const replacement = moved.replacement_id === null ? undefined : await getDomain(trx, String(moved.replacement_id), true)
    const kept = replacement === undefined ? [] : await removeAssignments(trx, replacement.id, moved.assignments)
    // those the other one had before stay with it too; those somebody took from it since stay taken
    const own = moved.removed.filter((one) => !moved.assignments.some((other) => isSame(one, other)))
    await addAssignments(trx, domain.id, replacement === undefined ? moved.removed : [...kept, ...own])
    await updateDomain(trx, domain.id, { burnt_at: null, burnt_by: null, burnt_reason: '', burnt_moved: null, updated_at: new Date(now) })
    const back = moved.default && (await isFree(trx, domain, replacement))
    if (back) {
      await clearDefault(trx, domain.kind, now)
      await updateDomain(trx, domain.id, { is_default: true, updated_at: new Date(now) })
    }
    await untellReplaced(trx, domain, burnt_at)
    await recordAudit(trx, actor, now, {
      action: 'undo',
      entity: 'domain',
      entityId: domain.id,
      after: { host: domain.host, default: back },
    })
    await announceDomains(trx)
  })
}

/** Until when a burning may be taken back, in ms. */
export function undoUntil(burntAt: Date): number {
  return burntAt.getTime() + UNDO_BURN_HOURS * 3_600_000
}

/** Whether the default is where the burning left it. */
async function isFree(db: DbOrTrx, { kind, id }: DomainRow, replacement: DomainRow | undefined): Promise<boolean> {
  if (replacement !== undefined) return replacement.is_default
  return !(await listReplacements(db, kind, id, isUsable(false))).some(({ is_default }) => is_default)
}

function replacementsOf(db: DbOrTrx, config: Addresses, { kind, id }: DomainRow) {
  return listReplacements(db, kind, id, isUsable(isSecure(config, kind)))
}

type Pair = { affiliate_id: number | null; offer_id: number | null }

function isSame(a: Pair, b: Pair): boolean {
  return a.affiliate_id === b.affiliate_id && a.offer_id === b.offer_id
}
