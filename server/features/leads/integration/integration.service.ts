import type { z } from 'zod'
import type { StatusChange } from '#contract/fields.ts'
import type { integrationApi, IntegrationDetail, IntegrationStatus } from '#contract/leads/integration.ts'
import { integrationSpec, type IntegrationSpec } from '#contract/leads/integration-spec.ts'
import type { Actor } from '#server/access/actor.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db, DbOrTrx, Trx } from '#server/platform/pg/database.ts'
import { refuseStale } from '#server/platform/pg/version.ts'
import { checkSpec } from '#server/rules/lead/integration/check-spec.ts'
import { INTEGRATION_PRESETS } from '#server/rules/lead/integration/preset/preset.ts'
import { presentDetail, readSpec } from './integration.present.ts'
import {
  deleteDraft,
  getIntegration,
  getVersion,
  insertDraft,
  insertIntegration,
  listVersions,
  lockIntegrations,
  publishDraft,
  titleIsTaken,
  updateDraft,
  updateIntegrations,
  type IntegrationRow,
} from './integration.queries.ts'

type Body<Name extends 'create' | 'update' | 'save'> = z.output<(typeof integrationApi)[Name]['body']>

/** What a new integration begins with: nothing is sent before somebody says where to. */
const BLANK: IntegrationSpec = integrationSpec.parse({
  credentials: [{ key: 'api_key', label: 'API key', secret: true }],
  request: {
    method: 'POST',
    url: '{{product.host}}/leads',
    headers: [{ name: 'Authorization', value: "{{cred.api_key | prefix:'Bearer '}}" }],
    body: 'json',
    nodes: [
      { path: 'first_name', value: '{{lead.first_name}}' },
      { path: 'last_name', value: '{{lead.last_name}}' },
      { path: 'email', value: '{{lead.email}}' },
      { path: 'phone', value: '{{lead.phone | e164}}', required: true },
      { path: 'country', value: '{{lead.country}}', required: true },
      { path: 'ip', value: '{{lead.ip}}' },
      { path: 'external_id', value: '{{send.lead_id}}' },
    ],
  },
  response: {
    rules: [{ when: [{ at: 'success', op: 'truthy' }], outcome: 'accepted' }],
    extract: { external_id: ['id'], error_text: ['message', 'error'] },
  },
})

/** One integration with what its draft, else its active version says. Throws `not_found`. */
export async function showIntegration(db: DbOrTrx, key: string): Promise<IntegrationDetail> {
  const row = await getIntegration(db, key)
  if (row === undefined) throw new AppError('not_found')
  return detailOf(db, row)
}

/** Makes an integration with a first draft. Throws `unknown_reference`, `invalid_input` where another is called so. */
export function createIntegration(
  db: Db,
  now: number,
  actor: Actor,
  { preset, copy_of, ...fields }: Body<'create'>,
): Promise<IntegrationDetail> {
  return db.transaction().execute(async (trx) => {
    const spec = await firstSpec(trx, preset, copy_of)
    await refuseTaken(trx, fields.title, null)
    const made = await insertIntegration(trx, { ...fields, preset, created_at: new Date(now), updated_at: new Date(now) })
    await insertDraft(trx, { integrationId: made.id, number: 1, spec, note: '', now, accountId: actor.accountId })
    await recordAudit(trx, actor, now, { action: 'create', entity: 'integration', entityId: made.id, after: { ...fields, preset } })
    return showIntegration(trx, made.uuid)
  })
}

/** Changes title, type and notes. Throws `not_found`, `conflict`, `invalid_input`. */
export function updateIntegration(db: Db, now: number, actor: Actor, key: string, { version, ...fields }: Body<'update'>) {
  return change(db, now, actor, key, version, async (trx, before) => {
    await refuseTaken(trx, fields.title, before.id)
    await updateIntegrations(trx, [before.id], now, fields)
    return { action: 'update', before: { title: before.title, type: before.type, notes: before.notes }, after: fields }
  })
}

/** Saves the draft; after a publication that is a new one. Throws `not_found`, `conflict`. */
export function saveDraft(db: Db, now: number, actor: Actor, key: string, { version, spec, note }: Body<'save'>) {
  return change(db, now, actor, key, version, async (trx, before) => {
    const number = before.draft ?? (before.active ?? 0) + 1
    const last = before.draft === null ? await lastNumber(trx, before.id) : number
    if (before.draft === null)
      await insertDraft(trx, { integrationId: before.id, number: last + 1, spec, note, now, accountId: actor.accountId })
    else await updateDraft(trx, before.id, { spec, note })
    await updateIntegrations(trx, [before.id], now, {})
    return { action: 'save_draft', before: { draft: before.draft }, after: { draft: before.draft ?? last + 1, note } }
  })
}

