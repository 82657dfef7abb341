import type { Ask, Part } from '../ask.ts'
import { balance, least, move, parse, Refused, refuseIf, round, share, total } from './books.ts'
import { standing } from './conversions.ts'
import type { By } from './invoices.ts'
import type { Model } from './model.ts'

/** What an advertiser is asked to pay: `about` is a click, or a number of an adjustment. */
type Line = { adjustment: boolean; about: number; amount: bigint }
export type Bill = {
  uuid: string
  serial: number
  advertiser: number
  currency: string
  status: 'draft' | 'issued' | 'partly_paid' | 'paid' | 'credited' | 'written_off'
  deleted: boolean
  until: number
  due: string
  revision: number
  last: { event: string; revision: number; by: number }
  lines: Line[]
  net: bigint
  vat: bigint
  total: bigint
  open: bigint
  received: bigint
  offset: bigint
  credited: bigint
  writtenOff: bigint
  creditedNet: bigint
  creditedVat: bigint
}
export type BillAdjustment = { advertiser: number; currency: string; amount: bigint; gone: boolean }
export type BillOffset = { bill: string; amount: bigint; back: boolean }
export type ReceiptPart = { receipt: string; bill: string; amount: bigint; recovered: boolean }
export type Receipt = {
  uuid: string
  advertiser: number
  currency: string
  amount: bigint
  paidBack: bigint
  state: 'booked' | 'bounced'
  revision: number
  key: string
}

const drafted = (model: Model, adjustment: boolean, about: number) =>
  [...model.bills.values()].some(
    (bill) => bill.status === 'draft' && !bill.deleted && bill.lines.some((line) => line.adjustment === adjustment && line.about === about),
  )
/** An adjustment stays with the invoice it stood on, until a credit note frees it. */
const isTaken = (model: Model, about: number) =>
  [...model.bills.values()].some((bill) => !bill.deleted && bill.lines.some((line) => line.adjustment && line.about === about))

function takeLines(model: Model, bill: Bill): void {
  const includesHold = model.includesHold(bill.advertiser)
  for (const one of model.conversions.values()) {
    const { earned } = standing(one)
    const isOwn = one.terms.advertiser === bill.advertiser && one.terms.currency === bill.currency && one.createdAt < bill.until
    if (!isOwn || earned === one.billed || drafted(model, false, one.click)) continue
    if (one.status === 'hold' && one.billed === 0n && !includesHold) continue
    bill.lines.push({ adjustment: false, about: one.click, amount: earned - one.billed })
  }
  for (const [at, one] of model.billAdjustments.entries())
    if (one.advertiser === bill.advertiser && one.currency === bill.currency && !one.gone && !isTaken(model, at))
      bill.lines.push({ adjustment: true, about: at, amount: one.amount })
}

