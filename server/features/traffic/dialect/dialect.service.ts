import type { z } from 'zod'
import type { Dialect, dialectApi } from '#contract/traffic/dialect.ts'
import type { Actor } from '#server/access/actor.ts'
import type { Scope } from '#server/access/scope.ts'
import { requireCurrency } from '#server/features/money/currency/currency.service.ts'
import { getAdvertiser } from '#server/features/people/advertiser/advertiser.queries.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db, DbOrTrx, Trx } from '#server/platform/pg/database.ts'
import { refuseStale } from '#server/platform/pg/version.ts'
import { openSealer } from '#server/platform/seal.ts'
import { getDialect, insertDialect, listGoalCodes } from './dialect.queries.ts'
import { refuseAgainst } from './refuse-against.ts'

/** What the secrets of signatures are sealed for. */
export const DIALECT_SECRET = 'dialect'

type Shown = z.input<typeof dialectApi.get.response>

/** How an advertiser in scope reports. Throws `not_found`. */
export async function showDialect(db: DbOrTrx, scope: Scope, key: string): Promise<Shown> {
  const advertiser = await getAdvertiser(db, scope, key)
  if (advertiser === undefined) throw new AppError('not_found')
  const [row, goals] = [await getDialect(db, advertiser.id), await listGoalCodes(db, advertiser.id)]
  return {
    version: row?.version ?? 0,
    dialect: row?.dialect ?? null,
    has_secret: (row?.secret ?? null) !== null,
    changed: row === undefined ? null : { at: row.created_at.toISOString(), by: row.by ?? '' },
    goals,
  }
}

/** Saves how an advertiser in scope reports; what was read before stays explained by its version. Throws `not_found`, `conflict`, `unknown_reference`. */
export function saveDialect(
  { db, secretKey }: { db: Db; secretKey: string | null },
  now: number,
  actor: Actor,
  key: string,
  input: z.output<typeof dialectApi.update.body>,
): Promise<Shown> {
  return db.transaction().execute(async (trx) => {
    const advertiser = await getAdvertiser(trx, actor.scope, key, true)
    if (advertiser === undefined) throw new AppError('not_found')
    if (input.dialect?.currency) await requireCurrency(trx, input.dialect.currency)
    const secret = input.secret === null || input.secret === '' ? input.secret : openSealer(secretKey, DIALECT_SECRET).seal(input.secret)
    await addVersion(trx, now, actor, { advertiserId: advertiser.id, seen: input.version, dialect: input.dialect, secret })
    return showDialect(trx, actor.scope, key)
  })
}

/**
 * The next version of an advertiser's dialect, while its row is locked. `secret`: null = as before, '' = none. Throws
 * `conflict` where another version is the last by now, `invalid_input` of a word that cannot mean what it says.
 */
export async function addVersion(
  trx: Trx,
  now: number,
  actor: Actor,
  { advertiserId, seen, dialect, secret }: { advertiserId: number; seen: number; dialect: Dialect | null; secret: Buffer | '' | null },
): Promise<number> {
  const before = await getDialect(trx, advertiserId)
  refuseStale({ version: before?.version ?? 0 }, seen)
  refuseAgainst(dialect?.words ?? [], (index) => `dialect.words.${index}.word`, before?.dialect?.words)
  await insertDialect(trx, advertiserId, {
    version: seen + 1,
    dialect,
    secret: secret === null ? (before?.secret ?? null) : secret === '' ? null : secret,
    accountId: actor.accountId,
    at: new Date(now),
  })
  const change = {
    before: { dialect: before?.dialect ?? null, dialect_version: seen },
    after: { dialect, dialect_version: seen + 1, ...(secret !== null && { dialect_secret: secret === '' ? '' : 'new' }) },
  }
  await recordAudit(trx, actor, now, { action: 'update', entity: 'advertiser', entityId: advertiserId, ...change })
  return seen + 1
}
