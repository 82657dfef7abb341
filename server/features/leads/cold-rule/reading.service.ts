import { can } from '#contract/access.ts'
import { COLD_REFERENCE_FIELDS, type ColdAudience, type ColdReferenceField } from '#contract/leads/cold-audience.ts'
import type { ColdAction, ColdRuleNames } from '#contract/leads/cold-rule.ts'
import type { Scope } from '#server/access/scope.ts'
import { getGeneralSettings } from '#server/features/network/setting/setting.queries.ts'
import { actorOfAccount } from '#server/features/people/account/account-actor.service.ts'
import { entitiesBehind, type NamedDimension } from '#server/features/traffic/report/entity.queries.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'
import { uuidsOf } from '#server/rules/lead/cold/named.ts'
import type { Reading } from './audience.queries.ts'
import { nameLists, nameTemplates } from './cold-rule.queries.ts'
import { findOwner } from './run.queries.ts'

const DIMENSIONS: Readonly<Record<Exclude<ColdReferenceField, 'list'>, NamedDimension>> = {
  affiliate: 'affiliate',
  manager: 'manager',
  offer: 'offer',
  rejected_by_advertiser: 'advertiser',
  rejected_by_product: 'product',
}
type Named = { uuid: string; id: number; name: string }

/** Whose rows a rule looks at: everybody's, or those of its team lead's team as it is now; undefined: they lead none any more. */
export async function scopeOfRule(db: DbOrTrx, teamOf: number | null): Promise<Scope | undefined> {
  if (teamOf === null) return { kind: 'all' }
  const account = await findOwner(db, teamOf)
  const actor = account === undefined ? undefined : await actorOfAccount(db, account)
  return actor !== undefined && can(actor.role, 'cold.write') && actor.scope.kind === 'managers' ? actor.scope : undefined
}

/** Everything conditions are read with. What they name outside of the scope is nobody. */
export async function readingOf(db: DbOrTrx, now: number, scope: Scope, audience: ColdAudience): Promise<Reading> {
  const [named, { time_zone }] = await Promise.all([namesIn(db, scope, [audience]), getGeneralSettings(db)])
  const ids = Object.values(named).flatMap((those) => those.map(({ uuid, id }) => [uuid, id] as const))
  return { ids: new Map(ids), scope, now, zone: time_zone }
}

/** The names of what settings refer to, as far as somebody may know them. */
export async function namesOf(
  db: DbOrTrx,
  scope: Scope,
  all: readonly { audience: ColdAudience; action: ColdAction | null }[],
): Promise<ColdRuleNames> {
  const lists = all.flatMap(({ action }) => (action?.kind === 'list' ? [action.list_uuid] : []))
  const templates = all.flatMap(({ action }) => (action === null || action.kind === 'list' ? [] : [action.template_uuid]))
  const [named, template] = await Promise.all([
    namesIn(
      db,
      scope,
      all.map(({ audience }) => audience),
      lists,
    ),
    nameTemplates(db, scope, templates),
  ])
  return { ...named, template }
}

async function namesIn(
  db: DbOrTrx,
  scope: Scope,
  audiences: readonly ColdAudience[],
  lists: readonly string[] = [],
): Promise<Record<ColdReferenceField, Named[]>> {
  const found = await Promise.all(
    COLD_REFERENCE_FIELDS.map(async (field): Promise<[ColdReferenceField, Named[]]> => {
      const uuids = [...new Set([...audiences.flatMap((audience) => uuidsOf(audience, field)), ...(field === 'list' ? lists : [])])]
      return [field, uuids.length === 0 ? [] : await known(db, scope, field, uuids)]
    }),
  )
  return Object.fromEntries(found) as Record<ColdReferenceField, Named[]> // of every field
}

async function known(db: DbOrTrx, scope: Scope, field: ColdReferenceField, uuids: readonly string[]): Promise<Named[]> {
  if (field === 'list') return (await nameLists(db, scope, uuids)).map(({ uuid, id, name }) => ({ uuid, id, name }))
  const found = await entitiesBehind(db, scope, DIMENSIONS[field], uuids)
  // whom somebody may not know has no name
  return found.filter(({ name }) => name !== '')
}
