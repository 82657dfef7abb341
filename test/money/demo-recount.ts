import { sql } from 'kysely'
import type { Db } from '#server/platform/pg/database.ts'
import { linesOfPdf } from '#test/support/pdf.ts'
import { fixed, parse, plain } from './naive.ts'
import { readPaper } from './printed-paper.ts'

/**
 * A network of the demo added up a second time by plain code: what advertisers sent as it was kept, rows as they stand, and what is
 * printed. It shares nothing with what booked, invoiced and reported it. Each part answers what does not agree, in words.
 */
const rows = async <Row>(db: Db, query: string) => (await sql.raw<Row>(query).execute(db)).rows

type Rule = Record<'payout_fixed' | 'payout_percent' | 'revenue_fixed' | 'revenue_percent', string> & {
  goal_id: number
  affiliate_ids: number[]
  landing_ids: number[]
  geos: string[]
  devices: string[]
  oses: string[]
}
type Conversion = {
  id: string
  uuid: string
  click_id: string
  goal_id: number
  code: string
  affiliate_id: number
  landing: number
  geo: string
  device: string
  os: string
  status: string
  payout: string
  revenue: string
  decimals: number
  hold_days: number
  within_cap: boolean
}

/** What calls said of conversions that nobody but their advertiser ever spoke of, by the terms of their offers. */
export async function recountCalls(db: Db): Promise<{ counted: number; faults: string[] }> {
  const calls = await rows<{ conversion_id: string; query: string; body: string }>(
    db,
    `select conversion_id::text, query, body from postback_in
      where outcome in ('created', 'changed', 'amount_changed', 'declined', 'repeat') and conversion_id is not null order by received_at, id`,
  )
  const conversions = await rows<Conversion>(
    db,
    `select c.id::text, c.uuid, c.click_id, c.goal_id, g.code, c.affiliate_id, c.landing, c.geo, c.device, c.os, c.status, c.payout::text, c.revenue::text,
            u.decimals, o.hold_days, c.within_cap
       from conversion c join goal g on g.id = c.goal_id join currency u on u.code = c.currency join offer o on o.id = c.offer_id
      where not exists (select from conversion_history h where h.conversion_id = c.id and h.origin not in ('postback', 'hold', 'system'))
        and c.id in (select conversion_id from postback_in where outcome = 'created')`,
  )
  const rules = await rows<Rule>(
    db,
    `select goal_id, affiliate_ids, landing_ids, geos, devices, oses, payout_fixed::text, payout_percent::text, revenue_fixed::text, revenue_percent::text
       from payout_rule order by position, id`,
  )
  const heard = Map.groupBy(calls, ({ conversion_id }) => conversion_id)
  const faults: string[] = []
  let counted = 0
  for (const one of conversions) {
    const said = (heard.get(one.id) ?? []).map(({ query, body }) => readCall(query, body))
    if (said.length === 0) continue
    counted++
    for (const { click, goal } of said)
      if ((click !== '' && click !== one.click_id) || (goal !== '' && goal !== one.code))
        faults.push(`${one.uuid}: the call names ${click} and ${goal}`)
    const amount = parse(said.findLast((call) => call.amount !== '')?.amount || '0')
    const fits = (list: readonly unknown[], value: unknown) => list.length === 0 || list.includes(value)
    const fitting = rules.filter(
      (rule) =>
        rule.goal_id === one.goal_id &&
        fits(rule.affiliate_ids, one.affiliate_id) &&
        fits(rule.landing_ids, one.landing) &&
        fits(rule.geos, one.geo) &&
        fits(rule.devices, one.device) &&
        fits(rule.oses, one.os),
    )
    const weight = (rule: Rule) =>
      (rule.affiliate_ids.length > 0 ? 8 : 0) +
      (rule.landing_ids.length > 0 ? 4 : 0) +
      (rule.geos.length > 0 ? 2 : 0) +
      (rule.devices.length + rule.oses.length > 0 ? 1 : 0)
    const [rule] = fitting.toSorted((a, b) => weight(b) - weight(a))
    if (rule === undefined) {
      faults.push(`${one.uuid}: no row of its offer fits it`)
      continue
    }
    const scale = Math.max(4, one.decimals)
    const worth = (side: 'payout' | 'revenue') => parse(rule[`${side}_fixed`]) + shareOf(amount, rule[`${side}_percent`], scale)
    // over a cap nothing is paid, or nothing counts
    const unpaid = !one.within_cap && parse(one.payout) === 0n
    if ((worth('payout') !== parse(one.payout) && !unpaid) || worth('revenue') !== parse(one.revenue))
      faults.push(`${one.uuid}: ${one.payout} of ${one.revenue}, by its calls ${worth('payout')} of ${worth('revenue')}`)
    const last = said.findLast((call) => call.status !== '')?.status ?? ''
    const may = [...(last === 'approved' ? ['approved', 'hold'] : [last]), ...(one.within_cap ? [] : ['declined'])]
    if (last !== '' && !may.includes(one.status)) faults.push(`${one.uuid}: ${one.status}, its calls said ${last}`)
  }
  return { counted, faults }
}