/** Makes the draft what new products take. Throws `not_found`, `conflict`, `status_not_allowed`, `invalid_input` with what must be mended. */
export function publishIntegration(db: Db, now: number, actor: Actor, key: string, version: number) {
  return change(db, now, actor, key, version, async (trx, before) => {
    if (before.draft === null) throw new AppError('status_not_allowed', { fields: { draft: 'There is no draft to publish' } })
    const draft = await getVersion(trx, before.id, before.draft)
    const [mistake] = checkSpec(readSpec(draft?.spec))
    if (mistake !== undefined) throw new AppError('invalid_input', { fields: { [`spec.${mistake.path}`]: 'Mend this first' } })
    await publishDraft(trx, before.id, now)
    await updateIntegrations(trx, [before.id], now, {})
    return { action: 'publish', before: { active: before.active }, after: { active: before.draft } }
  })
}

/** Throws the draft away. Throws `not_found`, `conflict`, `status_not_allowed` where nothing else is there. */
export function discardDraft(db: Db, now: number, actor: Actor, key: string, version: number) {
  return change(db, now, actor, key, version, async (trx, before) => {
    if (before.draft === null || before.active === null)
      throw new AppError('status_not_allowed', { fields: { draft: 'Only a draft beside an active version can be discarded' } })
    await deleteDraft(trx, before.id)
    await updateIntegrations(trx, [before.id], now, {})
    return { action: 'discard_draft', before: { draft: before.draft }, after: { draft: null } }
  })
}

/** Archives integrations or takes them back; answers how many changed. */
export function setIntegrationStatus(db: Db, now: number, actor: Actor, { uuids, status, expected }: StatusChange<IntegrationStatus>) {
  return db.transaction().execute(async (trx) => {
    const locked = await lockIntegrations(trx, uuids)
    const moving = locked.filter((row) => row.status !== status && (expected === undefined || row.status === expected))
    if (status === 'active') for (const { id, title } of moving) await refuseTaken(trx, title, id)
    await updateIntegrations(
      trx,
      moving.map(({ id }) => id),
      now,
      { status },
    )
    await recordAudit(
      trx,
      actor,
      now,
      moving.map(({ id, status: was }) => ({
        action: 'set_status',
        entity: 'integration',
        entityId: id,
        before: { status: was },
        after: { status },
      })),
    )
    return moving.length
  })
}

type Logged = { action: string; before: Record<string, unknown>; after: Record<string, unknown> }

function change(
  db: Db,
  now: number,
  actor: Actor,
  key: string,
  version: number,
  work: (trx: Trx, before: IntegrationRow) => Promise<Logged>,
): Promise<IntegrationDetail> {
  return db.transaction().execute(async (trx) => {
    const before = await getIntegration(trx, key, true)
    if (before === undefined) throw new AppError('not_found')
    refuseStale(before, version)
    const logged = await work(trx, before)
    await recordAudit(trx, actor, now, { ...logged, entity: 'integration', entityId: before.id })
    return showIntegration(trx, before.uuid)
  })
}

async function firstSpec(trx: Trx, preset: string, copyOf: string | null): Promise<IntegrationSpec> {
  if (copyOf !== null) {
    const copied = await getIntegration(trx, copyOf)
    if (copied === undefined) throw new AppError('unknown_reference', { fields: { copy_of: 'Choose an integration' } })
    return (await detailOf(trx, copied)).spec
  }
  if (preset === '') return BLANK
  const known = INTEGRATION_PRESETS.find(({ key }) => key === preset)
  if (known === undefined) throw new AppError('unknown_reference', { fields: { preset: 'Choose a preset of the list' } })
  return integrationSpec.parse(known.spec)
}

async function refuseTaken(trx: Trx, title: string, ownId: number | null): Promise<void> {
  if (await titleIsTaken(trx, title, ownId)) throw new AppError('invalid_input', { fields: { title: 'Another integration is called so' } })
}

async function lastNumber(trx: Trx, id: number): Promise<number> {
  return (await listVersions(trx, id))[0]?.number ?? 0
}

async function detailOf(db: DbOrTrx, row: IntegrationRow): Promise<IntegrationDetail> {
  const versions = await listVersions(db, row.id)
  const shown = row.draft ?? row.active ?? versions[0]?.number ?? 0
  const version = await getVersion(db, row.id, shown)
  return presentDetail(row, versions, readSpec(version?.spec ?? BLANK))
}
