import type { Ask } from '../ask.ts'
import { balance, least, move, parse, Refused, refuseIf, round, share, total } from './books.ts'
import { standing, worthAt } from './conversions.ts'
import { tellVat } from './exchange.ts'
import type { Bill, BillLine, By, Conversion, Model } from './state.ts'

const drafted = (model: Model, adjustment: boolean, about: number) =>
  [...model.bills.values()].some(
    (bill) => bill.status === 'draft' && !bill.deleted && bill.lines.some((line) => line.adjustment === adjustment && line.about === about),
  )
const isFirst = (click: number) => (line: BillLine) => line.first === true && line.about === click
const isOnIssued = (model: Model, click: number) =>
  [...model.bills.values()].some((bill) => bill.status !== 'draft' && bill.lines.some(isFirst(click)))
/** It stands on an issued invoice a note can still take something of, or add to. */
const isForNote = (model: Model, { click, billed }: Conversion, earned: bigint) =>
  [...model.bills.values()].some(
    (bill) => bill.status !== 'draft' && bill.lines.some(isFirst(click)) && (bill.net > bill.creditedNet || earned > billed),
  )
/** An adjustment stays with the invoice it stood on, until a credit note frees it. */
const isTaken = (model: Model, about: number) =>
  [...model.bills.values()].some((bill) => !bill.deleted && bill.lines.some((line) => line.adjustment && line.about === about))

/** As far as issued invoices and their notes have taken it. */
const seenOf = (model: Model, click: number) =>
  Math.max(
    0,
    ...[...model.bills.values()].flatMap(({ status, lines }) =>
      status === 'draft' ? [] : lines.filter(({ adjustment, about }) => !adjustment && about === click).map(({ seen }) => seen),
    ),
  )
/** What its draft takes of it: a correction as it was at the end of the period, all else as it is. */
const dueOf = (model: Model, { until }: Bill, one: Conversion, isFirstLine: boolean) =>
  worthAt(one, isFirstLine ? Infinity : until, seenOf(model, one.click))

function takeLines(model: Model, bill: Bill): void {
  const includesHold = model.includesHold(bill.advertiser)
  for (const one of model.conversions.values()) {
    const { earned } = standing(one)
    const isOwn = one.terms.advertiser === bill.advertiser && one.terms.currency === bill.currency && one.createdAt < bill.until
    if (!isOwn || earned === one.billed || drafted(model, false, one.click)) continue
    // what stood on an invoice with VAT is changed by a credit note alone
    if (model.vatOfAdvertiser(bill.advertiser) !== '0' && isForNote(model, one, earned)) continue
    const isAgain = isOnIssued(model, one.click)
    if (one.status === 'hold' && one.billed === 0n && !includesHold) continue
    const first = isAgain ? {} : { first: true as const }
    const due = dueOf(model, bill, one, !isAgain)
    if (due.earned !== one.billed)
      bill.lines.push({ adjustment: false, about: one.click, amount: due.earned - one.billed, ...first, seen: 0 })
  }
  for (const [at, one] of model.billAdjustments.entries())
    if (one.advertiser === bill.advertiser && one.currency === bill.currency && !one.gone && one.at < bill.until && !isTaken(model, at))
      bill.lines.push({ adjustment: true, about: at, amount: one.amount, seen: 0 })
}

function recompute(model: Model, bill: Bill): void {
  for (const line of bill.lines) {
    const one = line.adjustment ? undefined : model.conversions.get(line.about)
    if (one !== undefined) line.amount = dueOf(model, bill, one, line.first === true).earned - one.billed
  }
  bill.lines = bill.lines.filter(({ adjustment, amount }) => adjustment || amount !== 0n)
}

function totalsOf(model: Model, { advertiser, currency }: { advertiser: number; currency: string }, exact: bigint) {
  const decimals = model.decimals(currency)
  const net = round(exact, decimals)
  const vat = share(net, model.vatOfAdvertiser(advertiser), decimals)
  return { net, vat, total: net + vat }
}

const exactOf = ({ lines }: Bill) => total(lines.map(({ amount }) => amount))

function resum(model: Model, bill: Bill): void {
  const totals = totalsOf(model, bill, exactOf(bill))
  refuseIf(totals.net < 0n, 'invalid_input')
  Object.assign(bill, totals)
}

/** A draft; it books nothing. */
export function makeBill(
  model: Model,
  by: By,
  made: string,
  of: { advertiser: number; currency: string; until: number; due: string },
): void {
  const nothing = {
    net: 0n,
    vat: 0n,
    total: 0n,
    open: 0n,
    received: 0n,
    offset: 0n,
    credited: 0n,
    writtenOff: 0n,
    creditedNet: 0n,
    creditedVat: 0n,
  }
  const last = { event: 'made', revision: 0, by: by.account }
  const bill: Bill = {
    ...of,
    ...nothing,
    uuid: made,
    serial: model.bills.size,
    status: 'draft',
    deleted: false,
    revision: 1,
    last,
    lines: [],
  }
  takeLines(model, bill)
  Object.assign(bill, totalsOf(model, bill, exactOf(bill)))
  refuseIf(bill.net <= 0n, 'nothing_to_invoice')
  model.bills.set(made, bill)
}