/** What is said in any of the demo's ways of calling the five things. */
function readCall(query: string, body: string): { click: string; goal: string; status: string; amount: string } {
  const fields: Record<string, unknown> = {
    ...Object.fromEntries(new URLSearchParams(query)),
    ...(body.startsWith('{') ? JSON.parse(body) : Object.fromEntries(new URLSearchParams(body))),
  }
  const first = (...names: string[]) => String(names.map((name) => fields[name]).find((value) => value !== undefined) ?? '')
  return {
    click: first('click_id', 'clickid', 'cid'),
    goal: first('goal', 'event', 'event_name', 'goal_code'),
    status: first('status', 'conversion_status'),
    amount: first('amount', 'sum', 'price', 'revenue'),
  }
}

/** What those who brought others are owed of each month, from payouts as they stand. */
export async function recountReferrals(db: Db, zone: string): Promise<{ counted: number; faults: string[] }> {
  const referrals = await rows<{
    id: number
    affiliate_id: number
    referrer: number
    percent: string
    months: number
    at: Date
    earns: boolean
  }>(
    db,
    `select r.id, r.affiliate_id, r.referrer_id as referrer, r.percent::text, r.months, r.created_at as at, r.state in ('clear', 'released') and f.status = 'active' as earns
       from referral r join affiliate f on f.id = r.referrer_id`,
  )
  const conversions = await rows<{ affiliate_id: number; at: Date; payout: string; currency: string; decimals: number }>(
    db,
    `select c.affiliate_id, c.created_at as at, c.payout::text, c.currency, u.decimals from conversion c join currency u on u.code = c.currency where c.status = 'approved'`,
  )
  const booked = await rows<{ key: string; amount: string; open: string; owner: string }>(
    db,
    `select m.referral_id || ' ' || to_char(m.month, 'YYYY-MM') || ' ' || m.currency as key, m.amount::text, r.referrer_id || ' ' || m.currency as owner,
            case when exists (select from invoice_line l where l.referral_month_id = m.id and l.live) then '0' else m.amount::text end as open
       from referral_month m join referral r on r.id = m.referral_id`,
  )
  const accounts = await rows<{ owner: string; balance: string }>(
    db,
    `select owner_id || ' ' || currency as owner, balance::text from ledger_account where kind = 'affiliate_referral'`,
  )
  const monthOf = (at: Date) => at.toLocaleDateString('sv', { timeZone: zone }).slice(0, 7)
  const earned = new Map<string, bigint>()
  for (const one of referrals.filter(({ earns }) => earns)) {
    const until = Temporal.Instant.fromEpochMilliseconds(one.at.getTime())
      .toZonedDateTimeISO(zone)
      .add({ months: one.months }).epochMilliseconds
    const sums = new Map<string, { sum: bigint; decimals: number }>()
    for (const { affiliate_id, at, payout, currency, decimals } of conversions) {
      if (affiliate_id !== one.affiliate_id || at < one.at || at.getTime() >= until) continue
      const key = `${one.id} ${monthOf(at)} ${currency}`
      sums.set(key, { sum: (sums.get(key)?.sum ?? 0n) + parse(payout), decimals })
    }
    for (const [key, { sum, decimals }] of sums) earned.set(key, shareOf(sum, one.percent, Math.max(4, decimals)))
  }
  return {
    counted: [...earned.values()].filter((amount) => amount !== 0n).length,
    faults: [
      ...differing(
        'referral',
        earned,
        summed(booked, ({ key, amount }) => [key, parse(amount)]),
      ),
      ...differing(
        'affiliate_referral',
        summed(booked, ({ owner, open }) => [owner, -parse(open)]),
        summed(accounts, ({ owner, balance }) => [owner, parse(balance)]),
      ),
    ],
  }
}

