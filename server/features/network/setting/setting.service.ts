import type { LastChange, Setting } from '#contract/network/define-setting.ts'
import type { Actor } from '#server/access/actor.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import type { Db, Trx } from '#server/platform/pg/database.ts'
import { refuseStale } from '#server/platform/pg/version.ts'
import { lockSetting, storeSetting, tellSetting } from './setting.queries.ts'

/** What a section needs beyond its fields. */
export type SettingRules<Values> = {
  /** Refuses what the shape of a field cannot tell is wrong: throws `invalid_input` or `unknown_reference` at the field. */
  check?: (trx: Trx, values: Values, saving: { actor: Actor | null; before: Values }) => Promise<void> | void
  /** What of the values is kept now, where some of them wait for somebody else. */
  kept?: (trx: Trx, values: Values, saving: { actor: Actor | null; before: Values; now: number }) => Promise<Values>
  /** What follows from the change, inside of its transaction; tells others than the readers of settings, such as the trackers. `first`: nobody had saved it before. */
  saved?: (trx: Trx, change: { before: Values; after: Values; actor: Actor | null; first: boolean }) => Promise<void>
  /** What the log keeps of the values; all of them when absent. */
  logged?: (values: Values) => object
}

/**
 * Replaces a section of the settings, logs what changed and tells every process of it. `version` is the one the values
 * were read with. Throws `conflict` when somebody saved it since, and what the section's own check throws.
 */
export async function saveSetting<Values extends object>(
  db: Db,
  now: number,
  actor: Actor | null,
  setting: Setting<Values>,
  { version, changed: _changed, ...input }: Values & { version: number; changed?: LastChange | undefined },
  rules: SettingRules<Values> = {},
): Promise<Values & { version: number; changed: LastChange }> {
  const asked = input as unknown as Values // all but these two, as the parameter says
  const logged = rules.logged ?? ((all: Values) => all)
  return db.transaction().execute(async (trx) => {
    const before = await lockSetting(trx, setting)
    refuseStale(before, version)
    await rules.check?.(trx, asked, { actor, before })
    const values = (await rules.kept?.(trx, asked, { actor, before, now })) ?? asked
    await storeSetting(trx, now, setting.key, values)
    const change = { before: logged(before), after: logged(values) }
    await recordAudit(trx, actor, now, { action: 'update', entity: 'setting', entityId: setting.key, ...change })
    await rules.saved?.(trx, { before, after: values, actor, first: version === 0 })
    return tellSetting(trx, setting)
  })
}
