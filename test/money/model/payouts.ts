import type { Ask } from '../ask.ts'
import { move, parse, Refused, refuseIf, round, share, total } from './books.ts'
import { isCallAgain } from './calls.ts'
import { available, isBeyond, owedTo } from './available.ts'
import { makeDraft, stepped } from './invoices.ts'
import { follow, reopen, sent } from './payments.ts'
import type { By, Invoice, Model, Payment, Request } from './state.ts'

/** Who would be in a file. */
export function dueIn(
  model: Model,
  currency: string,
  affiliates: readonly number[],
  owing: readonly number[],
): { affiliate: number; invoices: Invoice[]; amount: bigint; charged: bigint; leavesDebt: boolean }[] {
  const due = [...model.invoices.values()].filter(
    (one) =>
      (one.status === 'approved' || one.status === 'partly_paid') &&
      one.currency === currency &&
      one.open > 0n &&
      (affiliates.length === 0 || affiliates.includes(one.affiliate)) &&
      !one.payments.some(({ state }) => state === 'planned' || state === 'sent'),
  )
  return [...Map.groupBy(due, ({ affiliate }) => affiliate)].flatMap(([affiliate, invoices]) => {
    const amount = total(invoices.map(({ open }) => open))
    const fee = model.feeOf(affiliate)
    const decimals = model.decimals(currency)
    const charged = fee === null ? 0n : round(parse(fee.fixed), decimals) + share(amount, fee.percent, decimals)
    // who bears more than there is gets nothing
    if (fee !== null && charged >= amount) return []
    // nor is more paid than is owed with debts taken off, unless somebody says so
    const leavesDebt = isBeyond(model, affiliate, currency, amount)
    return leavesDebt && !owing.includes(affiliate) ? [] : [{ affiliate, invoices, amount, charged, leavesDebt }]
  })
}

export function makeFile(
  model: Model,
  by: By,
  made: { uuid: string; payouts: { uuid: string; affiliate: number }[] },
  ask: { key: string; currency: string; affiliates: number[]; owing: number[] },
): void {
  if (isCallAgain(model, by, ask.key)) return
  model.calls.set(ask.key, by.account)
  const due = dueIn(model, ask.currency, ask.affiliates, ask.owing)
  refuseIf(due.length === 0, 'nothing_to_pay')
  model.files.set(made.uuid, { uuid: made.uuid, state: 'draft', releasedBy: null })
  for (const { affiliate, invoices, amount, charged, leavesDebt } of due) {
    const payout = made.payouts.find((one) => one.affiliate === affiliate)?.uuid ?? ''
    model.payouts.set(payout, { file: made.uuid, affiliate, currency: ask.currency, state: 'planned', amount, charged, leavesDebt })
    for (const invoice of invoices) {
      invoice.payments.push({ amount: invoice.open, onInvoice: invoice.open, state: 'planned', key: '', payout, by: null })
      invoice.planned += invoice.open
      invoice.open = 0n
      follow(model, invoice)
      stepped(invoice, 'payment_planned', by)
    }
  }
}

/** A file is released, taken back, or ended before it was released. */
export function stepFile(model: Model, by: By, ask: Extract<Ask, { file: string }>): void {
  const file = model.files.get(ask.file)!
  const own = [...model.payouts].filter(([, { file: its, state }]) => its === file.uuid && state !== 'cancelled')
  if (ask.do === 'cancel file') {
    if (file.state === 'cancelled') return
    refuseIf(file.state !== 'draft', 'status_not_allowed')
    for (const [uuid] of own) end(model, by, uuid, 'cancelled')
    file.state = 'cancelled'
  } else if (ask.do === 'release file') {
    if (file.state === 'released' && file.releasedBy === by.account) return
    refuseIf(file.state !== 'draft', 'status_not_allowed')
    refuseIf(own.length === 0, 'nothing_to_pay')
    // to whom less is owed by now is taken off, and it is looked at again
    const owing = own.filter(([, { leavesDebt, affiliate, currency }]) => !leavesDebt && isBeyond(model, affiliate, currency, 0n))
    for (const [uuid] of owing) end(model, by, uuid, 'cancelled')
    if (owing.length > 0) return
    for (const [uuid] of own) end(model, by, uuid, 'sent')
    Object.assign(file, { state: 'released', releasedBy: by.account })
  } else {
    if (file.state === 'recalled') return
    refuseIf(file.state !== 'released', 'status_not_allowed')
    refuseIf(file.releasedBy === by.account, 'four_eyes')
    refuseIf(own.length === 0 || own.some(([, { state }]) => state !== 'sent'), 'status_not_allowed')
    for (const [uuid] of own) end(model, by, uuid, 'failed')
    file.state = 'recalled'
  }
}