function recompute(model: Model, bill: Bill): void {
  for (const line of bill.lines) {
    const one = line.adjustment ? undefined : model.conversions.get(line.about)
    if (one !== undefined) line.amount = standing(one).earned - one.billed
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

const STEPS: Record<string, { event: string; from: string[]; again: boolean }> = {
  rebill: { event: 'refreshed', from: ['draft'], again: true },
  'take off bill': { event: 'lines_removed', from: ['draft'], again: false },
  'adjust bill': { event: 'adjusted', from: ['draft'], again: false },
  'remove bill': { event: 'deleted', from: ['draft'], again: true },
  issue: { event: 'issued', from: ['draft'], again: true },
  credit: { event: 'credited', from: ['issued', 'partly_paid', 'paid'], again: true },
  'write off': { event: 'written_off', from: ['issued', 'partly_paid'], again: true },
}

export type BillAsk = Extract<Ask, { do: 'rebill' | 'take off bill' | 'adjust bill' | 'remove bill' | 'issue' | 'credit' | 'write off' }>

export function stepBill(model: Model, by: By, ask: BillAsk): void {
  const bill = model.bills.get(ask.invoice)!
  const step = STEPS[ask.do]!
  if (bill.revision !== ask.revision) {
    const { last } = bill
    const same = last.event === step.event && last.revision === ask.revision && last.by === by.account
    if (step.again && same && bill.revision === ask.revision + 1) return
    throw new Refused('invoice_changed')
  }
  refuseIf(bill.deleted, 'not_found')
  if (!step.from.includes(bill.status))
    throw new Refused(bill.status !== 'draft' && step.from.includes('draft') ? 'issued_is_final' : 'status_not_allowed')
  take(model, bill, ask)
  stepped(bill, step.event, by)
}

function stepped(bill: Bill, event: string, { account }: By): void {
  bill.last = { event, revision: bill.revision, by: account }
  bill.revision++
}

function take(model: Model, bill: Bill, ask: BillAsk): void {
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
      const isAsked = (one: Line) => ask.lines.some((line) => (one.adjustment ? line.adjustment === one.about : line.click === one.about))
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
      const about = model.billAdjustments.push({ advertiser, currency, amount, gone: false }) - 1
      bill.lines.push({ adjustment: true, about, amount })
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
    for (const { adjustment, about, amount } of one.lines) if (!adjustment) of.conversions.get(about)!.billed += amount
    move(books, currency, owed, ['receivable', advertiser], exact)
    move(books, currency, owed, ['vat_output', 0], totals.vat)
    move(books, currency, owed, ['rounding', 0], totals.net - exact)
    const used = least(-balance(books, 'advertiser_prepaid', advertiser, currency), totals.total)
    if (used > 0n) of.billOffsets.push({ bill: one.uuid, amount: used, back: false })
    move(books, currency, prepaid, owed, used)
    Object.assign(one, totals, { open: totals.total - used, offset: used, status: 'issued' })
    follow(one)
  }

  function credit(of: Model, one: Bill, kind: 'whole' | 'changed'): void {
    let net = one.net - one.creditedNet
    let vat = one.vat - one.creditedVat
    let exact = exactOf(one)
    const about = new Set(one.lines.flatMap((line) => (line.adjustment ? [] : line.about)))
    const lost = [...about]
      .map((click) => of.conversions.get(click)!)
      .filter((c) => standing(c).earned < c.billed && !drafted(of, false, c.click))
    if (kind === 'changed') {
      exact = total(lost.map((c) => c.billed - standing(c).earned))
      const sums = totalsOf(of, one, exact)
      refuseIf(sums.net <= 0n, 'nothing_to_credit')
      refuseIf(sums.net > net, 'status_not_allowed')
      vat = least(vat, sums.vat)
      net = sums.net
    }
    refuseIf(net + vat <= 0n, 'nothing_to_credit')
    if (kind === 'changed') {
      for (const c of lost) {
        one.lines.push({ adjustment: false, about: c.click, amount: standing(c).earned - c.billed })
        c.billed = standing(c).earned
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
function follow(bill: Bill): void {
  const paid = bill.received + bill.offset > 0n
  if (bill.open > 0n) bill.status = paid ? 'partly_paid' : 'issued'
  else if (bill.writtenOff > 0n) bill.status = 'written_off'
  else bill.status = paid ? 'paid' : 'credited'
}

const issuedOf = (model: Model, advertiser: number, currency: string) =>
  [...model.bills.values()].filter((bill) => bill.advertiser === advertiser && bill.currency === currency && bill.status !== 'draft')

/** Gives a receipt to invoices: what is open of each, or what was given up. */
function payParts(model: Model, by: By, receipt: Receipt, parts: readonly { bill: string; amount: bigint }[], there: bigint) {
  const wanted = parts.filter(({ amount }) => amount > 0n)
  refuseIf(total(wanted.map(({ amount }) => amount)) > there, 'invalid_input')
  const own = issuedOf(model, receipt.advertiser, receipt.currency)
  refuseIf(
    wanted.some(({ bill }) => !own.some(({ uuid }) => uuid === bill)),
    'invalid_input',
  )
  const paid = { paid: 0n, recovered: 0n }
  const inOrder = own.flatMap((bill) => wanted.filter((one) => one.bill === bill.uuid).map(({ amount }) => ({ bill, amount })))
  for (const { bill, amount } of inOrder) {
    const recovered = bill.open === 0n && bill.writtenOff > 0n
    refuseIf(amount > (recovered ? bill.writtenOff : bill.open), 'invalid_input')
    model.receiptParts.push({ receipt: receipt.uuid, bill: bill.uuid, amount, recovered })
    bill.received += amount
    if (recovered) bill.writtenOff -= amount
    else bill.open -= amount
    paid[recovered ? 'recovered' : 'paid'] += amount
    follow(bill)
    stepped(bill, recovered ? 'recovered' : 'received', by)
  }
  return paid
}

function release(model: Model, by: By, receipt: Receipt, alsoRecovered: boolean) {
  const sum = { paid: 0n, recovered: 0n }
  for (const part of model.receiptParts.filter((one) => one.receipt === receipt.uuid && one.amount > 0n)) {
    sum[part.recovered ? 'recovered' : 'paid'] += part.amount
    if (part.recovered && !alsoRecovered) continue
    const bill = model.bills.get(part.bill)!
    bill.received -= part.amount
    if (part.recovered) bill.writtenOff += part.amount
    else bill.open += part.amount
    part.amount = 0n
    follow(bill)
    stepped(bill, 'released', by)
  }
  return sum
}

const asParts = (parts: readonly Part[]) => parts.map(({ invoice_uuid, amount }) => ({ bill: invoice_uuid, amount: parse(amount) }))

/** No. 28 and 30. */
export function receive(model: Model, by: By, made: string, ask: Extract<Ask, { do: 'receive' }>, advertiser: number): void {
  const { currency, key } = ask
  const known = [...model.receipts.values()].find((one) => one.key === key)
  if (known !== undefined) return
  const amount = parse(ask.amount)
  refuseIf(amount <= 0n || round(amount, model.decimals(currency)) !== amount, 'invalid_input')
  const receipt: Receipt = { uuid: made, advertiser, currency, amount, paidBack: 0n, state: 'booked', revision: 1, key }
  model.receipts.set(made, receipt)
  let left = amount
  const oldest = issuedOf(model, advertiser, currency)
    .filter(({ open }) => open > 0n)
    .toSorted((one, other) => (one.due === other.due ? one.serial - other.serial : one.due < other.due ? -1 : 1))
    .map((bill) => {
      const part = least(left, bill.open)
      left -= part
      return { bill: bill.uuid, amount: part }
    })
  const { paid, recovered } = payParts(model, by, receipt, ask.parts === null ? oldest : asParts(ask.parts), amount)
  const cash: [string, number] = ['cash', model.source]
  move(model.books, currency, cash, ['advertiser_invoiced', advertiser], paid)
  move(model.books, currency, cash, ['advertiser_write_off', advertiser], recovered)
  move(model.books, currency, cash, ['advertiser_prepaid', advertiser], amount - paid - recovered)
}

/** What is said of a booked receipt later. */
export function stepReceipt(model: Model, by: By, ask: Extract<Ask, { receipt: string }>): void {
  const receipt = model.receipts.get(ask.receipt)!
  const { advertiser, currency, amount } = receipt
  const owed: [string, number] = ['advertiser_invoiced', advertiser]
  const loss: [string, number] = ['advertiser_write_off', advertiser]
  const prepaid: [string, number] = ['advertiser_prepaid', advertiser]
  const cash: [string, number] = ['cash', model.source]
  const unused = () => -balance(model.books, 'advertiser_prepaid', advertiser, currency)
  refuseIf(receipt.revision !== ask.revision, 'conflict')
  refuseIf(receipt.state !== 'booked', 'status_not_allowed')
  if (ask.do === 'allot') {
    const released = release(model, by, receipt, false)
    move(model.books, currency, owed, prepaid, released.paid)
    const { paid, recovered } = payParts(model, by, receipt, asParts(ask.parts), amount - receipt.paidBack - released.recovered)
    move(model.books, currency, prepaid, owed, paid)
    move(model.books, currency, prepaid, loss, recovered)
    // what another invoice has used is not there
    refuseIf(unused() < 0n, 'invalid_input')
  } else if (ask.do === 'pay back') {
    const back = parse(ask.amount)
    refuseIf(receipt.paidBack > 0n, 'status_not_allowed')
    refuseIf(back <= 0n || round(back, model.decimals(currency)) !== back, 'invalid_input')
    const onInvoices = total(model.receiptParts.filter((one) => one.receipt === receipt.uuid).map((one) => one.amount))
    refuseIf(back > amount - onInvoices || back > unused(), 'invalid_input')
    receipt.paidBack = back
    move(model.books, currency, prepaid, cash, back)
  } else {
    refuseIf(receipt.paidBack > 0n, 'status_not_allowed')
    const { paid, recovered } = release(model, by, receipt, true)
    const advance = amount - paid - recovered
    for (const offset of model.billOffsets.toReversed()) {
      const bill = model.bills.get(offset.bill)!
      if (unused() >= advance) break
      if (offset.back || bill.advertiser !== advertiser || bill.currency !== currency) continue
      offset.back = true
      bill.offset -= offset.amount
      bill.open += offset.amount
      move(model.books, currency, owed, prepaid, offset.amount)
      follow(bill)
      stepped(bill, 'offset_back', by)
    }
    receipt.state = 'bounced'
    move(model.books, currency, owed, cash, paid)
    move(model.books, currency, loss, cash, recovered)
    move(model.books, currency, prepaid, cash, advance)
  }
  receipt.revision++
}
