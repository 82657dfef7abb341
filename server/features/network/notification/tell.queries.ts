import { sql, type RawBuilder } from 'kysely'
import { can, STAFF_ROLES, type Permission } from '#contract/access.ts'
import type { NotificationKind } from '#contract/network/notification.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'

/** Something to tell. What is `once` is told once; `together` with what was told under that name, which counts up and is unread again. */
export type Notice = {
  kind: NotificationKind
  offerId?: number
  affiliateId?: number
  landingId?: number
  ticketId?: number
  status?: string
  reason?: string
  count?: number
  once?: string
  together?: boolean
}

/**
 * Tells staff who hold a permission, but the one who did it: those who see everything, and the managers of the offer's advertiser or of
 * the affiliate with their team leads. One statement, whatever there is to tell.
 */
export function tellStaff(
  db: DbOrTrx,
  now: number,
  notices: readonly Notice[],
  { side, permission, but }: { side: 'advertiser' | 'affiliate'; permission: Permission; but: number | null },
): Promise<void> {
  const roles = STAFF_ROLES.filter((role) => can(role, permission))
  const owner = side === 'advertiser' ? sql`v.manager_id` : sql`f.manager_id`
  return tell(
    db,
    now,
    notices,
    sql`left join offer o on o.id = n.offer_id left join advertiser v on v.id = o.advertiser_id left join affiliate f on f.id = n.affiliate_id
      left join manager owner on owner.id = ${owner}
      join manager m on m.status = 'active' join account a on a.id = m.account_id
     where a.role = any(${roles}::text[]) and a.id is distinct from ${but}::int
       and (a.role in ('admin', 'head') or m.id = owner.id or m.id = owner.team_lead_id)`,
  )
}

/** Tells staff who read offers, but the one who did it: those who see everything, and the managers of the offer's advertiser and of these affiliates. */
export function tellKeepers(
  db: DbOrTrx,
  now: number,
  notice: Notice,
  { affiliates, but }: { affiliates: readonly number[]; but: number },
): Promise<void> {
  const roles = STAFF_ROLES.filter((role) => can(role, 'offer.read'))
  return tell(
    db,
    now,
    [notice],
    sql`join offer o on o.id = n.offer_id left join advertiser v on v.id = o.advertiser_id
      join manager m on m.status = 'active' join account a on a.id = m.account_id
     where a.role = any(${roles}::text[]) and a.id <> ${but}::int
       and (a.role in ('admin', 'head') or m.id = v.manager_id
            or m.id in (select f.manager_id from affiliate f where f.id = any(${[...affiliates]}::int[])))`,
  )
}

/** Tells of an advertiser, its credit or its silence: those who see everything, and its manager with their team lead. */
export function tellCredit(db: DbOrTrx, now: number, notice: Notice, advertiserId: number): Promise<void> {
  const roles = STAFF_ROLES.filter((role) => can(role, 'report.money'))
  return tell(
    db,
    now,
    [notice],
    sql`join advertiser v on v.id = ${advertiserId}::int left join manager owner on owner.id = v.manager_id
      join manager m on m.status = 'active' join account a on a.id = m.account_id
     where a.role = any(${roles}::text[]) and (a.role in ('admin', 'head') or m.id = owner.id or m.id = owner.team_lead_id)`,
  )
}

/** Tells of a rule of the Cold API: those who see everything, and whose rule it is. */
export function tellColdRule(db: DbOrTrx, now: number, notice: Notice, managerId: number | null): Promise<void> {
  const roles = STAFF_ROLES.filter((role) => can(role, 'cold.read'))
  return tell(
    db,
    now,
    [notice],
    sql`join manager m on m.status = 'active' join account a on a.id = m.account_id
     where a.role = any(${roles}::text[]) and (a.role in ('admin', 'head') or m.id = ${managerId}::int)`,
  )
}

/** Tells one person of their own account. */
export function tellOne(db: DbOrTrx, now: number, accountId: number, notice: Notice): Promise<void> {
  return tell(db, now, [notice], sql`join account a on a.id = ${accountId}::int`)
}

/** Tells each affiliate its own. */
export function tellAffiliates(db: DbOrTrx, now: number, notices: readonly Notice[]): Promise<void> {
  return tell(db, now, notices, sql`join affiliate f on f.id = n.affiliate_id join account a on a.id = f.account_id where true`)
}

/** Tells the active affiliates that staff let into the offer. */
export function tellApproved(db: DbOrTrx, now: number, notices: readonly Notice[]): Promise<void> {
  return tell(
    db,
    now,
    notices,
    sql`join offer_access x on x.offer_id = n.offer_id and x.status = 'approved'
      join affiliate f on f.id = x.affiliate_id and f.status = 'active' join account a on a.id = f.account_id where true`,
  )
}

/**
 * Whether account `a` with the manager `m` is who answers ticket `t` of affiliate `f`: its assignee, else the affiliate's manager, else
 * everybody who sees all. Of those who no longer work here, or may not read it any more, it is as if there were none.
 */
