import type { Ask } from '../ask.ts'
import { available, isBeyond, isUnissued, liveLines, owedTo, worthOf, type Available } from './available.ts'
import { balance, least, move, parse, Refused, refuseIf, round, share, total } from './books.ts'
import { isCallAgain } from './calls.ts'
import { bookLines, standing } from './conversions.ts'
import { exchange, tellVat } from './exchange.ts'
import { arrived, follow, giveBack, givenBack, reopen, reopenRequest, sent, takeBack, underWay } from './payments.ts'
import type { By, Conversion, Invoice, Line, Model, Payment } from './state.ts'

const ISSUED = ['approved', 'partly_paid', 'paid', 'cancelled']

/** A draft of available things. */
export function makeDraft(
  model: Model,
  by: By,
  made: { uuid: string; affiliate: number; currency: string },
  what: Available,
  until: number,
): void {
  const net = round(worthOf(model, what), model.decimals(made.currency))
  refuseIf(what.fresh.length + what.changed.length + what.adjustments.length === 0 || net < 0n, 'nothing_to_invoice')
  // conversions alone that come to nothing could be neither sent nor paid
  refuseIf(what.changed.length + what.adjustments.length === 0 && net === 0n, 'nothing_to_invoice')
  const nothing = { net: 0n, vat: 0n, total: 0n, open: 0n, planned: 0n, sent: 0n, paid: 0n, offset: 0n, creditedNet: 0n, creditedVat: 0n }
  const last = { event: 'made', revision: 1, by: by.account }
  const invoice: Invoice = { ...made, status: 'draft', deleted: false, until, revision: 2, last, lines: [], ...nothing, payments: [] }
  model.invoices.set(made.uuid, invoice)
  relined(model, invoice, () => putOn(model, invoice, what))
}

function putOn(model: Model, invoice: Invoice, { fresh, changed, adjustments }: Available): void {
  for (const one of fresh) {
    invoice.lines.push({ kind: 'conversion', about: one.click, amount: one.payout, seen: one.worths.length })
    become(model, one, { state: 'invoiced', invoiced: one.payout })
  }
  for (const { one, due } of changed) {
    const { payable, seen } = due
    invoice.lines.push({ kind: 'correction', about: one.click, amount: payable - one.invoiced, seen })
    become(model, one, { invoiced: payable })
  }
  for (const at of adjustments) {
    const { amount } = model.adjustments[at]!
    invoice.lines.push({ kind: 'adjustment', about: at, amount, seen: 0 })
    moveAdjustment(model, at, amount)
  }
}

function become(model: Model, before: Conversion, changes: Partial<Conversion>): void {
  const after = { ...before, ...changes }
  model.conversions.set(before.click, after)
  bookLines(model.books, before, after)
}

/** No. 14: from the account of its kind onto invoices; below zero it is taken off again. */
function moveAdjustment(model: Model, at: number, amount: bigint): void {
  const { affiliate, currency, kind } = model.adjustments[at]!
  move(model.books, currency, [`affiliate_${kind}`, affiliate], ['affiliate_invoiced', affiliate], amount)
}

/** Whatever happens to its lines, its sums follow, and what rounding leaves is the network's. */
function relined(model: Model, invoice: Invoice, change: () => void): void {
  const before = total(invoice.lines.map(({ amount }) => amount))
  change()
  const after = total(invoice.lines.map(({ amount }) => amount))
  const decimals = model.decimals(invoice.currency)
  const net = round(after, decimals)
  refuseIf(net < 0n, 'invalid_input')
  move(model.books, invoice.currency, ['rounding', 0], ['affiliate_invoiced', invoice.affiliate], net - invoice.net - (after - before))
  const vat = share(net, model.vatOf(invoice.affiliate), decimals)
  Object.assign(invoice, { net, vat, total: net + vat, open: net })
}

/** Lines that end free what they are about: a conversion is open again where no other line is about it. */
function freeLine(model: Model, invoice: Invoice, line: Line): void {
  invoice.lines.splice(invoice.lines.indexOf(line), 1)
  if (line.kind === 'adjustment') return moveAdjustment(model, line.about, -line.amount)
  const one = model.conversions.get(line.about)!
  const others = liveLines(model, line.about).length > 0
  const left = line.kind === 'conversion' ? 'invoiced' : one.state
  become(model, one, { invoiced: one.invoiced - line.amount, state: others ? left : 'open' })
}

/** No. 17 and 18: all of it, and the remainder too. */
function freeAll(model: Model, invoice: Invoice): void {
  const exact = total(invoice.lines.map(({ amount }) => amount))
  const net = invoice.net - invoice.creditedNet
  move(model.books, invoice.currency, ['rounding', 0], ['affiliate_invoiced', invoice.affiliate], exact - net)
  for (const line of invoice.lines.slice()) freeLine(model, invoice, line)
}

