import type { z } from 'zod'
import type { domainInput, domainUpdate } from '#contract/network/domain.ts'
import { may, type Actor } from '#server/access/actor.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Config } from '#server/platform/config.ts'
import type { Db, Trx } from '#server/platform/pg/database.ts'
import { lockName } from '#server/platform/pg/lock.ts'
import { refuseStale } from '#server/platform/pg/version.ts'
import { newToken } from '#server/platform/secret.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import { isSecure } from './address.service.ts'
import { addAssignments, assignmentsBehind, removeAssignments, type Assignment } from './assignment.queries.ts'
import { announceDomains } from './announce.queries.ts'
import { canBeUsed, clearDefault, deleteDomain, getDomain, insertDomain, updateDomain, type DomainRow } from './domain.queries.ts'

/**
 * Adds a domain, which waits for its first look. Answers its uuid. Throws `invalid_input` where the network has it already, be it as what
 * the other kind is configured with.
 */
export async function createDomain(
  db: Db,
  now: number,
  actor: Actor,
  input: z.output<typeof domainInput>,
  addresses: Pick<Config, 'publicUrl' | 'trackingUrl'>,
): Promise<string> {
  refuseOtherKind(input, addresses)
  const at = new Date(now)
  refuseKey(actor, input)
  return db.transaction().execute(async (trx) => {
    const times = { next_check_at: at, created_at: at, updated_at: at }
    const made = await insertDomain(trx, { ...input, ...times, token: newToken(), created_by: actor.accountId })
    if (made === undefined) throw new AppError('invalid_input', { fields: { host: 'The network has this domain already' } })
    await recordAudit(trx, actor, now, { action: 'create', entity: 'domain', entityId: made.id, after: input })
    await announceDomains(trx)
    return made.uuid
  })
}

/** Changes who gets its certificate and whose links it is for. Throws `not_found`, `conflict`, `unknown_reference`, `invalid_input`. */
export async function changeDomain(
  db: Db,
  now: number,
  actor: Actor,
  key: string,
  { version, certificate, assignments }: z.output<typeof domainUpdate>,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const domain = await lockDomain(trx, key)
    refuseKey(actor, domain)
    refuseStale(domain, version)
    const wanted = await checkedAssignments(trx, domain, assignments)
    // what somebody sees of it: the whole of what it was assigned to, and is
    const before = await removeAssignments(trx, domain.id)
    await addAssignments(trx, domain.id, wanted)
    await updateDomain(trx, domain.id, { certificate, updated_at: new Date(now), next_check_at: new Date(now) })
    const change = {
      before: { certificate: domain.certificate, assignments: before.map(named).toSorted(byNumbers) },
      after: { certificate, assignments: wanted.map(named).toSorted(byNumbers) },
    }
    await recordAudit(trx, actor, now, { action: 'update', entity: 'domain', entityId: domain.id, ...change })
    await announceDomains(trx)
  })
}

/** Makes a domain the default of its kind. Throws `not_found`, `forbidden`, and `status_not_allowed` for one that cannot be used yet, or no more. */
export async function makeDefault(db: Db, now: number, actor: Actor, key: string, config: Pick<Config, 'domainAddress'>): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const domain = await lockDomain(trx, key)
    refuseDanger(actor, domain)
    if (!(await canBeUsed(trx, domain.id, isSecure(config, domain.kind))))
      throw new AppError('status_not_allowed', { fields: { uuid: 'Only a verified domain with its certificate can be the default one' } })
    if (domain.is_default) return
    if (domain.status === 'failing') throw new AppError('status_not_allowed', { fields: { uuid: FAILING } })
    await clearDefault(trx, domain.kind, now)
    await updateDomain(trx, domain.id, { is_default: true, updated_at: new Date(now) })
    await recordAudit(trx, actor, now, { action: 'set_default', entity: 'domain', entityId: domain.id, after: { host: domain.host } })
    await announceDomains(trx)
  })
}

const FAILING = 'This domain is failing now: mend what the last look found, press “Look now”, then make it the default one'

