import { sql } from 'kysely'
import type { z } from 'zod'
import type { Currency } from '#contract/money/amount.ts'
import { generalSettings } from '#contract/network/setting.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'

export type GeneralSettings = z.output<typeof generalSettings>

/** The PostgreSQL channel on which a change of settings is announced. */
export const SETTING_CHANNEL = 'setting'

const DEFAULTS: GeneralSettings = {
  partner_title: 'Ohma',
  logo: null,
  colour: '#4361ee',
  time_zone: 'UTC',
  base_currency: 'USD',
  language: 'en',
  contact_email: '',
  address_days: 90,
  click_months: 13,
}

/** The general settings; what was never set has its default. */
export async function getGeneralSettings(db: DbOrTrx): Promise<GeneralSettings> {
  const row = await db.selectFrom('setting').select('value').where('key', '=', 'general').executeTakeFirst()
  return { ...DEFAULTS, ...generalSettings.partial().parse(row?.value ?? {}) }
}

/** The base currency of the general settings inside another statement. */
export function baseCurrency() {
  return sql<Currency>`coalesce((select value ->> 'base_currency' from setting where key = 'general'), ${DEFAULTS.base_currency})`
}

/** Stores one setting and announces it on commit. */
export async function saveSetting(db: DbOrTrx, now: number, key: string, value: unknown): Promise<void> {
  const json = JSON.stringify(value)
  await db
    .insertInto('setting')
    .values({ key, value: json, updated_at: new Date(now) })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: json, updated_at: new Date(now) }))
    .execute()
  await sql`select pg_notify(${SETTING_CHANNEL}, ${key})`.execute(db)
}
