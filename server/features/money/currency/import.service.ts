import { toUnits, type Currency } from '#contract/money/amount.ts'
import type { RateImport } from '#contract/money/currency-rate.ts'
import { generalSetting } from '#contract/network/setting.ts'
import type { Actor } from '#server/access/actor.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import { getGeneralSettings, lockSetting } from '#server/features/network/setting/setting.queries.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db, DbOrTrx } from '#server/platform/pg/database.ts'
import { dayIn } from '#server/rules/zone-day.ts'
import { listCurrencies } from './currency.queries.ts'
import { readRates, type ReadRates } from './read-rates.ts'
import { standingRates, writeRates } from './rate.queries.ts'

/** So many refused lines are named; the others are counted. */
const SHOWN = 100

/** What a file of rates would change. Throws `invalid_input` where it is none. */
export async function previewRates(db: Db, now: number, content: string): Promise<RateImport> {
  const { base_currency: base, time_zone: zone } = await getGeneralSettings(db)
  return tell(db, base, await readFile(db, { base, today: dayIn(now, zone) }, content))
}

/** Takes the rates of a file, in one transaction; the same file again changes nothing. Throws `invalid_input`. */
export async function importRates(db: Db, now: number, actor: Actor, content: string): Promise<RateImport> {
  return db.transaction().execute(async (trx) => {
    // the base currency stays until the rates stand in it, and two files come one after the other
    const { base_currency: base, time_zone: zone } = await lockSetting(trx, generalSetting)
    const read = await readFile(trx, { base, today: dayIn(now, zone) }, content)
    const told = await tell(trx, base, read)
    const changed = await writeRates(trx, base, new Date(now), 'file', read.rates)
    if (changed > 0) {
      const after = { rates: changed, from: told.days?.from, to: told.days?.to, currencies: told.currencies }
      await recordAudit(trx, actor, now, { action: 'import', entity: 'currency_rate', entityId: told.days?.to ?? '', after })
    }
    return told
  })
}

async function readFile(db: DbOrTrx, asked: { base: Currency; today: string }, content: string): Promise<ReadRates> {
  const known = new Set((await listCurrencies(db)).filter(({ active }) => active).map(({ code }) => code))
  const read = readRates(content, { ...asked, known })
  if (read === null)
    throw new AppError('invalid_input', {
      fields: { content: 'The first line names the columns day, currency and rate, and at most 100,000 follow' },
    })
  return read
}

async function tell(db: DbOrTrx, base: Currency, { lines, rates, mistakes }: ReadRates): Promise<RateImport> {
  const standing = await standingRates(db, base, rates)
  const counts = { added: 0, replaced: 0, same: 0 }
  for (const { currency, day, rate } of rates) {
    const before = standing.get(`${currency} ${day}`)
    if (before === undefined) counts.added++
    else if (toUnits(before.rate) === toUnits(rate)) counts.same++
    else counts.replaced++
  }
  const days = rates.map(({ day }) => day).toSorted()
  const [from, to] = [days[0], days.at(-1)]
  return {
    base,
    lines,
    ...counts,
    days: from === undefined || to === undefined ? null : { from, to },
    currencies: [...new Set(rates.map(({ currency }) => currency))].toSorted(),
    refused: mistakes.length,
    mistakes: mistakes.slice(0, SHOWN),
  }
}
