import type { z } from 'zod'
import type { conversionImportApi } from '#contract/traffic/conversion-import.ts'
import type { Actor } from '#server/access/actor.ts'
import type { Scope } from '#server/access/scope.ts'
import { getAdvertiser } from '#server/features/people/advertiser/advertiser.queries.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db, DbOrTrx, Trx } from '#server/platform/pg/database.ts'
import { againstWord, mayMean } from '#server/rules/conversion/dialect/against-words.ts'
import { refuseAgainst } from '../dialect/refuse-against.ts'
import { deleteWord, keepWords, listWordsOf, lockWord, type TaughtWord } from './word.queries.ts'

const MOST_SHOWN = 500

type Shown = z.input<typeof conversionImportApi.words.response>

/** What words in the files of an advertiser in scope mean, as somebody said. Throws `not_found`. */
export async function showWords(db: DbOrTrx, scope: Scope, key: string): Promise<Shown> {
  const advertiser = await getAdvertiser(db, scope, key)
  if (advertiser === undefined) throw new AppError('not_found')
  const rows = await listWordsOf(db, advertiser.id, MOST_SHOWN)
  return {
    list: rows.map(({ word, means, said_at, by }) => ({
      word,
      means,
      by: by ?? '',
      at: said_at.toISOString(),
      may: mayMean(word)?.slice() ?? null,
      ignored: againstWord(word, { status: means, goal: null }) !== null,
    })),
  }
}

/** Says anew what a word means that somebody has said before, or forgets it. Throws `not_found`, `invalid_input`. */
export function teachWord(
  db: Db,
  now: number,
  actor: Actor,
  key: string,
  { word, means }: z.output<typeof conversionImportApi.teach.body>,
): Promise<Shown> {
  return db.transaction().execute(async (trx) => {
    const advertiser = await getAdvertiser(trx, actor.scope, key)
    if (advertiser === undefined) throw new AppError('not_found')
    const before = await lockWord(trx, advertiser.id, word)
    if (before === undefined) throw new AppError('not_found')
    if (means === null) {
      await deleteWord(trx, advertiser.id, word)
      const taken = { before: { import_words: `${word.toLowerCase()} = ${before.means}` }, after: { import_words: '' } }
      await recordAudit(trx, actor, now, { action: 'update', entity: 'advertiser', entityId: advertiser.id, ...taken })
    } else {
      refuseAgainst([{ word, status: means, goal: null }], () => 'means')
      await rememberWords(trx, [{ advertiserId: advertiser.id, word, means }], now, actor)
    }
    return showWords(trx, actor.scope, key)
  })
}

/** Remembers what words mean to advertisers, and notes at each what is new. */
export async function rememberWords(trx: Trx, words: readonly TaughtWord[], now: number, actor: Actor): Promise<void> {
  const each = new Map(words.map((one) => [`${one.advertiserId} ${one.word.toLowerCase()}`, { ...one, word: one.word.toLowerCase() }]))
  const sorted = [...each].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, one]) => one)
  const news = await keepWords(trx, sorted, actor.accountId, new Date(now))
  const told = (rows: typeof news, side: 'means' | 'before') =>
    rows.flatMap((row) => (row[side] === null ? [] : [`${row.word} = ${row[side]}`])).join(', ')
  await recordAudit(
    trx,
    actor,
    now,
    [...Map.groupBy(news, (row) => row.advertiser_id)].map(([id, rows]) => ({
      action: 'update',
      entity: 'advertiser' as const,
      entityId: id,
      before: { import_words: told(rows, 'before') },
      after: { import_words: told(rows, 'means') },
    })),
  )
}
