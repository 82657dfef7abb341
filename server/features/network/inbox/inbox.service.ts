import type { SelectQueryBuilder } from 'kysely'
import { INBOX_KIND_IDS, INBOX_KINDS, NEARLY_FULL, type InboxKind, type InboxRow } from '#contract/network/inbox.ts'
import { may, type Actor } from '#server/access/actor.ts'
import type { Scope } from '#server/access/scope.ts'
import { leadsHeld } from '#server/features/leads/integrity/review.queries.ts'
import { sendsWaiting } from '#server/features/leads/quarantine/quarantine.queries.ts'
import { stuckWaiting } from '#server/features/leads/stuck/stuck.queries.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import { feedFailures } from '#server/features/money/currency/feed.queries.ts'
import { dismissDeliveries, dismissIncoming } from '#server/features/traffic/postback/log.queries.ts'
import { nearlyFullCaps } from '#server/features/traffic/cap/level.service.ts'
import type { Db, DbOrTrx } from '#server/platform/pg/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { countRows } from '#server/platform/pg/paging.ts'
import { plainLine } from '#server/rules/plain-line.ts'
import {
  accessWaiting,
  affiliatesWaiting,
  cappedOffers,
  conversionsWaiting,
  deliveriesWaiting,
  landingsWaiting,
  postbacksWaiting,
  referralsWaiting,
  ticketsWaiting,
} from './inbox.queries.ts'
import { moneyWaiting } from './money.queries.ts'

/** How much of each kind waits for a decision the actor may make. */
export async function countInbox(db: DbOrTrx, now: number, actor: Actor): Promise<Record<InboxKind, number>> {
  const counted = INBOX_KIND_IDS.map(async (kind) => {
    const rows = may(actor, INBOX_KINDS[kind]) ? (await WAITING[kind](db, actor.scope, now, 0)).rows : 0
    return [kind, rows] as const
  })
  return Object.fromEntries(await Promise.all(counted)) as Record<InboxKind, number> // one of each kind
}

/** The first of one kind that wait, and how many there are. Throws `forbidden` for a kind the actor may not decide. */
export async function listInbox(db: DbOrTrx, now: number, actor: Actor, { kind, count }: { kind: InboxKind; count: number }) {
  if (!may(actor, INBOX_KINDS[kind])) throw new AppError('forbidden')
  return WAITING[kind](db, actor.scope, now, count)
}

/**
 * Takes failed postbacks out of the inbox of the whole network, or puts them back; it is logged by whom. Answers how many changed.
 * Throws `forbidden` for a kind the actor may not decide.
 */
export async function dismissPostbacks(
  db: Db,
  now: number,
  actor: Actor,
  { deliveries, postbacks, dismissed }: { deliveries: string[]; postbacks: string[]; dismissed: boolean },
): Promise<number> {
  const asked = [...(deliveries.length > 0 ? ['deliveries' as const] : []), ...(postbacks.length > 0 ? ['postbacks' as const] : [])]
  if (asked.some((kind) => !may(actor, INBOX_KINDS[kind]))) throw new AppError('forbidden')
  const by = dismissed ? { at: new Date(now), accountId: actor.accountId } : null
  return db.transaction().execute(async (trx) => {
    const action = dismissed ? 'dismiss' : 'put_back'
    const sent = await dismissDeliveries(trx, actor.scope, deliveries, by)
    const received = await dismissIncoming(trx, actor.scope, postbacks, by)
    await recordAudit(trx, actor, now, [
      ...sent.map((entityId) => ({ action, entity: 'delivery' as const, entityId })),
      ...received.map((entityId) => ({ action, entity: 'postback' as const, entityId })),
    ])
    return sent.length + received.length
  })
}

type Found = { rows: number; list: InboxRow[] }

const WAITING: Record<InboxKind, (db: DbOrTrx, scope: Scope, now: number, count: number) => Promise<Found>> = {
  access: (db, scope, now, count) => take(accessWaiting(db, scope, now), count),
  affiliates: (db, scope, _now, count) => take(affiliatesWaiting(db, scope), count),
  landings: (db, scope, _now, count) => take(landingsWaiting(db, scope), count),
  conversions: (db, scope, _now, count) => take(conversionsWaiting(db, scope), count),
  deliveries: (db, scope, now, count) => take(deliveriesWaiting(db, scope, now), count),
  postbacks: (db, scope, now, count) => take(postbacksWaiting(db, scope, now), count),
  leads: (db, scope, _now, count) => take(leadsHeld(db, scope), count),
  rates: (db, _scope, _now, count) => take(feedFailures(db), count),
  sends: (db, scope, _now, count) => take(sendsWaiting(db, scope), count),
  stuck: (db, scope, _now, count) => take(stuckWaiting(db, scope), count),
  tickets: (db, scope, _now, count) => take(ticketsWaiting(db, scope), count),
  money: (db, _scope, now, count) => take(moneyWaiting(db, now), count),
  referrals: (db, scope, _now, count) => take(referralsWaiting(db, scope), count),
  caps: async (db, scope, now, count) => {
    const full = await nearlyFullCaps(db, now, await cappedOffers(db, scope), NEARLY_FULL)
    const list = full.slice(0, count).map(({ offer: { uuid, id, name, currency, status }, level, percent, starts }) =>
      present({
        id: `${id} ${level.period} ${level.scope} ${level.measure}`,
        at: starts === 0 ? null : new Date(starts),
        offer: { uuid, id, name },
        cap: { ...level, percent, currency, paused: status === 'paused' },
      }),
    )
    return { rows: full.length, list }
  },
}

type Row = Partial<Omit<InboxRow, 'at'>> & { id: string; at: Date | null }

/** Counts what was found and, where any are wanted, reads the first of them. */
async function take<Database, Table extends keyof Database>(
  { found, list }: { found: SelectQueryBuilder<Database, Table, object>; list: { limit(count: number): { execute(): Promise<Row[]> } } },
  count: number,
): Promise<Found> {
  const [rows, read] = await Promise.all([countRows(found), count === 0 ? [] : list.limit(count).execute()])
  return { rows, list: read.map(present) }
}

function present({ at, ...row }: Row): InboxRow {
  return { ...NOTHING, ...row, text: plainLine(row.text ?? ''), at: at?.toISOString() ?? null }
}

const NOTHING = {
  offer: null,
  affiliate: null,
  advertiser: null,
  landing: null,
  ticket: null,
  conversion: null,
  geo: '',
  sources: [],
  record: null,
  by: null,
  text: '',
  reason: '',
  goal: '',
  money: null,
  cap: null,
} satisfies Partial<InboxRow>
