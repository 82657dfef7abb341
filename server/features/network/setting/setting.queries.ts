import { sql } from 'kysely'
import type { Currency } from '#contract/money/amount.ts'
import type { LastChange, Section } from '#contract/network/define-setting.ts'
import { generalSetting } from '#contract/network/setting.ts'
import type { DbOrTrx, Trx } from '#server/platform/pg/database.ts'

export type GeneralSettings = typeof generalSetting.defaults

/** The PostgreSQL channel on which a change of settings is announced. */
export const SETTING_CHANNEL = 'setting'

/** A section of the settings with its version, 0 while nothing was ever set; what was never set has its default. */
export async function getSetting<Values extends object>(db: DbOrTrx, setting: Section<Values>): Promise<Values & { version: number }> {
  const row = await db.selectFrom('setting').select(['value', 'version']).where('key', '=', setting.key).executeTakeFirst()
  return { ...setting.defaults, ...setting.stored.parse(row?.value ?? {}), version: row?.version ?? 0 }
}

/** The same, with who changed it last, as it is answered. */
export async function tellSetting<Values extends object>(db: DbOrTrx, setting: Section<Values>) {
  const found = await getSetting(db, setting)
  return { ...found, changed: await lastChangeOf(db, setting.key) }
}

/** Who changed a section of the settings last, and when; null while nobody has. The log tells it: there is one truth. */
export async function lastChangeOf(db: DbOrTrx, key: string): Promise<LastChange> {
  const row = await db
    .selectFrom('audit as l')
    .leftJoin('account as a', (join) => join.on(sql<boolean>`a.id = coalesce(l.acting_id, l.actor_id)`))
    .select(['l.at', 'a.name'])
    .where('l.entity', '=', 'setting')
    .where('l.entity_id', '=', key)
    .orderBy('l.id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row === undefined ? null : { by: row.name ?? '', at: row.at.toISOString() }
}

/** The same, locked until the transaction ends; somebody who saves it for the first time too waits. */
export async function lockSetting<Values extends object>(trx: Trx, setting: Section<Values>): Promise<Values & { version: number }> {
  const blank = { key: setting.key, value: '{}', version: 0 }
  await trx
    .insertInto('setting')
    .values(blank)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await trx.selectFrom('setting').select('key').where('key', '=', setting.key).forUpdate().execute()
  return getSetting(trx, setting)
}

/** The general settings. */
export function getGeneralSettings(db: DbOrTrx) {
  return getSetting(db, generalSetting)
}

/** The base currency of the general settings inside another statement. */
export function baseCurrency() {
  return sql<Currency>`coalesce((select value ->> 'base_currency' from setting where key = ${generalSetting.key}), ${generalSetting.defaults.base_currency})`
}

/** Gives whoever speaks a language that is offered no longer the one of new accounts: their mails come in it from then on. */
export async function leaveLanguages(trx: Trx, { languages, language }: Pick<GeneralSettings, 'languages' | 'language'>): Promise<void> {
  await trx.updateTable('account').set({ language }).where('language', 'not in', languages).execute()
}

/** Gives an account that still has the zone and the language the network had the ones it has from now on. */
export async function followNetwork(
  trx: Trx,
  accountId: number,
  before: Pick<GeneralSettings, 'time_zone' | 'language'>,
  after: Pick<GeneralSettings, 'time_zone' | 'language'>,
): Promise<void> {
  for (const field of ['time_zone', 'language'] as const)
    await trx
      .updateTable('account')
      .set({ [field]: after[field] })
      .where('id', '=', accountId)
      .where(field, '=', before[field])
      .execute()
}

/** Stores a value under a key and announces it on commit. */
export async function storeSetting(db: DbOrTrx, now: number, key: string, value: unknown): Promise<void> {
  const json = JSON.stringify(value)
  await db
    .insertInto('setting')
    .values({ key, value: json, updated_at: new Date(now) })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: json, updated_at: new Date(now) }))
    .execute()
  await sql`select pg_notify(${SETTING_CHANNEL}, ${key})`.execute(db)
}
