import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { day, line, moment, someOf, uuid } from '#contract/fields.ts'
import { listOf, paging, rawListOf, rawPaging, sorting } from '#contract/paging.ts'
import { ACCOUNT_KINDS } from './account.ts'
import { currency } from './amount.ts'
import { ownBalance, release } from './balance.ts'

/**
 * Something in the books that does not agree: a `balance` with its entries, a `transfer` in itself, the accounts of a `currency` among
 * each other, or an account with the rows it stands for (`standing`). Amounts have the signs of the books: positive = debit.
 */
export const booksDifference = z.object({
  rule: z.enum(['balance', 'transfer', 'currency', 'standing', 'invoice', 'number']),
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

/** One entry of an account: what it added or took, and what was there then, in the sense of `accountBalance`. */
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
  /** Its number is null while it has none; `id`, which counts those of the whole network, is for staff. */
  invoice: z.object({ uuid, id: z.int().nullable(), number: z.string().nullable() }).nullable(),
  /** Who decided it, for staff; null = nobody: an advertiser's call, a rule. */
  actor: z.string().nullable(),
})

/** Entries of some accounts of one owner in one currency, the newest first; all of them together make the running balance. */
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

export const ledgerApi = {
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
  balance: endpoint({
    method: 'GET',
    path: '/api/ledger/v1/balance',
    access: 'balance.own',
    summary: 'The own balance, one entry per currency, and the days on which what is on hold is free.',
    response: z.object({ list: z.array(ownBalance) }),
  }),
}