export const ANSWERS_TICKET: RawBuilder<boolean> = sql<boolean>`(m.status = 'active' and a.role in ('admin', 'head', 'manager') and
  a.id = coalesce(
    (select ma.account_id from manager ma join account aa on aa.id = ma.account_id
      where ma.account_id = t.assignee_id and ma.status = 'active' and (aa.role in ('admin', 'head') or (aa.role = 'manager' and ma.id = f.manager_id))),
    (select mo.account_id from manager mo join account ao on ao.id = mo.account_id
      where mo.id = f.manager_id and mo.status = 'active' and ao.role in ('admin', 'head', 'manager')),
    case when a.role in ('admin', 'head') then a.id end))`

/** Tells the other side of a ticket that something was said: its affiliate, or who answers it. Told together until it is read. */
export function tellTicket(
  db: DbOrTrx,
  now: number,
  { ticketId, toStaff, but }: { ticketId: number; toStaff: boolean; but: number },
): Promise<void> {
  const notice: Notice = { kind: 'ticket_message', ticketId, once: `ticket ${ticketId}`, together: true }
  const side = toStaff
    ? sql`join manager m on m.status = 'active' join account a on a.id = m.account_id where ${ANSWERS_TICKET}`
    : sql`join account a on a.id = f.account_id where true`
  return tell(
    db,
    now,
    [notice],
    sql`join ticket t on t.id = n.ticket_id join affiliate f on f.id = t.affiliate_id ${side} and a.id <> ${but}::int`,
  )
}

/** Tells whoever proposed the landing. */
export function tellProposers(db: DbOrTrx, now: number, notices: readonly Notice[], but: number): Promise<void> {
  return tell(db, now, notices, sql`join landing l on l.id = n.landing_id join account a on a.id = l.proposed_by where a.id <> ${but}::int`)
}

async function tell(db: DbOrTrx, now: number, notices: readonly Notice[], recipients: RawBuilder<unknown>): Promise<void> {
  if (notices.length === 0) return
  const rows = JSON.stringify(
    notices.map(({ offerId, affiliateId, landingId, ticketId, kind, status, reason, count, once }) => ({
      kind,
      status,
      reason,
      count,
      once,
      offer_id: offerId,
      affiliate_id: affiliateId,
      landing_id: landingId,
      ticket_id: ticketId,
    })),
  )
  const again = notices.some(({ together }) => together)
    ? sql`do update set count = case when notification.ticket_id is not null and notification.read_at is not null then 1 else notification.count + 1 end,
        at = excluded.at, read_at = null`
    : sql`do nothing`
  await sql`
    insert into notification (account_id, kind, at, offer_id, affiliate_id, landing_id, ticket_id, status, reason, count, once)
    select distinct a.id, n.kind, ${new Date(now)}::timestamptz, n.offer_id, n.affiliate_id, n.landing_id, n.ticket_id, coalesce(n.status, ''),
           coalesce(n.reason, ''), coalesce(n.count, 1), n.once
      from jsonb_to_recordset(${rows}::jsonb)
        as n (kind text, offer_id int, affiliate_id int, landing_id int, ticket_id int, status text, reason text, count int, once text)
      ${recipients}
     order by a.id
    on conflict (account_id, once) ${again}`.execute(db)
}

/** Forgets what an affiliate was told of its access at a moment: it was taken back. */
export async function untellAccess(db: DbOrTrx, entries: readonly { offer_id: number; affiliate_id: number }[], at: Date): Promise<void> {
  await sql`
    delete from notification n
     using unnest(${entries.map((one) => one.offer_id)}::int[], ${entries.map((one) => one.affiliate_id)}::int[]) as e (offer_id, affiliate_id), affiliate f
     where f.id = e.affiliate_id and n.account_id = f.account_id and n.offer_id = e.offer_id
       and n.kind = 'access_decided' and n.at = ${at}::timestamptz`.execute(db)
}

/** Who has not read yet which status affiliates got at a moment need not, once it is taken back. */
export async function untellAffiliates(db: DbOrTrx, those: readonly { id: number; at: Date }[]): Promise<void> {
  await sql`
    delete from notification n
     using unnest(${those.map((one) => one.id)}::int[], ${those.map((one) => one.at)}::timestamptz[]) as e (affiliate_id, at)
     where n.affiliate_id = e.affiliate_id and n.at = e.at and n.kind = 'affiliate_status' and n.read_at is null`.execute(db)
}

/** Who has not read yet what was decided about landings need not, once it is taken back. */
export async function untellLandings(db: DbOrTrx, landingIds: readonly number[]): Promise<void> {
  await sql`
    delete from notification
     where landing_id = any(${[...landingIds]}::int[]) and kind = 'landing_decided' and read_at is null`.execute(db)
}

/** What was told of conversions declined at a moment counts those that were taken back no more, where it is unread still. */
export async function untellDeclined(db: DbOrTrx, those: readonly { affiliateId: number; at: Date }[]): Promise<void> {
  if (those.length === 0) return
  const told = sql`(select f.account_id, e.at, count(*)::int as count
      from unnest(${those.map((one) => one.affiliateId)}::int[], ${those.map((one) => one.at)}::timestamptz[]) as e (affiliate_id, at)
      join affiliate f on f.id = e.affiliate_id group by f.account_id, e.at) as e
    where n.account_id = e.account_id and n.at = e.at and n.kind = 'conversions_declined' and n.read_at is null`
  await sql`delete from notification n using ${told} and n.count <= e.count`.execute(db)
  await sql`update notification n set count = n.count - e.count from ${told} and n.count > e.count`.execute(db)
}
