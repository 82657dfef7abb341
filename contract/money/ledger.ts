import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { day, line, moment, reference, requiredLine, someOf, uuid } from '#contract/fields.ts'
import { listOf, paging, rawListOf, rawPaging, sorting } from '#contract/paging.ts'
import { ACCOUNT_KINDS } from './account.ts'
import { currency } from './amount.ts'
import { ownBalance, release } from './balance.ts'

const BOOKS_RULES = ['balance', 'transfer', 'currency', 'standing', 'invoice', 'number', 'stored'] as const

/**
 * Something in the books that does not agree: a `balance` with its entries, a `transfer` in itself, the accounts of a `currency` among
 * each other, an account with the rows it stands for (`standing`), or what
 * was stored with its hash (`stored`). `transfer` is the first that may have brought it, where one is known. Amounts have the signs of the books: positive = debit.
 */
export const booksDifference = z.object({
  rule: z.enum(BOOKS_RULES),
  kind: z.string().nullable(),
  owner: z.int().nullable(),
  currency: z.string().nullable(),
  expected: z.string(),
  found: z.string(),
  transfer: z.string().nullable(),
})
export type BooksDifference = z.output<typeof booksDifference>

/** A month of the books, in the zone of the network. */
export const bookMonth = z.string().regex(/^(20[0-9]{2})-(0[1-9]|1[0-2])$/, 'A month such as 2026-11')

const accountKind = z.enum(ACCOUNT_KINDS)

/** What somebody has on one account. Above zero = on the side on which it grows: what is owed to an affiliate is above zero. */
export const accountBalance = z.object({ kind: accountKind, currency, amount: z.string() })

/** What was paid to an affiliate and stayed there, by currency. */
const paidSums = z.array(z.object({ currency, amount: z.string() }))

/** One entry of an account: what it added or took, and what was there after it and all that happened before, in the sense of `accountBalance`. */
export const ledgerEntry = z.object({
  id: z.string(),
  kind: accountKind,
  at: moment,
  booked_at: moment,
  /** What happened: the kind of its transfer. */
  event: z.string(),
  amount: z.string(),
  balance: z.string(),
  conversion: z.object({ uuid, id: z.string() }).nullable(),
  /** An affiliate's, or for who reads billing an advertiser's. Its number is null while it has none; `id`, which counts those of the whole network, is for staff. */
  invoice: z.object({ uuid, id: z.int().nullable(), number: z.string().nullable() }).nullable(),
  /** What an advertiser paid, for who reads billing. */
  receipt: z.object({ id: z.int(), external_id: z.string() }).nullable(),
  /** What was noted of a bonus or a correction, and for who reads billing of a discount; empty of anything else. */
  note: z.string(),
  /** Of accounts of the network: the partner whose account moved with it, by name; null = none did, or the accounts are a partner's own. */
  party: z.string().nullable(),
  /** Who decided it, for staff; null = nobody: an advertiser's call, a rule. */
  actor: z.string().nullable(),
})

/** Entries of some accounts of one owner in one currency, by when they happened, the newest first; all of them together make the running balance. */
const entryFilters = {
  ...rawPaging,
  currency,
  kind: someOf(accountKind),
  /** Booked in this month; null = whenever. */
  month: bookMonth.nullable().default(null),
}

/** One account in a month: what it held before, what was debited and credited, and what it holds after, positive = debit. */
export const trialRow = z.object({
  id: z.int(),
  kind: accountKind,
  owner: z.object({ uuid, id: z.int(), name: z.string() }).nullable(),
  currency,
  opening: z.string(),
  debits: z.string(),
  credits: z.string(),
  closing: z.string(),
})

/** What all accounts of a kind and currency held and moved in a month, positive = debit. */
const trialSum = z.object({
  kind: accountKind,
  currency,
  opening: z.string(),
  debits: z.string(),
  credits: z.string(),
  closing: z.string(),
  /**
   * The same in the base currency: what was booked at the rate of its own day, balances at that of the last day before and of the month;
   * null where a rate is missing. `difference` is what the rates did in between: closing − opening − debits + credits.
   */
  base: z.object({ opening: z.string(), debits: z.string(), credits: z.string(), closing: z.string(), difference: z.string() }).nullable(),
})
export type TrialSum = z.output<typeof trialSum>

/** A month of the books that is frozen; the next one names its hash. */
const storedTrial = z.object({ uuid, month: bookMonth, sha256: z.string(), previous: z.string().nullable(), made_at: moment })

/** What the last comparison of the books found, with names. */
const booksState = z.object({
  checked_at: moment.nullable(),
  /** When they were first found not to agree; null while they do. */
  since: moment.nullable(),
  /** Payout files are not released: they differ, and no admin has noted why that may be. */
  closed: z.boolean(),
  /** Which differences these are, for a note about them. */
  seen: z.string(),
  differences: z.array(
    z.object({
      rule: z.enum(BOOKS_RULES),
      account: accountKind.nullable(),
      owner: reference.nullable(),
      /** What it is about where that is no account: a conversion, an invoice, a series. */
      about: z.string(),
      currency: z.string().nullable(),
      expected: z.string(),
      found: z.string(),
      transfer: z.object({ id: z.string(), at: moment, event: z.string() }).nullable(),
    }),
  ),
  /** About these very differences, the youngest first. */
  notes: z.array(z.object({ at: moment, actor: z.string(), reason: z.string() })),
})

