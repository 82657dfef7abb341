import { sql, type Insertable, type RawBuilder, type Selectable } from 'kysely'
import type { Currency } from '#contract/money/amount.ts'
import type { Standing } from '#server/features/money/ledger/standing.ts'
import { insertRows, recordsOf } from '#server/platform/pg/bulk.ts'
import type { Db, DbOrTrx, Tables, Trx } from '#server/platform/pg/database.ts'
import { LAST_TRANSFER, payoutSince, seenUntil } from './cut-off.queries.ts'
import { CHANGED, PAYABLE } from './invoice.queries.ts'
import { UNDRAFTED, waitsForNote } from './note.queries.ts'
import { lastChange, type LineChange } from './line-change.queries.ts'

/** What of a conversion invoices are made of. */
export type Payable = Standing & { id: string; affiliate_id: number; currency: Currency }
/** One that was on an invoice before, with what it is to be worth there now: what it is worth (`seen`: null), or was at the cut-off, after transfer `seen`. */
export type Changed = Payable & { due: string; seen: string | null }
/** A live line with the conversion or adjustment behind it. */
export type Line = {
  id: string
  kind: 'conversion' | 'correction' | 'adjustment' | 'referral'
  amount: string
  conversion_id: string | null
  adjustment_id: number | null
  referral_month_id: string | null
  adjustment_kind: 'bonus' | 'correction' | null
  adjustment_purpose: Purpose | null
  /** Whether it was made on an invoice, and ends with its line. */
  adjustment_own: boolean | null
}
export type Purpose = Selectable<Tables['adjustment']>['purpose']
/** `seen_transfer_id`: the last transfer of its conversion that is in its amount; not said: the last there is. */
export type NewLine = Omit<Line, 'id' | 'adjustment_kind' | 'adjustment_purpose' | 'adjustment_own'> & {
  status: string
  seen_transfer_id?: string | null
}

const STANDING = sql.raw('c.id, c.affiliate_id, c.currency, c.status, c.payment_state, c.payout, c.revenue, c.invoiced, c.billed, c.test')
/** Approved, on no invoice, and no test. */
export const IS_PAYABLE = sql`c.status = 'approved' and c.payment_state = 'open' and not c.test`
/** A month of a referral that came to something and is on no invoice; nothing of it is paid while staff have not said that it may be. */
export const OPEN_MONTH = sql`m.amount <> 0 and r.state not in ('held', 'refused')
  and not exists (select from invoice_line l where l.referral_month_id = m.id and l.live)`
/** What staff gave or took that is on no invoice. */
export const OPEN_ADJUSTMENT = sql`d.void_at is null and not exists (select from invoice_line l where l.adjustment_id = d.id and l.live)`

/** What of an invoice people brought in themselves instead of the advertiser's calls: conversions made by hand or by a file, by person. */
export async function broughtIn(trx: Trx, invoiceId: number): Promise<{ by: number; amount: string }[]> {
  const { rows } = await sql<{ by: number; amount: string }>`
    select h.actor_id as by, sum(l.amount)::text as amount from invoice_line l
      join conversion_history h on h.conversion_id = l.conversion_id and h.from_status is null and h.origin in ('staff', 'import')
     where l.invoice_id = ${invoiceId} and l.live and h.actor_id is not null group by h.actor_id`.execute(trx)
  return rows
}

/**
 * Locks what an affiliate may put on an invoice in a currency, at most so many of either: what was never on one, from before a moment,
 * and what had become something else since it was, as it stood at `changed` (null: as it is), its difference being on no invoice yet and
 * not for a credit note. All in one order of numbers: a decision about many of them, or an invoice of their advertiser, locks them in the same, and
 * nobody waits in a circle.
 */
export async function lockAvailableRows(
  trx: Trx,
  of: { affiliateId: number; currency: Currency; until: Date; changed: Date | null },
  most: number,
): Promise<{ conversions: Payable[]; changed: Changed[] }> {
  const whose = sql`c.affiliate_id = ${of.affiliateId} and c.currency = ${of.currency}`
  const forNote = await waitsForNote(trx)
  const due = of.changed === null ? PAYABLE : sql`${PAYABLE} - ${payoutSince(of.changed)}`
  const { rows } = await sql<Payable>`
    select ${STANDING} from conversion c
     where c.id in (
       (select c.id from conversion c where ${IS_PAYABLE} and ${whose} and c.created_at < ${of.until} order by c.id limit ${most})
       union all
       (select c.id from conversion c where ${CHANGED} and ${whose} and ${UNDRAFTED} and not ${forNote} and ${due} <> c.invoiced order by c.id limit ${most}))
       and ((${IS_PAYABLE}) or (${CHANGED}))
     order by c.id for update of c`.execute(trx)
  const conversions = rows.filter(({ payment_state }) => payment_state === 'open')
  const again = rows.filter(({ payment_state }) => payment_state !== 'open')
  if (again.length === 0) return { conversions, changed: [] }
  // asked once they are locked: by then what was booked while waiting for them is read too
  const seen = of.changed === null ? sql`null::text` : sql`(${seenUntil(of.changed)})::text`
  const dues = await sql<{ id: string; due: string; seen: string | null }>`
    select c.id, (${due})::text as due, ${seen} as seen from conversion c where c.id = any(${again.map(({ id }) => id)}::bigint[]) and ${due} <> c.invoiced`.execute(
    trx,
  )
  const by = new Map(dues.rows.map((row) => [row.id, row]))
  const changed = again.flatMap((row) => {
    const told = by.get(row.id)
    return told === undefined ? [] : { ...row, ...told }
  })
  return { conversions, changed }
}

