import type { z } from 'zod'
import { trafficbackSettings } from '#contract/network/setting.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Actor } from '#server/access/actor.ts'
import type { Db, DbOrTrx } from '#server/platform/pg/database.ts'
import { describeTemplateErrors, parseTemplate } from '#server/rules/macros.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import { announce } from '#server/features/traffic/snapshot/snapshot.queries.ts'
import { saveSetting } from './setting.queries.ts'

export type TrafficbackSettings = z.output<typeof trafficbackSettings>

/** Where the network's refused clicks go; '' when nothing was set. */
export async function getTrafficback(db: DbOrTrx): Promise<TrafficbackSettings> {
  const row = await db.selectFrom('setting').select('value').where('key', '=', 'trafficback').executeTakeFirst()
  return { url: '', ...trafficbackSettings.partial().parse(row?.value ?? {}) }
}

/** Changes where refused clicks go, and tells the trackers. Throws `invalid_input` for macros that cannot be used here. */
export async function saveTrafficback(db: Db, now: number, actor: Actor, value: TrafficbackSettings): Promise<void> {
  if (value.url !== '') {
    const { errors } = parseTemplate(value.url, 'trafficback')
    if (errors.length > 0) throw new AppError('invalid_input', { fields: { url: describeTemplateErrors(errors) } })
  }
  await db.transaction().execute(async (trx) => {
    const before = await getTrafficback(trx)
    await saveSetting(trx, now, 'trafficback', value)
    await recordAudit(trx, actor, now, { action: 'update', entity: 'setting', entityId: 'trafficback', before, after: value })
    await announce(trx, 'trafficback', ['global'])
  })
}
