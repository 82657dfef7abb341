import type { Ask } from '../ask.ts'
import { CURRENCIES, type World } from '../world.ts'
import { makeBill, stepBill, type BillAsk } from './bills.ts'
import { parse, Refused, refuseIf, round, total } from './books.ts'
import { isCallAgain } from './calls.ts'
import { bookChange, decided, reported, standing } from './conversions.ts'
import { available, owedTo, worthOf, type Available } from './available.ts'
import { makeDraft, stepInvoice } from './invoices.ts'
import { answeredBy, makeFile, request, result, stepFile, stepRequest } from './payouts.ts'
import { advance } from './payments.ts'
import { receive, stepReceipt } from './receipts.ts'
import type { By, Conversion, Model, Status } from './state.ts'

const DAY = 86_400_000

/** What an ask made, as far as the model must know it again. */
export type Made = {
  invoices: { uuid: string; affiliate: number; currency: string }[]
  uuid: string
  payouts: { uuid: string; affiliate: number }[]
}

/** Does what is asked, or says why not; what is refused leaves nothing behind. */
export function foretell(model: Model, world: World, by: By, ask: Ask, made: Made): { done: true } | { done: false; code: string } {
  const before = structuredClone(Object.fromEntries(Object.entries(model).filter(([, part]) => typeof part !== 'function')))
  try {
    perform(model, world, by, ask, made)
    return { done: true }
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    Object.assign(model, before)
    return { done: false, code: error.code }
  }
}

function perform(model: Model, world: World, by: By, ask: Ask, made: Made): void {
  switch (ask.do) {
    case 'report': {
      const click = world.clicks[ask.click]!
      const offer = world.offers.find((one) => one.terms.id === click.offerId)!
      const { currency, advertiser_id: advertiser } = offer.terms
      const terms = { ...offer, currency, advertiser, decimals: model.decimals(currency) }
      const known = model.conversions.get(ask.click)
      const fresh = {
        click: ask.click,
        serial: model.conversions.size,
        affiliate: click.affiliateId,
        terms: { holdDays: terms.holdDays, payout: terms.payout, revenue: terms.revenue, currency, advertiser, decimals: terms.decimals },
      }
      return change(
        model,
        by,
        known,
        reported(known, fresh, { status: ask.status, amount: ask.amount === null ? null : parse(ask.amount) }, by.now),
      )
    }
    case 'decide':
      for (const click of ask.clicks) {
        const known = model.conversions.get(click)!
        change(model, by, known, decided(known, ask.status, by.now))
      }
      return
    case 'release holds':
      for (const known of model.conversions.values())
        if (known.status === 'hold' && (known.holdUntil ?? Infinity) <= by.now)
          change(model, by, known, { ...known, status: 'approved' as Status, holdUntil: null })
      return
    case 'pass':
      return
    case 'pick': {
      const found = ask.clicks
        .map((click) => model.conversions.get(click)!)
        .filter((one) => one.status === 'approved' && one.state === 'open')
      refuseIf(found.length === 0, 'already_invoiced')
      const groups = Map.groupBy(found, (one) => `${one.affiliate} ${one.terms.currency}`)
      const chosen = [...groups.values()].map((fresh) => withDebt(model, fresh as [Conversion], ask.owing))
      let any = false
      for (const what of chosen) {
        const [{ affiliate, terms }] = what.fresh as [Conversion]
        // of what comes to nothing there is no invoice
        const isAlone = what.changed.length + what.adjustments.length === 0
        if (isAlone && round(worthOf(model, what), model.decimals(terms.currency)) === 0n) continue
        any = true
        draft(model, by, made, affiliate, terms.currency, what, endOf(by.now))
      }
      return refuseIf(!any, 'nothing_to_invoice')
    }
    case 'run': {
      if (isCallAgain(model, by, ask.key)) return
      model.calls.set(ask.key, by.account)
      const until = Date.parse(ask.until) + DAY
      let some = false
      for (const affiliate of world.affiliates) {
        if (ask.affiliates.length > 0 && !ask.affiliates.includes(affiliate.uuid)) continue
        for (const [currency, decimals] of Object.entries(CURRENCIES)) {
          const what = available(model, affiliate.id, currency, Math.min(until, by.now), until)
          const lives = [...model.invoices.values()].some(
            (one) =>
              one.affiliate === affiliate.id &&
              one.currency === currency &&
              !one.deleted &&
              (one.status === 'draft' || one.status === 'waiting'),
          )
          const worth = worthOf(model, what)
          if (round(worth, decimals) <= 0n || lives || answeredBy(model, affiliate.id, currency, worth) === 'short') continue
          some = true
          draft(model, by, made, affiliate.id, currency, what, until)
        }
      }
      return refuseIf(!some, 'nothing_to_invoice')
    }
    case 'file':
      return makeFile(model, by, made, {
        key: ask.key,
        currency: ask.currency,
        affiliates: ask.affiliates.map((uuid) => world.affiliates.find((one) => one.uuid === uuid)!.id),
        owing: ask.owing.map((uuid) => world.affiliates.find((one) => one.uuid === uuid)!.id),
      })
    case 'advance':
      return advance(model, by, ask, world.affiliates[ask.affiliate]!.id)
    case 'cancel file':
    case 'release file':
    case 'recall file':
      return stepFile(model, by, ask)
    case 'result':
      return result(model, by, ask)
    case 'request':
      return request(model, made.uuid, world.affiliates[ask.affiliate]!.id, ask.currency)
    case 'withdraw':
    case 'decline request':
    case 'accept':
      return stepRequest(model, by, ask, made.invoices[0])
    case 'bill': {
      refuseIf(Date.parse(ask.until) > by.now, 'invalid_input')
      if (isCallAgain(model, by, ask.key)) return
      model.calls.set(ask.key, by.account)
      const until = Date.parse(ask.until) + DAY
      return makeBill(model, by, made.uuid, { advertiser: idOf(world, ask.advertiser), currency: ask.currency, until, due: ask.until })
    }
    case 'rebill':
    case 'take off bill':
    case 'adjust bill':
    case 'remove bill':
    case 'issue':
    case 'credit':
    case 'write off':
      return stepBill(model, by, ask as BillAsk)
    case 'receive':
      return receive(model, by, made.uuid, ask, idOf(world, ask.advertiser))
    case 'allot':
    case 'pay back':
    case 'bounce':
      return stepReceipt(model, by, ask)
    default:
      return stepInvoice(model, by, ask)
  }
}

