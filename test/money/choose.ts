import fc from 'fast-check'
import { sql } from 'kysely'
import { fromUnits, toUnits, UNITS } from '#contract/money/amount.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { dayIn } from '#server/rules/zone-day.ts'
import type { Ask, AskedLine, Part } from './ask.ts'
import { CURRENCIES, newKey, type Moved, type World } from './world.ts'

const DAY = 86_400_000

/** How often each thing is asked for, of so many. */
const WEIGHTS = {
  report: 26,
  decide: 5,
  'release holds': 3,
  pass: 3,
  pick: 5,
  run: 3,
  add: 2,
  refresh: 2,
  'take off': 3,
  adjust: 4,
  send: 8,
  'take back': 1,
  approve: 8,
  decline: 2,
  remove: 2,
  cancel: 2,
  'credit changes': 4,
  pay: 6,
  settle: 3,
  fail: 3,
  'give back': 4,
  advance: 3,
  file: 3,
  'cancel file': 1,
  'release file': 2,
  'recall file': 1,
  result: 4,
  request: 2,
  withdraw: 1,
  'decline request': 1,
  accept: 2,
  bill: 4,
  rebill: 2,
  'take off bill': 2,
  'adjust bill': 2,
  'remove bill': 1,
  issue: 5,
  credit: 3,
  'write off': 2,
  receive: 4,
  allot: 2,
  'pay back': 1,
  bounce: 2,
} as const satisfies Record<Ask['do'], number>

/** What is meant to be asked, before anybody has looked at what there is. */
export type Wish = { kind: Ask['do']; pick: number; other: number; cents: number; flag: boolean; stale: boolean; by: number }

const kinds = Object.entries(WEIGHTS).map(([value, weight]) => ({ arbitrary: fc.constant(value as Ask['do']), weight })) // its keys
export const wish: fc.Arbitrary<Wish> = fc.record({
  kind: fc.oneof(...kinds),
  pick: fc.nat(9_999),
  other: fc.nat(9_999),
  cents: fc.oneof(fc.integer({ min: 1, max: 99_999 }), fc.integer({ min: -5_000, max: 0 })),
  flag: fc.boolean(),
  // one in ten comes from somebody who saw an older one
  stale: fc.nat(9).map((one) => one === 0),
  by: fc.nat(1),
})

/** Statuses in which something is mostly asked of an invoice; now and then of any other. */
const USUAL: Partial<Record<Ask['do'], readonly string[]>> = {
  add: ['draft', 'waiting'],
  refresh: ['draft', 'waiting'],
  'take off': ['draft', 'waiting'],
  adjust: ['draft', 'waiting'],
  send: ['draft'],
  'take back': ['waiting'],
  approve: ['waiting'],
  decline: ['waiting'],
  remove: ['draft', 'waiting', 'declined'],
  cancel: ['approved', 'paid'],
  'credit changes': ['approved', 'partly_paid', 'paid'],
  pay: ['approved', 'partly_paid'],
  settle: ['approved', 'partly_paid', 'paid'],
  fail: ['approved', 'partly_paid', 'paid'],
  'give back': ['approved', 'partly_paid', 'paid', 'cancelled'],
  rebill: ['draft'],
  'take off bill': ['draft'],
  'adjust bill': ['draft'],
  'remove bill': ['draft'],
  issue: ['draft'],
  credit: ['issued', 'partly_paid', 'paid', 'credited', 'written_off'],
  'write off': ['issued', 'partly_paid'],
}

/** What a wish comes to, with what there is by now; where there is nothing of its kind, an advertiser calls. */
export async function choose(world: World, db: Db, wished: Wish): Promise<Ask> {
  return (await what(world, db, wished)) ?? report(world, { ...wished, other: 0 })
}

function report({ clicks }: World, { pick, other, cents, flag }: Wish): Ask {
  const status = (['approved', 'approved', 'pending', 'declined'] as const)[other % 4]!
  return { do: 'report', click: pick % clicks.length, status, amount: flag || other % 3 === 0 ? amountOf(cents) : null }
}

