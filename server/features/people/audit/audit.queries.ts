import type { Actor } from '#server/access/actor.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'

/** Names of fields whose values never enter the log in clear. */
const MASKED = new Set(['email', 'phone', 'contacts', 'password', 'password_hash', 'token', 'postback_token', 'name_of_bank', 'iban'])

/**
 * Appends one change to the audit log, in the transaction that makes it. Only the fields that differ are kept;
 * personal ones and secrets are masked. `actor` is null for the system itself.
 */
export async function recordAudit(
  db: DbOrTrx,
  actor: Actor | null,
  now: number,
  change: { action: string; entity: string; entityId: string | number; before?: object | null; after?: object | null },
): Promise<void> {
  const [before, after] = difference(change.before ?? null, change.after ?? null)
  await db
    .insertInto('audit')
    .values({
      at: new Date(now),
      actor_id: actor?.accountId ?? null,
      acting_id: actor?.acting?.accountId ?? null,
      address: actor?.address ?? '',
      action: change.action,
      entity: change.entity,
      entity_id: String(change.entityId),
      before: before === null ? null : JSON.stringify(before),
      after: after === null ? null : JSON.stringify(after),
    })
    .execute()
}

function difference(before: object | null, after: object | null): [object | null, object | null] {
  if (before === null || after === null) return [before && mask(before), after && mask(after)]
  const old: Record<string, unknown> = {}
  const fresh: Record<string, unknown> = {}
  const earlier = new Map<string, unknown>(Object.entries(before))
  for (const [name, value] of Object.entries(after)) {
    if (JSON.stringify(earlier.get(name)) === JSON.stringify(value)) continue
    old[name] = earlier.get(name)
    fresh[name] = value
  }
  return [mask(old), mask(fresh)]
}

function mask(values: object): object {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, MASKED.has(name) && value ? '•••' : value]))
}