/** Conversions somebody chose. */
export type Those = { uuids: readonly string[] } | { ids: readonly string[] }

/** Whether a conversion `c` is one of them. */
export function areThose(chosen: Those): RawBuilder<boolean> {
  return 'ids' in chosen ? sql<boolean>`c.id = any(${[...chosen.ids]}::bigint[])` : sql<boolean>`c.uuid = any(${[...chosen.uuids]}::uuid[])`
}

/**
 * Locks chosen conversions, by number; those that are on an invoice, or not approved, are not among them. With them, in the same order,
 * what had become something else of `debtors`, as `lockAvailableRows` says, at most so many in all.
 */
export async function lockChosen(
  trx: Trx,
  chosen: Those,
  debtors: readonly { affiliate_id: number; currency: Currency }[],
  most: number,
): Promise<{ conversions: Payable[]; changed: Changed[] }> {
  if (debtors.length === 0) {
    const { rows } = await sql<Payable>`
      select ${STANDING} from conversion c where ${IS_PAYABLE} and ${areThose(chosen)} order by c.id for update of c`.execute(trx)
    return { conversions: rows, changed: [] }
  }
  const forNote = await waitsForNote(trx)
  const { rows } = await sql<Payable & { due: string }>`
    select ${STANDING}, (${PAYABLE})::text as due from conversion c
     where ((${IS_PAYABLE}) and ${areThose(chosen)}) or ((${CHANGED}) and c.id in (
       select c.id from conversion c
         join unnest(${debtors.map((one) => one.affiliate_id)}::int[], ${debtors.map((one) => one.currency)}::text[]) as w (affiliate_id, currency)
           on w.affiliate_id = c.affiliate_id and w.currency = c.currency
        where ${CHANGED} and ${UNDRAFTED} and not ${forNote} order by c.id limit ${most}))
     order by c.id for update of c`.execute(trx)
  return {
    conversions: rows.filter(({ payment_state }) => payment_state === 'open'),
    changed: rows.filter(({ payment_state }) => payment_state !== 'open').map((row) => ({ ...row, seen: null })),
  }
}

/** Locks the conversions of lines, by number. */
export async function lockConversionsOf(trx: Trx, ids: readonly string[]): Promise<Map<string, Payable>> {
  const { rows } = await sql<Payable>`
    select ${STANDING} from conversion c where c.id = any(${[...ids]}::bigint[]) order by c.id for update of c`.execute(trx)
  return new Map(rows.map((row) => [row.id, row]))
}

/** Bonuses and corrections on no invoice that count from before a moment, null: all; at most so many, the oldest first. */
export function openAdjustments(db: DbOrTrx, of: { affiliateId: number; currency: Currency; before: Date | null }, most: number) {
  return db
    .selectFrom('adjustment as d')
    .select(['d.id', 'd.kind', 'd.amount'])
    .where('d.affiliate_id', '=', of.affiliateId)
    .where('d.currency', '=', of.currency)
    .$if(of.before !== null, (query) => query.where('d.at', '<', of.before))
    .where(OPEN_ADJUSTMENT as RawBuilder<boolean>)
    .orderBy('d.id')
    .limit(most)
    .execute()
}

/** Which months of referrals count: those that ended until a moment, or whatever was booked by now. */
export type Months = 'booked' | { endedBy: Date; zone: string }

/** Whether a month of a referral had ended by a moment, in the zone of the network. */
export function hasEnded(by: Date, zone: string): RawBuilder<boolean> {
  return sql<boolean>`((m.month + interval '1 month') at time zone ${zone}) <= ${by}`
}

/** Locks the months of referrals that are on no invoice, by number; at most so many. */
export async function lockMonths(trx: Trx, of: { affiliateId: number; currency: Currency }, months: Months, most: number) {
  const { rows } = await sql<{ id: string; amount: string }>`
    select m.id, m.amount from referral_month m join referral r on r.id = m.referral_id
     where r.referrer_id = ${of.affiliateId} and m.currency = ${of.currency} and ${OPEN_MONTH}
       and ${months === 'booked' ? sql`true` : hasEnded(months.endedBy, months.zone)}
     order by m.id limit ${most} for update of m`.execute(trx)
  return rows
}