/** Whether something on it has become something else since. */
const hasChanged = (model: Model, { lines }: Invoice) =>
  lines.some(({ kind, about }) => {
    const one = kind === 'adjustment' ? undefined : model.conversions.get(about)
    return one !== undefined && standing(one).payable !== one.invoiced
  })

type Step = { event: string; from: readonly string[]; again?: (invoice: Invoice) => boolean; everything?: true }
const UNISSUED = ['draft', 'waiting']
const PAYABLE = ['approved', 'partly_paid']

const STEPS: Record<string, Step> = {
  add: { event: 'lines_added', from: UNISSUED },
  refresh: { event: 'refreshed', from: UNISSUED },
  'take off': { event: 'lines_removed', from: UNISSUED, everything: true },
  adjust: { event: 'adjusted', from: UNISSUED, everything: true },
  send: { event: 'sent', from: ['draft'] },
  'take back': { event: 'taken_back', from: ['waiting'] },
  approve: { event: 'approved', from: ['waiting'] },
  decline: { event: 'declined', from: ['waiting'] },
  remove: { event: 'deleted', from: ['draft', 'waiting', 'declined'] },
  cancel: { event: 'cancelled', from: ['approved', 'paid', 'partly_paid'] },
  'credit changes': { event: 'changes_credited', from: [...PAYABLE, 'paid'] },
  settle: { event: 'payment_settled', from: [...PAYABLE, 'paid'] },
  fail: { event: 'payment_failed', from: [...PAYABLE, 'paid'] },
}

type InvoiceAsk = Extract<Ask, { do: keyof typeof STEPS | 'pay' | 'give back' }> & { invoice: string; revision: number }

/** One step of an invoice's life: whoever saw an older one is refused, unless it is the very step that was taken. */
export function stepInvoice(model: Model, by: By, ask: InvoiceAsk): void {
  const invoice = model.invoices.get(ask.invoice)!
  const step: Step =
    ask.do === 'pay'
      ? {
          event: ask.settled ? 'payment_settled' : 'payment_sent',
          from: [...PAYABLE, 'paid'],
          again: () => isCallAgain(model, by, ask.key),
        }
      : ask.do === 'give back'
        ? givenBack(ask)
        : STEPS[ask.do]!
  if (invoice.revision !== ask.revision) {
    const { last } = invoice
    const same =
      last.event === step.event && last.revision === ask.revision && last.by === by.account && invoice.revision === ask.revision + 1
    const saidSo = step.everything !== true || last.said === JSON.stringify(ask)
    if (step.again === undefined ? same && saidSo : step.again(invoice)) return
    throw new Refused('invoice_changed')
  }
  refuseIf(invoice.deleted, 'not_found')
  if (!step.from.includes(invoice.status))
    throw new Refused(ISSUED.includes(invoice.status) && step.from.includes('draft') ? 'issued_is_final' : 'status_not_allowed')
  take(model, by, invoice, ask)
  stepped(invoice, step.event, by, ask)
}

/** Every change counts up the revision and is remembered. */
export function stepped(invoice: Invoice, event: string, { account }: By, ask: object = {}): void {
  invoice.last = { event, revision: invoice.revision, by: account, said: JSON.stringify(ask) }
  invoice.revision++
}

