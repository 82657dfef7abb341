import type { Actor } from '#server/access/actor.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { requireCurrency } from '#server/features/money/currency/currency.service.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import { getGeneralSettings, saveSetting, type GeneralSettings } from './setting.queries.ts'

/** Replaces the general settings and tells every process of it. */
export async function saveGeneralSettings(db: Db, now: number, actor: Actor | null, value: GeneralSettings): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await requireCurrency(trx, value.base_currency, 'base_currency')
    const before = await getGeneralSettings(trx)
    await saveSetting(trx, now, 'general', value)
    await recordAudit(trx, actor, now, {
      action: 'update',
      entity: 'setting',
      entityId: 'general',
      before,
      after: { ...value, logo: value.logo === null ? null : '(picture)' },
    })
  })
}
