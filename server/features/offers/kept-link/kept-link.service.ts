import type { z } from 'zod'
import { MOST_KEPT_LINKS, MOST_KEPT_OF_AFFILIATE, type keptLinkApi } from '#contract/offers/kept-link.ts'
import type { Actor } from '#server/access/actor.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db, DbOrTrx } from '#server/platform/pg/database.ts'
import { lockName } from '#server/platform/pg/lock.ts'
import { ownAffiliate } from '#server/features/people/affiliate/affiliate.service.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import { announce } from '#server/features/traffic/snapshot/snapshot.queries.ts'
import { getOffer } from '../offer/offer.queries.ts'
import {
  affiliatesCalled,
  countKeptLinks,
  deleteKeptLinks,
  insertKeptLinks,
  linksByCode,
  listKeptLinks,
  lockKeptLinks,
  type KeptRow,
} from './kept-link.queries.ts'
import { readKeptLine, type KeptLine } from './read-kept.ts'

type Kept = z.input<typeof keptLinkApi.keep.response>
type Refused = Kept['refused'][number]

/** One page of an offer's kept links. Throws `not_found`. */
export async function showKeptLinks(
  db: Db,
  { scope }: Actor,
  { offer_uuid, ...filters }: z.output<typeof keptLinkApi.list.body>,
): Promise<z.input<typeof keptLinkApi.list.response>> {
  const { rows, list } = await listKeptLinks(db, scope, await offerId(db, scope, offer_uuid), filters)
  return {
    list: list.map(({ code, kept_from, created_at, access, ...affiliate }) => ({
      code,
      path: kept_from ?? '',
      affiliate,
      access,
      created_at: created_at.toISOString(),
    })),
    summary: { rows },
  }
}

/** Keeps all of some links, or none and tells which lines cannot be. Throws `not_found`, `unknown_reference`, `invalid_input`, `limit_reached`. */
export async function keepLinks(
  db: Db,
  now: number,
  actor: Actor,
  { offer_uuid, affiliate_uuid, lines }: z.output<typeof keptLinkApi.keep.body>,
): Promise<Kept> {
  const read = lines.map((text, at) => ({ line: at + 1, text, read: readKeptLine(text) })).filter(({ text }) => text.trim() !== '')
  return db.transaction().execute(async (trx) => {
    const offer = await offerId(trx, actor.scope, offer_uuid, true)
    const everybody = affiliate_uuid === null ? null : await ownAffiliate(trx, actor, affiliate_uuid)
    const named = read.flatMap((one) => ('reason' in one.read ? [] : one.read.affiliate || []))
    const find = named.length === 0 ? () => 'affiliate_unknown' as const : affiliateFinder(named, await affiliatesCalled(trx, actor, named))
    // one at a time: neither the bound nor "kept for somebody else" has a constraint to lean on
    await lockName(trx, 'kept links')
    const codes = read.flatMap((one) => ('reason' in one.read ? [] : one.read.code))
    const known = new Map<string, KnownLink>((await linksByCode(trx, codes)).map((link) => [link.code, link]))
    const refused: Refused[] = []
    const rows: KeptRow[] = []
    let already = 0
    for (const { line, text, read: said } of read) {
      const row = 'reason' in said ? said.reason : rowOf(said, offer, everybody, find)
      const before = typeof row === 'string' ? undefined : known.get(row.code)
      if (typeof row === 'string') refused.push({ line, text: text.trim(), reason: row })
      else if (before === undefined) {
        rows.push(row)
        known.set(row.code, row)
      } else if (before.kept_from === null || before.offer_id !== offer || before.affiliate_id !== row.affiliate_id)
        refused.push({ line, text: text.trim(), reason: 'taken' })
      else already++
    }
    if (refused.length > 0) return { kept: 0, already: 0, refused }
    await refuseTooMany(trx, rows)
    await insertKeptLinks(trx, now, rows)
    const changes = rows.map(({ code, ...after }) => ({ action: 'create', entity: 'link' as const, entityId: code, after }))
    if (changes.length > 0) await recordAudit(trx, actor, now, changes)
    await announce(
      trx,
      'link',
      rows.map(({ code }) => code),
    )
    return { kept: rows.length, already, refused }
  })
}

/** Keeps links no longer, all of them or none. Throws `not_found`. */
export async function dropKeptLinks(db: Db, now: number, actor: Actor, said: readonly string[]): Promise<void> {
  const codes = [...new Set(said)]
  await db.transaction().execute(async (trx) => {
    const links = await lockKeptLinks(trx, actor.scope, codes)
    if (links.length < codes.length) throw new AppError('not_found')
    await deleteKeptLinks(trx, codes)
    const changes = links.map(({ code, ...before }) => ({ action: 'delete', entity: 'link' as const, entityId: code, before }))
    await recordAudit(trx, actor, now, changes)
    await announce(trx, 'link', codes)
  })
}

async function refuseTooMany(trx: DbOrTrx, rows: readonly KeptRow[]): Promise<void> {
  if (rows.length === 0) return
  const more = Map.groupBy(rows, ({ affiliate_id }) => affiliate_id)
  const { all, of } = await countKeptLinks(trx, [...more.keys()])
  const tooMany = [...more].some(([affiliate, own]) => (of.get(affiliate) ?? 0) + own.length > MOST_KEPT_OF_AFFILIATE)
  if (tooMany || all + rows.length > MOST_KEPT_LINKS) throw new AppError('limit_reached')
}

type KnownLink = { offer_id: number; affiliate_id: number; kept_from: string | null }
type Find = (word: string) => number | 'affiliate_unknown' | 'affiliate_ambiguous'

function rowOf(said: KeptLine, offer: number, everybody: number | null, find: Find): KeptRow | Refused['reason'] {
  const affiliate = said.affiliate === '' ? (everybody ?? 'affiliate_missing') : find(said.affiliate)
  if (typeof affiliate === 'string') return affiliate
  return { code: said.code, offer_id: offer, affiliate_id: affiliate, kept_from: said.path }
}

/** Who is meant by a word: a number somebody is called by elsewhere is not read as ours. */
function affiliateFinder(words: readonly string[], found: Awaited<ReturnType<typeof affiliatesCalled>>): Find {
  const ways = [
    (word: string) => found.filter(({ external_id }) => external_id === word),
    (word: string) => found.filter(({ email }) => email === word.toLowerCase()),
    (word: string) => found.filter(({ id }) => String(id) === word),
  ]
  const meant = new Map(words.map((word) => [word, ways.map((way) => way(word)).find((those) => those.length > 0) ?? []]))
  return (word) => {
    const [one, another] = meant.get(word) ?? []
    return one === undefined ? 'affiliate_unknown' : another === undefined ? one.id : 'affiliate_ambiguous'
  }
}

async function offerId(db: DbOrTrx, scope: Actor['scope'], key: string, leads = false): Promise<number> {
  const offer = await getOffer(db, scope, key)
  if (offer === undefined) throw new AppError('not_found')
  // it may be deleted, and its links with it
  if (leads && offer.status === 'draft')
    throw new AppError('invalid_input', { fields: { offer_uuid: 'A draft leads nowhere: activate the offer first' } })
  return offer.id
}