function take(model: Model, by: By, invoice: Invoice, ask: InvoiceAsk): void {
  const { books } = model
  const { affiliate, currency } = invoice
  const decimals = model.decimals(currency)
  switch (ask.do) {
    case 'add': {
      const what = available(model, affiliate, currency, invoice.until, invoice.until)
      refuseIf(what.fresh.length + what.changed.length + what.adjustments.length === 0, 'nothing_to_invoice')
      return relined(model, invoice, () => putOn(model, invoice, what))
    }
    case 'refresh':
      return relined(model, invoice, () => refresh(model, invoice))
    case 'take off': {
      const gone = invoice.lines.filter(({ kind, about }) =>
        ask.lines.some((line) => (kind === 'adjustment' ? line.adjustment === about : line.click === about)),
      )
      relined(model, invoice, () => {
        for (const line of gone) freeLine(model, invoice, line)
      })
      // what stood beside conversions ends
      for (const { kind, about, amount } of gone) {
        if (kind !== 'adjustment') continue
        const adjustment = model.adjustments[about]!
        move(books, currency, [`${adjustment.kind}_cost`, affiliate], [`affiliate_${adjustment.kind}`, affiliate], -amount)
        adjustment.gone = true
      }
      return
    }
    case 'adjust': {
      const amount = parse(ask.amount)
      refuseIf(amount === 0n || (ask.kind === 'bonus' && amount < 0n) || round(amount, decimals) !== amount, 'invalid_input')
      const at = model.adjustments.push({ affiliate, currency, kind: ask.kind, amount, gone: false, at: by.now }) - 1
      move(books, currency, [`${ask.kind}_cost`, affiliate], [`affiliate_${ask.kind}`, affiliate], amount)
      return relined(model, invoice, () => putOn(model, invoice, { fresh: [], changed: [], adjustments: [at] }))
    }
    case 'send':
      refuseIf(invoice.net <= 0n, 'nothing_to_invoice')
      invoice.status = 'waiting'
      return
    case 'take back':
      invoice.status = 'draft'
      return
    case 'approve': {
      refuseIf(invoice.net <= 0n, 'nothing_to_invoice')
      refuseIf(!ask.leave && hasChanged(model, invoice), 'lines_changed')
      refuseIf(!ask.owing && owedTo(model, affiliate, currency) < 0n, 'affiliate_owes')
      tellVat(invoice.vat, currency, by.now)
      // a correction of an invoice that was taken back since is what its conversion stands on
      for (const line of invoice.lines)
        if (line.kind === 'correction' && !liveLines(model, line.about).some((one) => one.line.kind === 'conversion'))
          line.kind = 'conversion'
      move(books, currency, ['vat_input', 0], ['affiliate_invoiced', affiliate], invoice.vat)
      invoice.open = invoice.total
      offset(model, invoice)
      return follow(model, invoice)
    }
    case 'decline':
      freeAll(model, invoice)
      return void Object.assign(invoice, { status: 'declined', open: 0n })
    case 'remove':
      if (invoice.status !== 'declined') [freeAll, reopenRequest].forEach((work) => work(model, invoice))
      return void Object.assign(invoice, { deleted: true, open: 0n })
    case 'cancel':
      refuseIf(invoice.planned + invoice.sent + invoice.paid > 0n, 'paid_already')
      // one of which notes made all prepaid has nothing on it any more
      refuseIf(
        invoice.payments.some(({ state }) => state === 'planned' || state === 'sent'),
        'paid_already',
      )
      refuseIf(invoice.net + invoice.vat === invoice.creditedNet + invoice.creditedVat, 'nothing_to_credit')
      for (const offset of model.offsets) if (offset.invoice === invoice.uuid && !offset.back) takeBack(model, invoice, offset)
      freeAll(model, invoice)
      move(books, currency, ['vat_input', 0], ['affiliate_invoiced', affiliate], invoice.creditedVat - invoice.vat)
      return void Object.assign(invoice, { status: 'cancelled', open: 0n })
    case 'credit changes':
      return creditChanges(model, invoice)
    case 'pay':
      return pay(model, by, invoice, ask)
    case 'give back':
      return giveBack(model, invoice, ask)
    case 'settle': {
      const payment = underWay(invoice)
      payment.state = 'settled'
      invoice.sent -= payment.onInvoice
      invoice.paid += payment.onInvoice
      arrived(model, invoice, payment)
      return follow(model, invoice)
    }
    case 'fail': {
      const payment = underWay(invoice)
      payment.state = 'failed'
      const excess = payment.amount - payment.onInvoice
      reopen(model, invoice, excess)
      invoice.sent -= payment.onInvoice
      invoice.open += payment.onInvoice
      sent(model, invoice, -payment.onInvoice, -excess)
      return follow(model, invoice)
    }
  }
}

