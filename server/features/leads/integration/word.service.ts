import type { z } from 'zod'
import type { CallStatus } from '#contract/leads/call-status.ts'
import type { integrationApi, StatusWord } from '#contract/leads/integration.ts'
import type { Actor } from '#server/access/actor.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db, DbOrTrx } from '#server/platform/pg/database.ts'
import { suggestStatus } from '#server/rules/lead/integration/preset/suggest.ts'
import { countWaiting, countWords, listWords, lockWord, setMeaning, type WordRow } from '../status/word.queries.ts'
import { getIntegration } from './integration.queries.ts'

type Body = z.output<typeof integrationApi.mapWord.body>

/** Words of an advertiser's system no version knows. Throws `not_found`. */
export async function showWords(db: Db, key: string, { page, count }: z.output<typeof integrationApi.words.body>) {
  const integration = await getIntegration(db, key)
  if (integration === undefined) throw new AppError('not_found')
  const [rows, list] = await Promise.all([
    countWords(db, integration.id),
    listWords(db, integration.id, { offset: (page - 1) * count, count }),
  ])
  return { list: await present(db, integration.id, list), summary: { rows } }
}

/**
 * Says what a word means; leads that wait for it are worked off in the background. Said twice it is said once. Throws `not_found`,
 * `unknown_reference` for a word that never came, `conflict` where somebody else has said otherwise meanwhile.
 */
export function mapWord(db: Db, now: number, actor: Actor, key: string, { word, meaning, expected }: Body): Promise<StatusWord> {
  return db.transaction().execute(async (trx) => {
    const integration = await getIntegration(trx, key)
    if (integration === undefined) throw new AppError('not_found')
    const before = await lockWord(trx, integration.id, word)
    if (before === undefined) throw new AppError('unknown_reference', { fields: { word: 'No advertiser has said this' } })
    if (before.meaning !== meaning) {
      if (before.meaning !== expected) throw new AppError('conflict')
      await setMeaning(trx, integration.id, word, { meaning, mapped_at: new Date(now), mapped_by: actor.accountId })
      await recordAudit(trx, actor, now, {
        action: 'map_word',
        entity: 'integration',
        entityId: integration.id,
        before: { word, meaning: before.meaning },
        after: { word, meaning },
      })
    }
    const [shown] = await present(trx, integration.id, await listWords(trx, integration.id, { offset: 0, count: 1, word }))
    if (shown === undefined) throw new AppError('not_found')
    return shown
  })
}

async function present(db: DbOrTrx, integrationId: number, rows: readonly WordRow[]): Promise<StatusWord[]> {
  const waiting = await countWaiting(
    db,
    integrationId,
    rows.map(({ word }) => word),
  )
  return rows.map(({ first_seen_at, last_seen_at, mapped_at, meaning, ...row }) => ({
    ...row,
    raw: row.raw || row.word,
    first_seen_at: first_seen_at.toISOString(),
    last_seen_at: last_seen_at.toISOString(),
    waiting: waiting.get(row.word) ?? 0,
    suggested: suggestStatus(row.word) ?? null,
    meaning: meaning as CallStatus | null, // nothing else is written
    mapped_at: mapped_at?.toISOString() ?? null,
  }))
}