const STEPS: Record<string, { event: string; from: string[]; everything?: true }> = {
  rebill: { event: 'refreshed', from: ['draft'] },
  'take off bill': { event: 'lines_removed', from: ['draft'], everything: true },
  'adjust bill': { event: 'adjusted', from: ['draft'], everything: true },
  'remove bill': { event: 'deleted', from: ['draft'] },
  issue: { event: 'issued', from: ['draft'] },
  credit: { event: 'credited', from: ['issued', 'partly_paid', 'paid'], everything: true },
  'credit changed': { event: 'credited', from: ['issued', 'partly_paid', 'paid', 'credited', 'written_off'], everything: true },
  'write off': { event: 'written_off', from: ['issued', 'partly_paid'] },
}

export type BillAsk = Extract<Ask, { do: 'rebill' | 'take off bill' | 'adjust bill' | 'remove bill' | 'issue' | 'credit' | 'write off' }>

export function stepBill(model: Model, by: By, ask: BillAsk): void {
  const bill = model.bills.get(ask.invoice)!
  const step = STEPS[ask.do === 'credit' && ask.kind === 'changed' ? 'credit changed' : ask.do]!
  if (bill.revision !== ask.revision) {
    const { last } = bill
    const same = last.event === step.event && last.revision === ask.revision && last.by === by.account
    const saidSo = step.everything !== true || last.said === JSON.stringify(ask)
    if (saidSo && same && bill.revision === ask.revision + 1) return
    throw new Refused('invoice_changed')
  }
  refuseIf(bill.deleted, 'not_found')
  if (!step.from.includes(bill.status))
    throw new Refused(bill.status !== 'draft' && step.from.includes('draft') ? 'issued_is_final' : 'status_not_allowed')
  take(model, by, bill, ask)
  stepped(bill, step.event, by, ask)
}

/** Every change counts up the revision and is remembered. */
export function stepped(bill: Bill, event: string, { account }: By, ask: object = {}): void {
  bill.last = { event, revision: bill.revision, by: account, said: JSON.stringify(ask) }
  bill.revision++
}