async function what(world: World, db: Db, wished: Wish): Promise<Ask | null> {
  const { kind, pick, other, cents, flag } = wished
  const { affiliates, advertisers, now } = world
  const codes = Object.keys(CURRENCIES)
  const currency = codes[other % codes.length]! // there are four
  const whose = affiliates[pick % affiliates.length]! // there is at least one
  const advertiser = advertisers[pick % advertisers.length]! // there are two
  switch (kind) {
    case 'report':
      return report(world, wished)
    case 'decide': {
      const found = await conversions(world, db, { open: false, many: 4, from: pick })
      const status = (['approved', 'declined', 'pending', 'trash'] as const)[other % 4]!
      return found.uuids.length === 0 ? null : { do: kind, ...found, status }
    }
    case 'release holds':
      return { do: kind }
    case 'pass':
      return { do: kind, hours: 1 + (pick % 20) }
    case 'pick': {
      const found = await conversions(world, db, { open: true, many: 1 + (other % 6), from: pick })
      return found.uuids.length === 0 ? null : { do: kind, ...found, owing: cents % 3 === 0 }
    }
    case 'run':
      return { do: kind, key: newKey(), affiliates: flag ? [whose.uuid] : [], until: dayIn(now - (other % 3) * DAY, 'UTC') }
    case 'advance':
      return { do: kind, key: newKey(), affiliate: pick % affiliates.length, currency, amount: amountOf(flag ? Math.abs(cents) : cents) }
    case 'file':
      return { do: kind, key: newKey(), currency, affiliates: flag ? [whose.uuid] : [], owing: cents % 3 === 0 ? [whose.uuid] : [] }
    case 'cancel file':
    case 'release file':
    case 'recall file': {
      const state = kind === 'recall file' ? 'released' : 'draft'
      const file = await oneOf(world, db, sql`select id, uuid from payout_file where state = ${state} or ${pick % 8 === 0}`, other)
      return file === undefined ? null : { do: kind, file: file.uuid }
    }
    case 'result': {
      const becomes = (['settled', 'settled', 'failed', 'returned'] as const)[other % 4]!
      const state = becomes === 'returned' ? 'settled' : 'sent'
      const payout = await oneOf(world, db, sql`select id, uuid from payout where state = ${state} or ${pick % 8 === 0}`, pick)
      return payout === undefined ? null : { do: kind, payout: payout.uuid, becomes, fee: flag ? '0' : '0.25' }
    }
    case 'request':
      return { do: kind, affiliate: pick % affiliates.length, currency }
    case 'withdraw':
    case 'decline request':
    case 'accept': {
      const request = await oneOf(world, db, sql`select id, uuid from payout_request where state = 'open' or ${pick % 8 === 0}`, other)
      return request === undefined ? null : { do: kind, request: request.uuid }
    }
    case 'bill':
      return { do: kind, key: newKey(), advertiser: advertiser.uuid, currency, until: dayIn(now - (cents % 2) * DAY, 'UTC') }
    case 'receive': {
      const moved = movedOf(wished, currency)
      const amount = moved === null ? amountOf(cents) : String(1 + Math.abs(cents))
      const parts = flag ? null : await openParts(db, { advertiser: advertiser.id, currency, pick, cents })
      return { do: kind, key: newKey(), advertiser: advertiser.uuid, currency, amount, parts, moved }
    }
    case 'allot':
    case 'pay back':
    case 'bounce': {
      const found = await oneOf<{
        revision: number
        currency: string
        advertiser_id: number
        amount: string
        moved_currency: string | null
      }>(
        world,
        db,
        sql`select id, uuid, revision, currency, advertiser_id, amount::text, moved_currency from receipt where state = 'booked' or ${pick % 8 === 0}`,
        other,
      )
      if (found === undefined) return null
      const of = { receipt: found.uuid, revision: seen(found.revision, wished) }
      if (kind === 'bounce') return { do: kind, ...of }
      if (kind === 'pay back') {
        const moved = found.moved_currency === null ? null : { currency: found.moved_currency, amount: String(1 + Math.abs(cents)) }
        // now and then in another way than it came
        return {
          do: kind,
          ...of,
          amount: flag ? amountOf(cents) : found.amount,
          moved: pick % 6 === 0 ? movedOf(wished, found.currency) : moved,
        }
      }
      return { do: kind, ...of, parts: await openParts(db, { advertiser: found.advertiser_id, currency: found.currency, pick, cents }) }
    }
    default:
      return kind.includes('bill') || kind === 'issue' || kind === 'credit' || kind === 'write off'
        ? ofBill(world, db, { ...wished, kind: kind as BillKind }) // those are all of them
        : ofInvoice(world, db, { ...wished, kind: kind as InvoiceKind }) // and so are these
  }
}