function change(model: Model, { now }: By, before: Conversion | undefined, changed: Conversion): void {
  if (before === changed) return
  const [was, is] = [standing(before ?? null), standing(changed)]
  const same = was.payable === is.payable && was.earned === is.earned
  const after = same ? changed : { ...changed, worths: [...changed.worths, { at: now, payable: is.payable, earned: is.earned }] }
  model.conversions.set(after.click, after)
  bookChange(model.books, before ?? null, after)
}

function draft(
  model: Model,
  by: By,
  { invoices }: Made,
  affiliate: number,
  currency: string,
  what: Parameters<typeof worthOf>[1],
  until: number,
): void {
  const its = invoices.find((one) => one.affiliate === affiliate && one.currency === currency)
  const made = its ?? { uuid: `foreseen ${model.invoices.size}`, affiliate, currency }
  const asked = answeredBy(model, affiliate, currency, worthOf(model, what))
  makeDraft(model, by, made, what, until)
  if (typeof asked === 'object') Object.assign(asked, { state: 'accepted', invoice: made.uuid })
}

/** Who chosen conversions would leave in debt pays that first: all else that is open comes along, and what is owed even so is refused. */
function withDebt(model: Model, fresh: [Conversion, ...Conversion[]], isLeft: boolean): Available {
  const [{ affiliate, terms }] = fresh
  const alone = { fresh, changed: [], adjustments: [] }
  const picked = total(fresh.map((one) => one.payout))
  const owed = picked - owedTo(model, affiliate, terms.currency)
  const decimals = model.decimals(terms.currency)
  if (isLeft || owed <= 0n || round(picked, decimals) <= 0n) return alone
  const along = { ...available(model, affiliate, terms.currency, 0, Infinity), fresh }
  const worth = worthOf(model, along)
  refuseIf(picked - worth < owed || round(worth, decimals) <= 0n, 'affiliate_owes')
  return along
}

const endOf = (now: number) => Math.floor(now / DAY + 1) * DAY
const idOf = ({ advertisers }: World, uuid: string) => advertisers.find((one) => one.uuid === uuid)!.id