function take(model: Model, by: By, bill: Bill, ask: BillAsk): void {
  const { books } = model
  const { advertiser, currency } = bill
  const owed: [string, number] = ['advertiser_invoiced', advertiser]
  const prepaid: [string, number] = ['advertiser_prepaid', advertiser]
  switch (ask.do) {
    case 'rebill':
      recompute(model, bill)
      takeLines(model, bill)
      return resum(model, bill)
    case 'take off bill': {
      const isAsked = (one: BillLine) =>
        ask.lines.some((line) => (one.adjustment ? line.adjustment === one.about : line.click === one.about))
      for (const { about } of bill.lines.filter((one) => one.adjustment && isAsked(one))) {
        const adjustment = model.billAdjustments[about]!
        adjustment.gone = true
        move(books, currency, ['receivable', advertiser], ['network_revenue', advertiser], -adjustment.amount)
      }
      bill.lines = bill.lines.filter((one) => !isAsked(one))
      return resum(model, bill)
    }
    case 'adjust bill': {
      const amount = parse(ask.amount)
      refuseIf(
        amount === 0n || (ask.kind === 'discount' && amount > 0n) || round(amount, model.decimals(currency)) !== amount,
        'invalid_input',
      )
      const about = model.billAdjustments.push({ advertiser, currency, amount, gone: false, at: by.now }) - 1
      bill.lines.push({ adjustment: true, about, amount, seen: 0 })
      move(books, currency, ['receivable', advertiser], ['network_revenue', advertiser], amount)
      return resum(model, bill)
    }
    case 'remove bill':
      bill.lines = []
      bill.deleted = true
      return
    case 'issue':
      return issue(model, bill, parse(ask.net))
    case 'credit':
      return credit(model, bill, ask.kind)
    case 'write off':
      move(books, currency, ['advertiser_write_off', advertiser], owed, bill.open)
      bill.writtenOff += bill.open
      bill.open = 0n
      return follow(bill)
  }

  function issue(of: Model, one: Bill, seen: bigint): void {
    recompute(of, one)
    const exact = exactOf(one)
    const totals = totalsOf(of, one, exact)
    refuseIf(totals.net !== seen, 'lines_changed')
    refuseIf(one.lines.length === 0 || totals.net <= 0n, 'nothing_to_invoice')
    for (const line of one.lines) {
      if (line.adjustment) continue
      const its = of.conversions.get(line.about)!
      its.billed += line.amount
      line.seen = dueOf(of, one, its, line.first === true).seen
    }
    // a correction of an invoice that was credited since is what its conversion stands on
    for (const line of one.lines) if (!line.adjustment && !isOnIssued(of, line.about)) line.first = true
    move(books, currency, owed, ['receivable', advertiser], exact)
    tellVat(totals.vat, currency, by.now)
    move(books, currency, owed, ['vat_output', 0], totals.vat)
    move(books, currency, owed, ['rounding', 0], totals.net - exact)
    Object.assign(one, totals, { open: totals.total, status: 'issued' })
    offset(of, one)
    follow(one)
  }

  /** No. 27, of whatever is open. */
  function offset(of: Model, one: Bill): void {
    const used = least(-balance(books, 'advertiser_prepaid', advertiser, currency), one.open)
    if (used <= 0n) return
    of.billOffsets.push({ bill: one.uuid, amount: used, back: false })
    move(books, currency, prepaid, owed, used)
    one.open -= used
    one.offset += used
  }

  function credit(of: Model, one: Bill, kind: 'whole' | 'changed'): void {
    let net = one.net - one.creditedNet
    let vat = one.vat - one.creditedVat
    let exact = exactOf(one)
    const about = new Set(one.lines.flatMap((line) => (line.adjustment ? [] : line.about)))
    const lost = [...about]
      .map((click) => of.conversions.get(click)!)
      .filter((c) => standing(c).earned !== c.billed && !drafted(of, false, c.click))
      .toSorted((a, b) => a.serial - b.serial)
      .map((c) => ({ c, amount: c.billed - standing(c).earned }))
    if (kind === 'changed') {
      // the next invoice takes what no note can
      let over = total(lost.map(({ amount }) => amount)) - exact
      for (const its of lost.toReversed()) {
        const kept = its.amount > 0n && over > 0n ? least(its.amount, over) : 0n
        its.amount -= kept
        over -= kept
      }
      const taken = total(lost.map(({ amount }) => amount))
      const stays = totalsOf(of, one, exact - taken)
      refuseIf(taken === 0n || net === stays.net, 'nothing_to_credit')
      exact = taken
      vat -= stays.vat
      net -= stays.net
    }
    refuseIf(kind === 'whole' && net + vat <= 0n, 'nothing_to_credit')
    if (kind === 'changed') {
      for (const { c, amount } of lost.filter((its) => its.amount !== 0n)) {
        one.lines.push({ adjustment: false, about: c.click, amount: -amount, seen: c.worths.length })
        c.billed -= amount
      }
    } else {
      for (const line of one.lines) if (!line.adjustment) of.conversions.get(line.about)!.billed -= line.amount
      one.lines = []
    }
    one.creditedNet += net
    one.creditedVat += vat
    const sum = net + vat
    // first what is open, then what was given up; the rest was paid and is prepaid from here on
    const fromOpen = least(sum, one.open)
    const fromLoss = least(sum - fromOpen, one.writtenOff)
    const excess = sum - fromOpen - fromLoss
    for (const [account, amount] of [
      [owed, fromOpen],
      [['advertiser_write_off', advertiser] as [string, number], fromLoss],
      [prepaid, excess],
    ] as const)
      splitCredit(account, amount)
    move(books, currency, ['receivable', advertiser], ['transition', 0], exact)
    move(books, currency, ['vat_output', 0], ['transition', 0], vat)
    move(books, currency, ['rounding', 0], ['transition', 0], net - exact)
    one.open -= fromOpen
    one.writtenOff -= fromLoss
    one.credited += sum
    free(of, one, excess)
    if (sum < 0n) offset(of, one)
    follow(one)
  }

  function splitCredit(account: [string, number], amount: bigint): void {
    move(books, currency, ['transition', 0], account, amount)
  }
}

/** So much of what paid an invoice is free again: prepaid money first, the latest first, then receipts. */
function free(model: Model, bill: Bill, amount: bigint): void {
  let left = amount
  for (const offset of model.billOffsets.toReversed()) {
    if (left === 0n) break
    if (offset.back || offset.bill !== bill.uuid) continue
    const back = least(offset.amount, left)
    offset.back = true
    // what of it stays used is used anew
    if (back < offset.amount) model.billOffsets.push({ bill: bill.uuid, amount: offset.amount - back, back: false })
    bill.offset -= back
    left -= back
  }
  for (const part of model.receiptParts.toReversed()) {
    if (left === 0n) break
    if (part.bill !== bill.uuid || part.amount === 0n) continue
    const back = least(part.amount, left)
    part.amount -= back
    bill.received -= back
    left -= back
  }
  if (left !== 0n) throw new Error('the model freed more than was paid')
}

/** An issued invoice is what its sums say. */
export function follow(bill: Bill): void {
  const paid = bill.received + bill.offset > 0n
  if (bill.open > 0n) bill.status = paid ? 'partly_paid' : 'issued'
  else if (bill.writtenOff > 0n) bill.status = 'written_off'
  else bill.status = paid ? 'paid' : 'credited'
}