/** Removes a domain. Throws `not_found`, and `reference_in_use` for one that is in use where that is not confirmed. */
export async function removeDomain(db: Db, now: number, actor: Actor, key: string, confirm: boolean): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const domain = await lockDomain(trx, key)
    refuseKey(actor, domain)
    if (!confirm && (domain.is_default || domain.assigned > 0)) throw new AppError('reference_in_use')
    const assignments = (await removeAssignments(trx, domain.id)).map(named)
    await deleteDomain(trx, domain.id)
    const before = { host: domain.host, kind: domain.kind, status: domain.status, default: domain.is_default, assignments }
    await recordAudit(trx, actor, now, { action: 'delete', entity: 'domain', entityId: domain.id, before })
    await announceDomains(trx)
  })
}

/** A domain that nobody else changes meanwhile, nor any other: a default moves between two of them. Throws `not_found`. */
export async function lockDomain(trx: Trx, key: string): Promise<DomainRow> {
  await lockName(trx, 'domain')
  const domain = await getDomain(trx, key, true)
  if (domain === undefined) throw new AppError('not_found')
  return domain
}

/** Where mails lead decides who gets in: the panel's domains are no matter of API keys, those of links are. Throws `key_never`. */
function refuseKey(actor: Actor, { kind }: Pick<DomainRow, 'kind'>): void {
  if (kind === 'panel' && actor.key !== null) throw new AppError('key_never')
}

/** The panel's domains are an admin's, who does it in the panel itself. Throws `forbidden`, `key_never`. */
export function refuseDanger(actor: Actor, { kind }: Pick<DomainRow, 'kind'>): void {
  refuseKey(actor, { kind })
  if (kind === 'panel' && !may(actor, 'setting.domains_danger')) throw new AppError('forbidden')
}

/** A name is for one thing: what is configured for the panel takes no clicks, and the other way round. */
function refuseOtherKind(
  { host, kind }: Pick<z.output<typeof domainInput>, 'host' | 'kind'>,
  { publicUrl, trackingUrl }: Pick<Config, 'publicUrl' | 'trackingUrl'>,
): void {
  const panel = new URL(publicUrl).hostname === host
  const tracking = new URL(trackingUrl).hostname === host
  if (panel === tracking || panel === (kind === 'panel')) return
  const message = panel
    ? 'This is the address of the panel: clicks need another name'
    : 'This is the address links are tracked under: the panel needs another name'
  throw new AppError('invalid_input', { fields: { host: message } })
}

async function checkedAssignments(
  trx: Trx,
  { kind, burnt_at }: DomainRow,
  pairs: z.output<typeof domainUpdate>['assignments'],
): Promise<Assignment[]> {
  const refuse = (row: number, message: string) => new AppError('invalid_input', { fields: { [`assignments.${row}`]: message } })
  if (pairs.length > 0 && kind === 'panel') throw refuse(0, 'Only tracking domains are assigned')
  if (pairs.length > 0 && burnt_at !== null) throw refuse(0, 'A burnt domain is assigned to nobody')
  const bare = pairs.findIndex((pair) => pair.affiliate_uuid === null && pair.offer_uuid === null)
  if (bare >= 0) throw refuse(bare, 'Choose an affiliate, an offer, or both')
  const seen = new Set<string>()
  for (const [row, pair] of pairs.entries()) {
    const name = `${pair.affiliate_uuid} ${pair.offer_uuid}`
    if (seen.has(name)) throw refuse(row, 'This stands here twice')
    seen.add(name)
  }
  const found = await assignmentsBehind(trx, pairs)
  return found.map((one, row) => {
    if (one === null)
      throw new AppError('unknown_reference', { fields: { [`assignments.${row}`]: 'This affiliate or offer does not exist' } })
    return one
  })
}

function named({ affiliate_id, offer_id }: Assignment): Assignment {
  return { affiliate_id, offer_id }
}

function byNumbers(a: Assignment, b: Assignment): number {
  return (a.affiliate_id ?? 0) - (b.affiliate_id ?? 0) || (a.offer_id ?? 0) - (b.offer_id ?? 0)
}
