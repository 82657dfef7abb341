import { AS_IT_COMES, homesFor, preferences, type Preferences } from '#contract/people/preference.ts'
import type { Actor } from '#server/access/actor.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { findPreferences, storePreferences } from './preference.queries.ts'

/** How the caller likes the panel to be, without what an older version kept and this one no longer knows, and without a home the role has lost. */
export async function getPreferences(db: Db, actor: Actor): Promise<Preferences> {
  const found = await findPreferences(db, actor.accountId)
  if (found === undefined) return AS_IT_COMES
  return {
    ...found,
    default_period: preferences.shape.default_period.safeParse(found.default_period).data ?? null,
    home: homesFor(actor.role).find((id) => id === found.home) ?? null,
  }
}

/** Keeps how the caller likes the panel to be, outside of the log: it changes nothing for anybody else. Throws `forbidden` while acting, `invalid_input` for a home the role may not open. */
export async function savePreferences(db: Db, now: number, actor: Actor, chosen: Preferences): Promise<void> {
  if (actor.acting !== null) throw new AppError('forbidden')
  if (chosen.home !== null && !homesFor(actor.role).includes(chosen.home))
    throw new AppError('invalid_input', { fields: { home: 'Choose a screen you may open' } })
  await storePreferences(db, now, actor.accountId, chosen)
}
