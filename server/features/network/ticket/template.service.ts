import type { z } from 'zod'
import { MOST_TEMPLATES, type ticketTemplateInput } from '#contract/network/ticket-template.ts'
import type { Actor } from '#server/access/actor.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { refuseStale } from '#server/platform/pg/version.ts'
import {
  countTemplates,
  deleteTemplate,
  insertTemplate,
  isTitleTaken,
  lockTemplate,
  lockTemplates,
  updateTemplate,
} from './template.queries.ts'

type Input = z.output<typeof ticketTemplateInput>

/** Makes a template. Throws `invalid_input` where there is one of that title, `limit_reached`. */
export function createTemplate(db: Db, now: number, actor: Actor, input: Input) {
  return db.transaction().execute(async (trx) => {
    await lockTemplates(trx)
    if ((await countTemplates(trx)) >= MOST_TEMPLATES) throw new AppError('limit_reached')
    const made = await insertTemplate(trx, input, new Date(now))
    if (made === undefined) throw titleTaken()
    await recordAudit(trx, actor, now, { action: 'create', entity: 'ticket_template', entityId: made.id, after: input })
    return made
  })
}

/** Changes a template. Throws `not_found`, `conflict`, `invalid_input`. */
export function changeTemplate(db: Db, now: number, actor: Actor, key: string, { version, ...input }: Input & { version: number }) {
  return db.transaction().execute(async (trx) => {
    await lockTemplates(trx)
    const before = await lockTemplate(trx, key)
    if (before === undefined) throw new AppError('not_found')
    refuseStale(before, version)
    if (await isTitleTaken(trx, input.title, before.id)) throw titleTaken()
    const { title, body } = before
    const change = { before: { title, body }, after: input }
    await recordAudit(trx, actor, now, { action: 'update', entity: 'ticket_template', entityId: before.id, ...change })
    return updateTemplate(trx, before.id, input)
  })
}

/** Removes a template. Throws `not_found`. */
export async function removeTemplate(db: Db, now: number, actor: Actor, key: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const before = await lockTemplate(trx, key)
    if (before === undefined) throw new AppError('not_found')
    const { title, body } = before
    await deleteTemplate(trx, before.id)
    await recordAudit(trx, actor, now, { action: 'delete', entity: 'ticket_template', entityId: before.id, before: { title, body } })
  })
}

const titleTaken = () => new AppError('invalid_input', { fields: { title: 'There is a template of that title' } })
