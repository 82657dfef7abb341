import type { z } from 'zod'
import { personalNames } from '#contract/fields.ts'
import { accountFields } from '#contract/people/account.ts'
import { advertiserFields } from '#contract/people/advertiser.ts'
import { affiliateFields } from '#contract/people/affiliate.ts'
import type { AuditKind } from '#contract/people/audit.ts'
import { managerFields } from '#contract/people/manager.ts'
import type { Actor } from '#server/access/actor.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'
import { sameJson } from '#server/platform/same-json.ts'
import { insertAudit, lastAudits } from './audit.queries.ts'

export type AuditedChange = {
  action: string
  entity: AuditKind
  entityId: string | number
  before?: object | null
  after?: object | null
}

/** Fields of people that their contracts mark `personal`, and secrets by what their names end with: never in the log in clear. */
const PERSONAL = new Set([accountFields, affiliateFields, advertiserFields, managerFields].flatMap(personalNames))
const SECRET = /(^|_)(password|token|secret|hash)$|_key$/

/**
 * Appends one change, or many in one statement, to the audit log, in the transaction that makes them. Only the fields
 * that differ are kept, and nothing where none does; personal ones and secrets are masked. `actor` is null for the system itself.
 */
export async function recordAudit(db: DbOrTrx, actor: Actor | null, now: number, changes: AuditedChange | AuditedChange[]): Promise<void> {
  const rows = [changes].flat().flatMap(({ action, entity, entityId, before = null, after = null }) => {
    const changed = difference(before, after)
    if (before !== null && after !== null && Object.keys(changed.after ?? {}).length === 0) return []
    return {
      at: new Date(now),
      actor_id: actor?.accountId ?? null,
      acting_id: actor?.acting?.accountId ?? null,
      key_id: actor?.key?.id ?? null,
      address: actor?.address ?? '',
      action,
      entity,
      entity_id: String(entityId),
      ...changed,
    }
  })
  await insertAudit(db, rows)
}

/** What is recorded of one status given to many: each one's own status before. */
export function statusChanges(entity: AuditKind, changed: readonly { id: number; status: string }[], status: string): AuditedChange[] {
  return changed.map((row) => ({ action: 'set_status', entity, entityId: row.id, before: { status: row.status }, after: { status } }))
}

/**
 * Of some things those whose last change was this one of the actor's own, each with when that was and how the thing was before,
 * as far as `before` reads it: what can be taken back. Who asks has locked them.
 */
export async function lastOwn<Row extends { id: number }, Before>(
  trx: DbOrTrx,
  actor: Actor,
  entity: AuditKind,
  rows: readonly Row[],
  { action, before, at }: { action: string; before: z.ZodType<Before>; at?: Date | undefined },
): Promise<(Row & { at: Date; earlier: Before })[]> {
  const ids = rows.map(({ id }) => id)
  const last = await lastAudits(trx, entity, ids)
  return rows.flatMap((row) => {
    const entry = last.get(row.id)
    const earlier = before.safeParse(entry?.before)
    if (entry === undefined || entry.action !== action || entry.actor_id !== actor.accountId || !earlier.success) return []
    return at === undefined || entry.at.getTime() === at.getTime() ? [{ ...row, at: entry.at, earlier: earlier.data }] : []
  })
}

function difference(before: object | null, after: object | null): { before: object | null; after: object | null } {
  if (before === null || after === null) return { before: before && mask(before), after: after && mask(after) }
  const earlier = new Map<string, unknown>(Object.entries(before))
  const changed = Object.entries(after).filter(([name, value]) => !sameJson(earlier.get(name), value))
  return {
    before: mask(Object.fromEntries(changed.map(([name]) => [name, earlier.get(name)]))),
    after: mask(Object.fromEntries(changed)),
  }
}

/** A copy for the log, masked at every depth. */
function mask(values: object): object {
  return JSON.parse(JSON.stringify(values), (name, value: unknown) => (value && (PERSONAL.has(name) || SECRET.test(name)) ? '•••' : value))
}
