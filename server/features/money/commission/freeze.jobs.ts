import { createHash } from 'node:crypto'
import { commissionSetting } from '#contract/money/commission.ts'
import { companySetting } from '#contract/money/document.ts'
import { keepBytes } from '#server/features/money/document/keep.service.ts'
import { lookOf } from '#server/features/money/document/party.ts'
import { decimalsByCurrency } from '#server/features/money/statement/statement.queries.ts'
import { getGeneralSettings, getSetting } from '#server/features/network/setting/setting.queries.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { lastMonthOver, monthAfter } from '#server/rules/zone-day.ts'
import { insertMonth, insertStatement, lastFrozen } from './commission.queries.ts'
import { drawCommission } from './draw-commission.ts'
import { computeMonth } from './month.service.ts'

/**
 * Freezes what managers get of the months that were over on the second of the month that came after, the oldest first, as soon as this is
 * switched on; each in one transaction and once, however many workers there are. Answers how many months were frozen.
 */
export async function freezeCommissions(db: Db, now: number): Promise<number> {
  const [{ on }, { time_zone }, last] = await Promise.all([getSetting(db, commissionSetting), getGeneralSettings(db), lastFrozen(db)])
  if (!on) return 0
  const over = lastMonthOver(now, time_zone)
  let frozen = 0
  for (let month = last === undefined ? over : monthAfter(last); month <= over; month = monthAfter(month))
    frozen += (await freezeMonth(db, now, month)) ? 1 : 0
  return frozen
}

function freezeMonth(db: Db, now: number, month: string): Promise<boolean> {
  const at = new Date(now)
  return db.transaction().execute(async (trx) => {
    // whoever comes second waits here until the first is done
    if (!(await insertMonth(trx, month, at))) return false
    const [general, { language }, decimals] = await Promise.all([
      getGeneralSettings(trx),
      getSetting(trx, companySetting),
      decimalsByCurrency(trx),
    ])
    const look = await lookOf(general)
    for (const content of await computeMonth(trx, now, month)) {
      const text = JSON.stringify(content)
      const sha256 = createHash('sha256').update(text).digest('hex')
      const id = await insertStatement(trx, { month, manager_id: content.manager.id, content: text, sha256 })
      const drawn = await drawCommission({ content, language, look, decimals, sha256, made: at })
      await keepBytes(trx, drawn, { kind: 'commission', subjectId: id, number: `${month}-${content.manager.id}`, made: at })
    }
    return true
  })
}