type BillKind = 'rebill' | 'take off bill' | 'adjust bill' | 'remove bill' | 'issue' | 'credit' | 'write off'
type InvoiceKind = Exclude<Extract<Ask, { invoice: string }>['do'], BillKind>

async function ofInvoice(world: World, db: Db, wished: Wish & { kind: InvoiceKind }): Promise<Ask | null> {
  const { kind, pick, other, cents, flag } = wished
  const isSent = sql`exists (select from payment p where p.invoice_id = invoice.id and p.state = 'sent')`
  const byHand = sql`exists (select from payment p where p.invoice_id = invoice.id and p.payout_id is null and p.state = 'settled')`
  const isChanged = sql`exists (select from invoice_line l join conversion c on c.id = l.conversion_id where l.invoice_id = invoice.id and l.live
    and c.invoiced <> case when c.status = 'approved' then c.payout else 0 end)`
  const under =
    kind === 'settle' || kind === 'fail'
      ? sql`and (${isSent} or ${pick % 8 === 0})`
      : kind === 'give back'
        ? sql`and (${byHand} or ${pick % 8 === 0})`
        : kind === 'credit changes'
          ? sql`and (${isChanged} or ${pick % 8 === 0}) and (${isSent} or ${pick % 2 === 0})`
          : sql``
  const found = await oneOf<{ id: number; revision: number; open: string; currency: string }>(
    world,
    db,
    sql`select uuid, id, revision, open::text, currency from invoice where (status = any(${[...(USUAL[kind] ?? [])]}::text[]) and deleted_at is null ${under}) or ${pick % 12 === 0}`,
    other,
  )
  if (found === undefined) return null
  const of = { invoice: found.uuid, revision: seen(found.revision, wished) }
  if (kind === 'take off') {
    const lines = await linesOf(world, db, 'invoice_line', found.id)
    return lines.length === 0 ? null : { do: kind, ...of, lines: some(lines, pick) }
  }
  if (kind === 'adjust') return { do: kind, ...of, kind: flag ? 'bonus' : 'correction', amount: amountOf(cents) }
  if (kind === 'give back') {
    const { rows } = await sql<{ uuid: string; key: string }>`
      select uuid, key from payment where invoice_id = ${found.id} and (payout_id is null or ${pick % 8 === 0}) order by state = 'settled' desc, id desc limit 3`.execute(
      db,
    )
    const payment = rows[other % 8 === 0 ? rows.length - 1 : 0]
    return payment === undefined ? null : { do: kind, ...of, payment, day: dayIn(world.now, 'UTC') }
  }
  if (kind === 'approve') return { do: kind, ...of, leave: flag, owing: cents % 2 === 0 }
  if (kind === 'pay') {
    const units = toUnits(found.open)
    const amounts = [found.open, found.open, fromUnits(units / 2n), fromUnits(units + UNITS), amountOf(Math.abs(cents))]
    return {
      do: kind,
      ...of,
      key: newKey(),
      amount: amounts[pick % amounts.length]!,
      settled: flag,
      inAdvance: other % 2 === 0,
      owing: cents % 3 === 0,
      moved: movedOf(wished, found.currency),
    }
  }
  return { do: kind, ...of }
}

async function ofBill(world: World, db: Db, wished: Wish & { kind: BillKind }): Promise<Ask | null> {
  const { kind, pick, other, cents, flag } = wished
  const found = await oneOf<{ id: number; revision: number; net: string }>(
    world,
    db,
    sql`select uuid, id, revision, net::text from advertiser_invoice where (status = any(${[...(USUAL[kind] ?? [])]}::text[]) and deleted_at is null) or ${pick % 12 === 0}`,
    other,
  )
  if (found === undefined) return null
  const of = { invoice: found.uuid, revision: seen(found.revision, wished) }
  if (kind === 'take off bill') {
    const lines = await linesOf(world, db, 'advertiser_invoice_line', found.id)
    return lines.length === 0 ? null : { do: kind, ...of, lines: some(lines, pick) }
  }
  if (kind === 'adjust bill') return { do: kind, ...of, kind: flag ? 'discount' : 'fee', amount: amountOf(cents) }
  if (kind === 'issue') return { do: kind, ...of, net: found.net }
  if (kind === 'credit') return { do: kind, ...of, kind: flag ? 'whole' : 'changed' }
  return { do: kind, ...of }
}