/** No. 18 over what changed: a note of the invoice's VAT; what was paid of it is prepaid from here on. */
function creditChanges(model: Model, invoice: Invoice): void {
  const [{ books }, { affiliate, currency }] = [model, invoice]
  const rate = model.vatOf(affiliate)
  refuseIf(rate === '0', 'changes_by_line')
  const changed = invoice.lines
    .flatMap(({ kind, about }) => (kind === 'conversion' ? model.conversions.get(about)! : []))
    .filter((one) => standing(one).payable !== one.invoiced && !liveLines(model, one.click).some(({ of }) => isUnissued(of)))
  const left = { net: invoice.net - invoice.creditedNet, vat: invoice.vat - invoice.creditedVat }
  const before = total(invoice.lines.map(({ amount }) => amount))
  const taken = changed.map((one) => ({ one, amount: standing(one).payable - one.invoiced }))
  // the next invoice takes what no note can
  refuseIf(left.net === 0n && total(taken.map(({ amount }) => amount)) < 0n, 'status_not_allowed')
  let over = -total(taken.map(({ amount }) => amount)) - before
  for (const its of taken.toReversed()) {
    const kept = its.amount < 0n && over > 0n ? least(-its.amount, over) : 0n
    its.amount += kept
    over -= kept
  }
  const exact = -total(taken.map(({ amount }) => amount))
  // so much of it stays, rounded as the invoice was; the note is what is missing to that
  const stays = round(before - exact, model.decimals(currency))
  const net = left.net - stays
  refuseIf(taken.every(({ amount }) => amount === 0n) || net === 0n, 'nothing_to_credit')
  refuseIf(stays === 0n && invoice.planned + invoice.sent + invoice.paid + invoice.offset === 0n, 'issued_is_final')
  const vat = left.vat - share(stays, rate, model.decimals(currency))
  const sum = net + vat
  const above = sum > invoice.open ? sum - invoice.open : 0n
  let rest = above
  for (const offset of model.offsets.toReversed()) {
    if (offset.back || offset.invoice !== invoice.uuid) continue
    const back = least(offset.amount, rest)
    if (back === 0n) continue
    offset.back = true
    if (back < offset.amount) model.offsets.push({ ...offset, amount: offset.amount - back, back: false })
    invoice.offset -= back
    rest -= back
  }
  for (const state of ['settled', 'sent'] as const)
    for (const payment of invoice.payments.toReversed()) {
      if (payment.state !== state) continue
      const back = least(payment.onInvoice, rest)
      payment.onInvoice -= back
      invoice[state === 'sent' ? 'sent' : 'paid'] -= back
      rest -= back
    }
  refuseIf(rest > 0n, 'paid_already')
  for (const { one, amount } of taken) {
    if (amount !== 0n) invoice.lines.push({ kind: 'correction', about: one.click, amount, seen: one.worths.length })
    become(model, one, { invoiced: one.invoiced + amount })
  }
  move(books, currency, ['rounding', 0], ['affiliate_invoiced', affiliate], exact - net)
  move(books, currency, ['vat_input', 0], ['affiliate_invoiced', affiliate], -vat)
  move(books, currency, ['affiliate_prepaid', affiliate], ['affiliate_invoiced', affiliate], above)
  invoice.open -= sum - above
  invoice.creditedNet += net
  invoice.creditedVat += vat
  if (sum < 0n) offset(model, invoice)
  follow(model, invoice)
}

/** No. 16, of whatever is open. */
function offset(model: Model, invoice: Invoice): void {
  const { uuid, affiliate, currency, open } = invoice
  const used = least(balance(model.books, 'affiliate_prepaid', affiliate, currency), open)
  if (used <= 0n) return
  model.offsets.push({ invoice: uuid, amount: used, back: false })
  move(model.books, currency, ['affiliate_invoiced', affiliate], ['affiliate_prepaid', affiliate], used)
  invoice.offset += used
  invoice.open -= used
}

function refresh(model: Model, invoice: Invoice): void {
  for (const line of invoice.lines.slice()) {
    if (line.kind === 'adjustment') continue
    const one = model.conversions.get(line.about)!
    const { payable } = standing(one)
    line.seen = one.worths.length
    const now = payable - (one.invoiced - line.amount)
    if (now === line.amount) continue
    line.amount = now
    if (now !== 0n) become(model, one, { invoiced: payable })
    else {
      invoice.lines.splice(invoice.lines.indexOf(line), 1)
      become(model, one, { invoiced: payable, ...(liveLines(model, line.about).length === 0 && { state: 'open' as const }) })
    }
  }
}

function pay(model: Model, by: By, invoice: Invoice, ask: Extract<Ask, { do: 'pay' }>): void {
  const amount = parse(ask.amount)
  refuseIf(invoice.status === 'paid' || invoice.open === 0n, 'paid_already')
  refuseIf(amount <= 0n || round(amount, model.decimals(invoice.currency)) !== amount, 'invalid_input')
  refuseIf(amount > invoice.open && !ask.inAdvance, 'invalid_input')
  refuseIf(!ask.settled && invoice.sent + invoice.planned > 0n, 'paid_already')
  refuseIf(!ask.owing && isBeyond(model, invoice.affiliate, invoice.currency, least(amount, invoice.open)), 'affiliate_owes')
  const day = new Date(by.now).toISOString().slice(0, 10)
  const its = exchange(model, amount, invoice.currency, ask.moved, day)
  const onInvoice = least(amount, invoice.open)
  invoice.open -= onInvoice
  sent(model, invoice, onInvoice, amount - onInvoice)
  const state = ask.settled ? 'settled' : 'sent'
  const payment: Payment = { amount, onInvoice, state, key: ask.key, payout: null, by: its }
  invoice.payments.push(payment)
  model.calls.set(ask.key, by.account)
  if (!ask.settled) invoice.sent += onInvoice
  else {
    invoice.paid += onInvoice
    arrived(model, invoice, payment)
  }
  follow(model, invoice)
}