export const ledgerApi = {
  books: endpoint({
    method: 'GET',
    path: '/api/ledger/v1/books',
    access: 'billing.read',
    summary: 'Whether the books agree, by the last nightly comparison, and what does not.',
    response: booksState,
  }),
  noteBooks: endpoint({
    method: 'POST',
    path: '/api/ledger/v1/note-books',
    // admins alone
    access: 'system.health',
    key: 'never',
    summary: 'Notes why payout files may be released although the books differ as they do; other differences close them again.',
    body: z.object({ seen: z.string().min(1).max(64), reason: requiredLine(300) }),
    response: booksState,
  }),
  storedTrials: endpoint({
    method: 'GET',
    path: '/api/ledger/v1/stored-trials',
    access: 'billing.read',
    summary: 'Trial balances of months that are over, as they were stored on the second of the next one; the youngest 120.',
    response: z.object({ list: z.array(storedTrial) }),
  }),
  storedTrial: endpoint({
    method: 'GET',
    path: '/api/ledger/v1/stored-trial/:uuid',
    access: 'billing.read',
    summary: 'One of them to the byte of its hash.',
    params: z.object({ uuid }),
    response: storedTrial.extend({ json: z.string() }),
  }),
  accounts: endpoint({
    method: 'POST',
    path: '/api/ledger/v1/accounts',
    reads: true,
    access: 'report.money',
    summary: 'What an affiliate or advertiser in the own scope has on each account that ever had an entry.',
    body: z.object({ owner: z.enum(['affiliate', 'advertiser']), uuid }),
    response: z.object({ list: z.array(accountBalance), paid: paidSums }),
  }),
  entries: endpoint({
    method: 'POST',
    path: '/api/ledger/v1/entries',
    reads: true,
    access: 'report.money',
    summary: 'The entries of accounts of an affiliate or advertiser in the own scope, with the balance after each.',
    body: z.object({ owner: z.enum(['affiliate', 'advertiser']), uuid, ...entryFilters }),
    response: rawListOf(ledgerEntry),
  }),
  networkEntries: endpoint({
    method: 'POST',
    path: '/api/ledger/v1/network-entries',
    reads: true,
    access: 'billing.read',
    summary: 'The entries of accounts of the network itself, or of one of the sources it pays from, with the balance after each.',
    /** `source_uuid`: null = the network's own. */
    body: z.object({ source_uuid: uuid.nullable().default(null), ...entryFilters }),
    response: rawListOf(ledgerEntry),
  }),
  ownAccounts: endpoint({
    method: 'POST',
    path: '/api/ledger/v1/own-accounts',
    reads: true,
    access: 'payment.own',
    summary: 'What the caller has on each account that ever had an entry.',
    response: z.object({
      list: z.array(accountBalance),
      paid: paidSums,
      /** When the next payment is due: an invoice that is open, else the end of the present period by the terms; null = on request. */
      next_day: day.nullable(),
      /** Issued invoices that are not paid whole, those due first first, at most ten; `open` is what is neither paid nor on its way. */
      due: z.array(z.object({ uuid, number: z.string(), currency, open: z.string(), sent: z.string(), due_day: day })),
      /** The end of the period whose invoices `next_day` is of, where none is open. */
      period_to: day.nullable(),
    }),
  }),
  releases: endpoint({
    method: 'GET',
    path: '/api/ledger/v1/own-releases',
    access: 'payment.own',
    summary: 'The days on which what is on hold is free, in the zone of the caller, the first one first; at most a thousand.',
    response: z.object({ list: z.array(release.extend({ currency })) }),
  }),
  ownEntries: endpoint({
    method: 'POST',
    path: '/api/ledger/v1/own-entries',
    reads: true,
    access: 'payment.own',
    summary: 'The entries of own accounts, with the balance after each.',
    body: z.object(entryFilters),
    response: rawListOf(ledgerEntry),
  }),
  trial: endpoint({
    method: 'POST',
    path: '/api/ledger/v1/trial',
    reads: true,
    access: 'billing.read',
    summary:
      'The trial balance of a month: every account that held or moved something, by the moment of booking in the zone of the network.',
    body: z.object({
      ...paging,
      ...sorting(['account'], 'asc'),
      /** null = the present one. */
      month: bookMonth.nullable().default(null),
      kind: someOf(accountKind),
      currency: z.array(currency).max(50).default([]),
      /** Names of owners, or their number. */
      search: line(100).default(''),
    }),
    response: listOf(trialRow, {
      /** Debits equal credits, and all closings sum to zero, in each currency. */
      amounts: z.array(z.object({ currency, opening: z.string(), debits: z.string(), credits: z.string(), closing: z.string() })),
      month: bookMonth,
    }),
  }),
  trialSums: endpoint({
    method: 'POST',
    path: '/api/ledger/v1/trial-sums',
    reads: true,
    access: 'billing.read',
    summary:
      'The trial balance of a month summed up by kind of account and currency, also in the base currency; rates that are missing are named.',
    body: z.object({ month: bookMonth.nullable().default(null) }),
    response: z.object({
      month: bookMonth,
      base: currency,
      /** The days whose rates openings and closings are at. */
      opening_day: day,
      closing_day: day,
      list: z.array(trialSum),
      /** Without these the figures they belong to are not told in the base currency. */
      missing: z.array(z.object({ currency, day })),
    }),
  }),
  balance: endpoint({
    method: 'GET',
    path: '/api/ledger/v1/balance',
    access: 'balance.own',
    summary: 'The own balance, one entry per currency, and the days on which what is on hold is free.',
    response: z.object({ list: z.array(ownBalance) }),
  }),
}