export function insertAdjustment(trx: Trx, values: Insertable<Tables['adjustment']>) {
  return trx.insertInto('adjustment').values(values).returning('id').executeTakeFirstOrThrow()
}

export async function voidAdjustments(trx: Trx, ids: readonly number[], at: Date): Promise<void> {
  if (ids.length > 0)
    await trx
      .updateTable('adjustment')
      .set({ void_at: at })
      .where('id', 'in', [...ids])
      .execute()
}

/** The live lines of an invoice. */
export function listLive(trx: Trx, invoiceId: number): Promise<Line[]> {
  return trx
    .selectFrom('invoice_line as l')
    .leftJoin('adjustment as d', 'd.id', 'l.adjustment_id')
    .select(['l.id', 'l.kind', 'l.amount', 'l.conversion_id', 'l.adjustment_id', 'd.kind as adjustment_kind', 'l.referral_month_id'])
    .select(['d.purpose as adjustment_purpose', sql<boolean | null>`d.id is not null and d.key is null`.as('adjustment_own')])
    .where('l.invoice_id', '=', invoiceId)
    .where('l.live', '=', true)
    .orderBy('l.id')
    .execute()
}

/** Puts lines on an invoice; their conversions are locked. */
export async function insertLines(trx: Trx, invoiceId: number, lines: readonly NewLine[]): Promise<void> {
  const { rows } = await sql<{ last: string }>`select ${LAST_TRANSFER}::text as last`.execute(trx)
  const last = rows[0]?.last ?? '0'
  await insertRows(
    trx,
    'invoice_line',
    lines.map((line) => ({ invoice_id: invoiceId, ...line, seen_transfer_id: line.seen_transfer_id ?? last })),
  )
}

/** Gives lines of an invoice other amounts: with that all of them are what their locked conversions are now. */
export async function updateLines(trx: Trx, invoiceId: number, lines: readonly { id: string; amount: string }[]): Promise<void> {
  await sql`update invoice_line set seen_transfer_id = ${LAST_TRANSFER} where invoice_id = ${invoiceId} and live and conversion_id is not null`.execute(
    trx,
  )
  if (lines.length === 0) return
  await sql`update invoice_line l set amount = n.amount
    from unnest(${lines.map(({ id }) => id)}::bigint[], ${lines.map(({ amount }) => amount)}::numeric[]) as n (id, amount) where l.id = n.id`.execute(
    trx,
  )
}

/** Takes lines off an invoice that has no number. */
export async function deleteLines(trx: Trx, ids: readonly string[]): Promise<void> {
  if (ids.length > 0)
    await trx
      .deleteFrom('invoice_line')
      .where(sql<boolean>`id = any(${[...ids]}::bigint[])`)
      .execute()
}

/** Lines of an invoice that is no more. */
export async function endLines(trx: Trx, invoiceId: number): Promise<void> {
  await trx.updateTable('invoice_line').set({ live: false, unissued: false }).where('invoice_id', '=', invoiceId).execute()
}

/** Lines of an invoice that has its number now. A correction of one that was taken back since is what its conversion stands on: it is paid with it. */
export async function issueLines(trx: Trx, invoiceId: number): Promise<void> {
  await sql`
    update invoice_line l set unissued = false, kind = case when l.kind = 'correction' and not exists (select from invoice_line o
      where o.conversion_id = l.conversion_id and o.live and o.kind = 'conversion') then 'conversion' else l.kind end
     where l.invoice_id = ${invoiceId}`.execute(trx)
}