/** One in two moves in another currency than its own; now and then in one that is none other, or in fractions it does not have. */
function movedOf({ pick, other, cents }: Wish, own: string): Moved | null {
  if ((other >> 3) % 2 !== 0) return null
  const others = Object.keys(CURRENCIES).filter((code) => code !== own)
  const isOdd = (pick >> 2) % 8 === 0
  return {
    currency: isOdd ? own : (others[(pick >> 2) % others.length] ?? ''),
    amount: (pick >> 5) % 8 === 0 ? amountOf(cents) : String(1 + Math.abs(cents)),
  }
}

function seen(revision: number, { stale }: Wish): number {
  return stale ? revision - 1 : revision
}

/** An amount of whole units, of cents or of an odd share of one: what a currency has no decimals for is refused. */
function amountOf(cents: number): string {
  const units = BigInt(cents) * (cents % 3 === 0 ? UNITS : UNITS / 100n)
  return fromUnits(units)
    .replace(/(\.\d*?)0+$/, '$1')
    .replace(/\.$/, '')
}

async function oneOf<Row extends object = object>(
  { latest }: World,
  db: Db,
  query: ReturnType<typeof sql>,
  pick: number,
): Promise<(Row & { uuid: string }) | undefined> {
  // the latest are asked about most
  const { rows } = await sql<Row & { uuid: string }>`select * from (${query}) q order by id desc limit ${latest}`.execute(db)
  return rows[pick % Math.max(1, rows.length)]
}

async function conversions({ clicks }: World, db: Db, asked: { open: boolean; many: number; from: number }) {
  const { rows } = await sql<{ uuid: string; click_id: string }>`
    select uuid, click_id from conversion where ${asked.open ? sql`status = 'approved' and payment_state = 'open'` : sql`true`} order by id desc limit 300`.execute(
    db,
  )
  const start = asked.from % Math.max(1, rows.length)
  const taken = rows.slice(start, start + asked.many)
  return { uuids: taken.map(({ uuid }) => uuid), clicks: taken.map(({ click_id }) => clicks.findIndex(({ id }) => id === click_id)) }
}

async function linesOf(
  { clicks }: World,
  db: Db,
  table: 'invoice_line' | 'advertiser_invoice_line',
  invoice: number,
): Promise<AskedLine[]> {
  const adjustments = table === 'invoice_line' ? 'adjustment' : 'advertiser_adjustment'
  const { rows } = await sql<{ id: string; click_id: string | null; adjustment: number | null }>`
    select l.id, c.click_id, case when l.adjustment_id is not null then (select count(*)::int - 1 from ${sql.table(adjustments)} d where d.id <= l.adjustment_id) end as adjustment
      from ${sql.table(table)} l left join conversion c on c.id = l.conversion_id where l.invoice_id = ${invoice} order by l.id`.execute(db)
  return rows.map(({ id, click_id, adjustment }) => ({
    id: Number(id),
    click: click_id === null ? null : clicks.findIndex((one) => one.id === click_id),
    adjustment,
  }))
}

async function openParts(
  db: Db,
  { advertiser, currency, pick, cents }: { advertiser: number; currency: string; pick: number; cents: number },
): Promise<Part[]> {
  const { rows } = await sql<{ uuid: string; open: string }>`
    select uuid, (case when open > 0 then open else written_off end)::text as open from advertiser_invoice
     where advertiser_id = ${advertiser} and currency = ${currency} and number is not null and open + written_off > 0 order by id desc limit 3`.execute(
    db,
  )
  return some(rows, pick).map(({ uuid, open }) => ({ invoice_uuid: uuid, amount: cents % 4 === 0 ? amountOf(Math.abs(cents)) : open }))
}

function some<Item>(items: readonly Item[], pick: number): Item[] {
  const chosen = items.filter((_item, at) => (pick >> (at % 10)) % 2 === 0)
  return chosen.length === 0 ? items.slice(0, 1) : chosen
}
