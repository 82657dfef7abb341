import { CURRENCIES, type World } from '../world.ts'
import type { Books, Exchange } from './books.ts'

export type Status = 'pending' | 'hold' | 'approved' | 'declined' | 'trash'
export type Terms = {
  currency: string
  decimals: number
  holdDays: number
  payout: [string, string]
  revenue: [string, string]
  advertiser: number
}
/** What is known of one conversion; its click names it. */
export type Conversion = {
  click: number
  serial: number
  affiliate: number
  terms: Terms
  status: Status
  state: 'open' | 'invoiced' | 'paid'
  payout: bigint
  revenue: bigint
  invoiced: bigint
  billed: bigint
  amount: bigint | null
  saidStatus: string
  saidAmount: bigint | null
  holdUntil: number | null
  createdAt: number
  /** What its affiliate gets, and what it earns, after each change of either. */
  worths: { at: number; payable: bigint; earned: bigint }[]
}

/** `seen`: how many of the worths of its conversion it has taken. */
export type Line = { kind: 'conversion' | 'correction' | 'adjustment'; about: number; amount: bigint; seen: number }
export type Payment = {
  amount: bigint
  onInvoice: bigint
  state: 'planned' | 'sent' | 'settled' | 'failed' | 'returned' | 'cancelled'
  key: string
  payout: string | null
  by: Exchange | null
  /** The day it came back. */
  back?: string
}
export type Invoice = {
  uuid: string
  affiliate: number
  currency: string
  status: 'draft' | 'waiting' | 'approved' | 'partly_paid' | 'paid' | 'declined' | 'cancelled'
  deleted: boolean
  until: number
  revision: number
  last: { event: string; revision: number; by: number; said?: string }
  lines: Line[]
  net: bigint
  vat: bigint
  total: bigint
  open: bigint
  planned: bigint
  sent: bigint
  paid: bigint
  offset: bigint
  creditedNet: bigint
  creditedVat: bigint
  payments: Payment[]
}
/** A use of prepaid money, in the order they were made. */
export type Offset = { invoice: string; amount: bigint; back: boolean }
export type Adjustment = { affiliate: number; currency: string; kind: 'bonus' | 'correction'; amount: bigint; gone: boolean; at: number }
export type By = { account: number; now: number }

/** One transfer of a file, for all invoices of an affiliate in it. */
export type Payout = {
  file: string
  affiliate: number
  currency: string
  state: Payment['state']
  amount: bigint
  charged: bigint
  /** Less is owed than this, as somebody said. */
  leavesDebt: boolean
  /** What was said last of what became of it, and by whom. */
  said?: string
}
export type File = { uuid: string; state: 'draft' | 'released' | 'cancelled' | 'recalled'; releasedBy: number | null }
export type Request = {
  affiliate: number
  currency: string
  amount: bigint
  state: 'open' | 'accepted' | 'declined' | 'withdrawn'
  invoice: string | null
}

/** What an advertiser is asked to pay: `about` is a click, or a number of an adjustment; the `first` of a click is no correction. */
export type BillLine = { adjustment: boolean; about: number; amount: bigint; first?: true; seen: number }
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
  last: { event: string; revision: number; by: number; said?: string }
  lines: BillLine[]
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
export type BillAdjustment = { advertiser: number; currency: string; amount: bigint; gone: boolean; at: number }
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
  /** What came to this revision, and by whom. */
  said?: string
  key: string
  by: Exchange | null
}

/** All rows and all balances, in plain maps: what the product must come to by whatever way. */
export type Model = ReturnType<typeof emptyModel>

export function emptyModel({ affiliates, advertisers, source }: World) {
  return {
    books: new Map() as Books,
    conversions: new Map<number, Conversion>(),
    invoices: new Map<string, Invoice>(),
    adjustments: [] as Adjustment[],
    offsets: [] as Offset[],
    files: new Map<string, File>(),
    payouts: new Map<string, Payout>(),
    requests: new Map<string, Request>(),
    bills: new Map<string, Bill>(),
    billAdjustments: [] as BillAdjustment[],
    billOffsets: [] as BillOffset[],
    receipts: new Map<string, Receipt>(),
    receiptParts: [] as ReceiptPart[],
    /** Who made the call of a key. */
    calls: new Map<string, number>(),
    source,
    decimals: (currency: string) => CURRENCIES[currency as keyof typeof CURRENCIES],
    vatOf: (affiliate: number) => affiliates.find(({ id }) => id === affiliate)!.vatRate,
    // every second bears the fee of how it is paid
    feeOf: (affiliate: number) => (affiliates.findIndex(({ id }) => id === affiliate) % 2 === 1 ? { fixed: '1', percent: '0.5' } : null),
    vatOfAdvertiser: (advertiser: number) => advertisers.find(({ id }) => id === advertiser)!.vatRate,
    includesHold: (advertiser: number) => advertisers.find(({ id }) => id === advertiser)!.includesHold,
  }
}