/** Of these conversions those with a live line on another invoice. */
export async function linedElsewhere(trx: Trx, invoiceId: number, ids: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select distinct conversion_id as id from invoice_line where live and invoice_id <> ${invoiceId} and conversion_id = any(${[...ids]}::bigint[])`.execute(
    trx,
  )
  return new Set(rows.map(({ id }) => id))
}

/** Writes what of locked conversions is on invoices. */
export async function setInvoiced(trx: Trx, rows: readonly Pick<Payable, 'id' | 'invoiced' | 'payment_state'>[]): Promise<void> {
  if (rows.length === 0) return
  const changed = rows.map(({ id, invoiced, payment_state }) => ({ id, invoiced, payment_state }))
  await sql`update conversion c set invoiced = n.invoiced, payment_state = n.payment_state from ${recordsOf('conversion', changed)} n where c.id = n.id`.execute(
    trx,
  )
}

/** Locks the conversions of several invoices, by number: of one after the other they would be locked in no order. */
export async function lockConversionsOn(trx: Trx, invoiceIds: readonly number[]): Promise<void> {
  await sql`
    with locked as (
      select c.id from conversion c
       where c.id in (select conversion_id from invoice_line where invoice_id = any(${[...invoiceIds]}::int[]) and live and kind = 'conversion')
       order by c.id for update)
    select count(*) from locked`.execute(trx)
}

/** Says of the conversions of an invoice that they are paid, or no longer; locked by number. */
export async function setPaid(trx: Trx, invoiceId: number, state: 'invoiced' | 'paid'): Promise<void> {
  await sql`
    with locked as (
      select c.id from conversion c where c.payment_state <> 'open'
         and c.id in (select conversion_id from invoice_line where invoice_id = ${invoiceId} and live and kind = 'conversion') order by c.id for update)
    update conversion c set payment_state = ${state} from locked where c.id = locked.id`.execute(trx)
}

/** Whether conversions of an invoice that has no number have become something else since they, or corrections of them, were put on it. */
export async function hasChanged(trx: Trx, invoiceId: number): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from invoice_line l join conversion c on c.id = l.conversion_id
      where l.invoice_id = ${invoiceId} and l.live and ${CHANGED}) as found`.execute(trx)
  return rows[0]?.found === true
}

export type LineFilters = { count: number; page: number; changed: boolean; kinds: readonly string[] }

/** A page of the lines of an invoice, with what their conversions are now. */
export async function listLines(db: Db, invoiceId: number, { count, page, changed, kinds }: LineFilters) {
  const where = sql`l.invoice_id = ${invoiceId} and ${kinds.length === 0 ? sql`true` : sql`l.kind = any(${kinds}::text[])`}
    and ${changed ? sql`l.live and (l.kind = 'conversion' or l.unissued) and ${CHANGED}` : sql`true`}`
  const tables = sql`invoice_line l left join conversion c on c.id = l.conversion_id left join offer o on o.id = c.offer_id
    left join goal g on g.id = c.goal_id left join adjustment d on d.id = l.adjustment_id
    left join referral_month m on m.id = l.referral_month_id left join referral r on r.id = m.referral_id
    left join credit_note n on n.id = l.credit_note_id`
  const [counted, list] = await Promise.all([
    sql<{ rows: number }>`select count(*)::int as rows from ${tables} where ${where}`.execute(db),
    sql<LineRow>`
      select l.id::int, l.kind, l.amount::text, c.uuid as conversion_uuid, c.id::text as conversion_id, c.created_at, o.title as offer, g.title as goal,
             coalesce(g.hidden, false) as hidden, c.status, (${PAYABLE})::text as payable, d.id as adjustment_id, d.kind as adjustment_kind, d.note,
             to_char(m.month, 'YYYY-MM') as month, r.level, n.number as credit_note, ${lastChange(changed)} as change
        from ${tables} where ${where} order by l.id limit ${count} offset ${(page - 1) * count}`.execute(db),
  ])
  return { rows: counted.rows[0]?.rows ?? 0, list: list.rows }
}
export type LineRow = {
  id: number
  kind: Line['kind']
  amount: string
  conversion_uuid: string | null
  conversion_id: string | null
  created_at: Date | null
  offer: string | null
  goal: string | null
  hidden: boolean
  status: Payable['status'] | null
  payable: string | null
  adjustment_id: number | null
  adjustment_kind: 'bonus' | 'correction' | null
  note: string | null
  credit_note: string | null
  change: LineChange | null
  /** Of a referral. */
  month: string | null
  level: number | null
}

/** How many lines of each kind an invoice has, and what they come to. */
export async function sumLines(db: DbOrTrx, invoiceId: number) {
  const { rows } = await sql<{ kind: Line['kind']; rows: number; amount: string }>`
    select kind, count(*)::int as rows, sum(amount)::text as amount from invoice_line
     where invoice_id = ${invoiceId} and credit_note_id is null group by kind order by kind`.execute(db)
  return rows
}

/** What offers and goals make on an invoice, the largest first; a goal is not named where it is hidden from who reads. */
export async function groupLines(db: DbOrTrx, invoiceId: number, audience: 'staff' | 'affiliate') {
  const goal = audience === 'staff' ? sql`g.title` : sql`case when g.hidden then '' else g.title end`
  const { rows } = await sql<{ offer: string; goal: string; rows: number; amount: string }>`
    select o.title as offer, ${goal} as goal, count(*)::int as rows, sum(l.amount)::text as amount
      from invoice_line l join conversion c on c.id = l.conversion_id join offer o on o.id = c.offer_id join goal g on g.id = c.goal_id
     where l.invoice_id = ${invoiceId} and l.credit_note_id is null group by 1, 2 order by sum(l.amount) desc, 1, 2 limit 200`.execute(db)
  return rows
}
