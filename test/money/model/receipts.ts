import type { Ask, Part } from '../ask.ts'
import { follow, stepped } from './bills.ts'
import { balance, least, move, parse, refuseIf, round, total } from './books.ts'
import { isCallAgain } from './calls.ts'
import { exchange, landing, moveExchange } from './exchange.ts'
import type { By, Model, Receipt } from './state.ts'

const issuedOf = (model: Model, advertiser: number, currency: string) =>
  [...model.bills.values()].filter((bill) => bill.advertiser === advertiser && bill.currency === currency && bill.status !== 'draft')

/** Gives a receipt to invoices: what is open of each, or what was given up. */
function payParts(model: Model, by: By, receipt: Receipt, parts: readonly { bill: string; amount: bigint }[], there: bigint) {
  const wanted = parts.filter(({ amount }) => amount > 0n)
  refuseIf(total(wanted.map(({ amount }) => amount)) > there, 'invalid_input')
  refuseIf(
    wanted.some(({ amount }) => round(amount, model.decimals(receipt.currency)) !== amount),
    'invalid_input',
  )
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
  if (isCallAgain(model, by, key)) return
  const amount = parse(ask.amount)
  refuseIf(amount <= 0n || round(amount, model.decimals(currency)) !== amount, 'invalid_input')
  const its = exchange(model, amount, currency, ask.moved, dayOf(by))
  const receipt: Receipt = { uuid: made, advertiser, currency, amount, paidBack: 0n, state: 'booked', revision: 1, key, by: its }
  model.receipts.set(made, receipt)
  model.calls.set(key, by.account)
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
  const cash = landing(model, its)
  move(model.books, currency, cash, ['advertiser_invoiced', advertiser], paid)
  move(model.books, currency, cash, ['advertiser_write_off', advertiser], recovered)
  move(model.books, currency, cash, ['advertiser_prepaid', advertiser], amount - paid - recovered)
  moveExchange(model.books, model.source, its, 1n)
}

const dayOf = ({ now }: By) => new Date(now).toISOString().slice(0, 10)

/** What is said of a booked receipt later. */
export function stepReceipt(model: Model, by: By, ask: Extract<Ask, { receipt: string }>): void {
  const receipt = model.receipts.get(ask.receipt)!
  const { advertiser, currency, amount } = receipt
  const owed: [string, number] = ['advertiser_invoiced', advertiser]
  const loss: [string, number] = ['advertiser_write_off', advertiser]
  const prepaid: [string, number] = ['advertiser_prepaid', advertiser]
  const cash = landing(model, receipt.by)
  const unused = () => -balance(model.books, 'advertiser_prepaid', advertiser, currency)
  const said = JSON.stringify([by.account, ask])
  if (receipt.revision === ask.revision + 1 && receipt.said === said) return
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
    refuseIf((receipt.by?.currency ?? null) !== (ask.moved?.currency ?? null), 'invalid_input')
    const its = exchange(model, back, currency, ask.moved, dayOf(by))
    moveExchange(model.books, model.source, its, -1n)
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
    moveExchange(model.books, model.source, receipt.by, -1n)
  }
  receipt.revision++
  receipt.said = said
}