/** Every numbered invoice and credit note of both sides: its lines, its row and what is printed of it are one sum. */
export async function recountPapers(db: Db): Promise<{ counted: Record<string, number>; faults: string[] }> {
  const papers = await rows<
    Record<'kind' | 'number' | 'net' | 'vat' | 'total' | 'currency' | 'lines', string> & {
      of: string | null
      decimals: number
      bytes: Buffer | null
    }
  >(
    db,
    `with paper as (
       select 'invoice' as kind, id, number, null as of, net, vat, total, currency, (select sum(amount) from invoice_line l where l.invoice_id = i.id) as lines from invoice i where number is not null
       union all
       select 'credit_note', n.id, n.number, i.number, n.net, n.vat, n.total, i.currency, null from credit_note n join invoice i on i.id = n.invoice_id
       union all
       select 'advertiser_invoice', id, number, null, net, vat, total, currency, (select sum(amount) from advertiser_invoice_line l where l.invoice_id = i.id) from advertiser_invoice i where number is not null
       union all
       select 'advertiser_credit_note', n.id, n.number, i.number, n.net, n.vat, n.total, i.currency, null from advertiser_credit_note n join advertiser_invoice i on i.id = n.invoice_id
     )
     select p.kind, p.number, p.of, p.net::text, p.vat::text, p.total::text, p.currency, p.lines::text, u.decimals, d.bytes
       from paper p join currency u on u.code = p.currency left join document d on d.kind = p.kind and d.subject_id = p.id`,
  )
  const counted: Record<string, number> = {}
  const faults: string[] = []
  for (const { kind, number, of, lines, decimals, bytes, ...row } of papers) {
    counted[kind] = (counted[kind] ?? 0) + 1
    const say = (fault: string) => faults.push(`${kind} ${number}: ${fault}`)
    if (lines !== null && shareOf(parse(lines), '100', decimals) !== parse(row.net)) say(`net ${row.net} of lines of ${lines}`)
    if (parse(row.net) + parse(row.vat) !== parse(row.total)) say(`${row.net} and ${row.vat} are ${row.total}`)
    if (bytes === null) {
      say('nothing is printed')
      continue
    }
    const paper = readPaper(await linesOfPdf(new Uint8Array(bytes)))
    const sum = paper.amounts.reduce((all, amount) => all + parse(amount), 0n)
    if (sum !== parse(paper.net)) say(`printed lines of ${sum}, printed net ${paper.net}`)
    const told = [paper.number, paper.credits, paper.currency, ...[paper.net, paper.vat, paper.total].map((one) => plain(one))].join(' ')
    const kept = [number, of, row.currency, ...[row.net, row.vat, row.total].map((one) => plain(fixed(parse(one), decimals)))].join(' ')
    if (told !== kept) say(`printed as ${told}, kept as ${kept}`)
  }
  return { counted, faults }
}

/** `amount × percent %` to so many decimals, half away from zero. */
function shareOf(amount: bigint, percent: string, decimals: number): bigint {
  const [by, unit] = [100n * 100_000_000n, 10n ** BigInt(8 - decimals)]
  const product = amount * parse(percent)
  const sign = product < 0n ? -1n : 1n
  return sign * ((product * sign * 2n + by * unit) / (2n * by * unit)) * unit
}

function summed<Row>(list: readonly Row[], read: (row: Row) => [string, bigint]): Map<string, bigint> {
  const sums = new Map<string, bigint>()
  for (const [key, amount] of list.map(read)) sums.set(key, (sums.get(key) ?? 0n) + amount)
  return sums
}

/** Keys at which two sums differ. */
export function differing(what: string, expected: ReadonlyMap<string, bigint>, found: ReadonlyMap<string, bigint>): string[] {
  return [...new Set([...expected.keys(), ...found.keys()])].flatMap((key) =>
    (expected.get(key) ?? 0n) === (found.get(key) ?? 0n)
      ? []
      : [`${what} ${key}: ${expected.get(key) ?? 0n} recounted, ${found.get(key) ?? 0n} kept`],
  )
}

/** Payout, revenue and counts by affiliate and currency, from rows of conversions; as `differing` compares them. */
export async function recountConversions(db: Db): Promise<Map<string, bigint>> {
  const list = await rows<{ affiliate_id: number; currency: string; status: string; payout: string; revenue: string }>(
    db,
    `select affiliate_id, currency, status, payout::text, revenue::text from conversion`,
  )
  return summed(
    list.flatMap(({ affiliate_id, currency, status, payout, revenue }) => {
      const key = `${affiliate_id} ${currency}`
      const counts = status === 'approved' || status === 'hold'
      return [
        { key: `${key} ${status}`, amount: 1n },
        ...(counts
          ? [
              { key: `${key} payout`, amount: parse(payout) },
              { key: `${key} revenue`, amount: parse(revenue) },
            ]
          : []),
      ]
    }),
    ({ key, amount }) => [key, amount],
  )
}
