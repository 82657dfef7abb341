import { getGeneralSettings } from '#server/features/network/setting/setting.queries.ts'
import { AppError } from '#server/platform/errors.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'
import { dayIn } from '#server/rules/zone-day.ts'

/** A day that has not come could neither be given back nor stand in the books of its month. Throws `invalid_input`. */
export async function refuseAhead(db: DbOrTrx, now: number, day: string): Promise<void> {
  if (await liesAhead(db, now, day)) throw new AppError('invalid_input', { fields: { day: 'A day until today' } })
}

/** A payment comes back between the day it was sent and today. Throws `invalid_input`. */
export async function refuseGivenBackDay(db: DbOrTrx, now: number, day: string, sent: string): Promise<void> {
  const refuse = (text: string) => {
    throw new AppError('invalid_input', { fields: { day: text } })
  }
  if (day < sent) refuse('It came back before it was paid')
  if (await liesAhead(db, now, day)) refuse('This day lies ahead')
}

/** By the clock of the network. */
async function liesAhead(db: DbOrTrx, now: number, day: string): Promise<boolean> {
  return day > dayIn(now, (await getGeneralSettings(db)).time_zone)
}