/** What became of one transfer. */
export function result(model: Model, by: By, ask: Extract<Ask, { do: 'result' }>): void {
  const payout = model.payouts.get(ask.payout)!
  const said = JSON.stringify([by.account, ask])
  if (payout.said === said) return
  const may = (payout.state === 'sent' && ask.becomes !== 'returned') || (payout.state === 'settled' && ask.becomes === 'returned')
  refuseIf(!may, 'status_not_allowed')
  const fee = parse(ask.fee)
  refuseIf(round(fee, model.decimals(payout.currency)) !== fee || fee > payout.amount, 'invalid_input')
  end(model, by, ask.payout, ask.becomes)
  move(model.books, payout.currency, ['bank_fee', model.source], ['cash', model.source], fee)
  payout.said = said
}

function end(model: Model, by: By, uuid: string, to: Exclude<Payment['state'], 'planned'>): void {
  const payout = model.payouts.get(uuid)!
  const { affiliate, currency, amount, charged } = payout
  const transit: [string, number] = ['affiliate_transit', affiliate]
  const cash: [string, number] = ['cash', model.source]
  const fee: [string, number] = ['bank_fee', model.source]
  if (to === 'settled') {
    move(model.books, currency, transit, cash, amount - charged)
    move(model.books, currency, transit, fee, charged)
  }
  payout.state = to
  let returned = 0n
  for (const invoice of model.invoices.values()) {
    const part = invoice.payments.find((one) => one.payout === uuid)
    if (part === undefined) continue
    const was = part.state
    const { onInvoice } = part
    // what a note took off the invoice meanwhile is prepaid
    const excess = part.amount - onInvoice
    part.state = to
    if (to === 'failed' || to === 'returned') reopen(model, invoice, excess)
    if (was === 'planned') invoice.planned -= onInvoice
    if (was === 'sent') invoice.sent -= onInvoice
    if (was === 'settled') invoice.paid -= onInvoice
    if (to === 'sent') {
      invoice.sent += onInvoice
      sent(model, invoice, onInvoice, excess)
    } else if (to === 'settled') invoice.paid += onInvoice
    else invoice.open += onInvoice
    if (to === 'failed') sent(model, invoice, -onInvoice, -excess)
    if (to === 'returned') {
      move(model.books, currency, cash, ['affiliate_invoiced', affiliate], onInvoice)
      move(model.books, currency, cash, ['affiliate_prepaid', affiliate], excess)
      returned += part.amount
    }
    follow(model, invoice)
    stepped(invoice, `payment_${to}`, by)
  }
  // what the affiliate bore never left
  if (returned > 0n) move(model.books, currency, fee, cash, charged)
}

export function request(model: Model, uuid: string, affiliate: number, currency: string): void {
  const isOpen = [...model.requests.values()].some(
    (one) => one.affiliate === affiliate && one.currency === currency && one.state === 'open',
  )
  refuseIf(isOpen, 'request_open')
  const there = owedTo(model, affiliate, currency)
  refuseIf(there <= 0n, 'below_minimum')
  model.requests.set(uuid, { affiliate, currency, amount: there, state: 'open', invoice: null })
}

/** The open request an invoice of so much would answer, being of what was asked for or of all there is; `short` of both. */
export function answeredBy(model: Model, affiliate: number, currency: string, worth: bigint): Request | 'short' | undefined {
  const open = [...model.requests.values()].find((one) => one.affiliate === affiliate && one.currency === currency && one.state === 'open')
  if (open === undefined) return undefined
  const decimals = model.decimals(currency)
  return round(worth, decimals) >= round(open.amount, decimals) || worth >= owedTo(model, affiliate, currency) ? open : 'short'
}

export function stepRequest(
  model: Model,
  by: By,
  ask: Extract<Ask, { request: string }>,
  made: { uuid: string; affiliate: number; currency: string } | undefined,
): void {
  const found = model.requests.get(ask.request)!
  const to = ask.do === 'withdraw' ? 'withdrawn' : ask.do === 'accept' ? 'accepted' : 'declined'
  if (found.state === to) return
  if (found.state !== 'open') throw new Refused('status_not_allowed')
  if (ask.do === 'accept') {
    const { affiliate, currency } = found
    const what = available(model, affiliate, currency, by.now, Infinity)
    const endOfDay = Math.floor(by.now / 86_400_000 + 1) * 86_400_000
    makeDraft(model, by, made ?? { uuid: '', affiliate, currency }, what, endOfDay)
    found.invoice = made?.uuid ?? ''
  }
  found.state = to
}
