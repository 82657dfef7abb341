import { z } from 'zod'
import { bytes, endpoint } from '#contract/endpoint.ts'
import { moment, reference, uuid } from '#contract/fields.ts'
import { defineSetting } from '#contract/network/define-setting.ts'
import { currency, percent } from './amount.ts'
import { bookMonth } from './ledger.ts'

/** Of what managers get their share: what the network earned by their accounts, or what their accounts were paid. */
export const COMMISSION_BASES = ['profit', 'payout'] as const
const basis = z.enum(COMMISSION_BASES)
const share = percent.refine((text) => Number(text) <= 100, 'A percentage from 0 to 100')

/** What managers get of the accounts that are theirs at the end of a month. It is told, and books nothing. */
export const commissionSetting = defineSetting(
  'commission',
  { access: 'billing.approve', about: 'what managers get of the accounts they look after' },
  {
    /** Whether statements are made, on the second of each month. */
    on: z.boolean(),
    basis,
    percent: share,
  },
  { on: false, basis: 'profit', percent: '5' },
)

/** So many managers and accounts are shown; files have all. */
export const MOST_COMMISSIONS = 500

/** An account of a manager in one currency. */
export const commissionLine = z.object({
  kind: z.enum(['affiliate', 'advertiser']),
  account: reference,
  currency,
  revenue: z.string(),
  payout: z.string(),
  /** Bonuses, corrections, referral commission and debts given up. */
  costs: z.string(),
  /** What the share is of: revenue less payout and costs, or the payout. */
  base: z.string(),
})

/** An account that was given to a manager, or taken from one, within the month. */
export const commissionChange = z.object({
  at: moment,
  kind: z.enum(['affiliate', 'advertiser']),
  account: reference,
  /** '' = nobody. */
  from: z.string(),
  to: z.string(),
})

const terms = {
  basis,
  percent: z.string(),
}
const sum = z.object({ currency, accounts: z.int(), base: z.string(), /** Rounded once; below zero nothing is due. */ amount: z.string() })

export const commissionRow = z.object({
  manager: reference,
  ...terms,
  /** Whether the manager has other terms than all. */
  own: z.boolean(),
  sums: z.array(sum),
  /** How many accounts came or went within the month. */
  changes: z.int(),
  /** Of the statement; null while the month is not frozen. */
  uuid: uuid.nullable(),
})

const asked = z.object({ month: bookMonth })

/** What managers get by the month, for admin and head. */
export const commissionApi = {
  terms: commissionSetting.read,
  updateTerms: commissionSetting.update,
  list: endpoint({
    method: 'POST',
    path: '/api/commission/v1/list',
    reads: true,
    access: 'billing.read',
    summary: 'What managers get of a month: as it was frozen on the second day of the next one, or as it is by now.',
    body: asked,
    response: z.object({ frozen_at: moment.nullable(), on: z.boolean(), list: z.array(commissionRow) }),
  }),
  get: endpoint({
    method: 'POST',
    path: '/api/commission/v1/get',
    reads: true,
    access: 'billing.read',
    summary: 'The same of one manager, account by account.',
    body: asked.extend({ manager_uuid: uuid }),
    response: commissionRow.extend({ lines: z.array(commissionLine), more: z.boolean(), changed: z.array(commissionChange) }),
  }),
  pdf: endpoint({
    method: 'GET',
    path: '/api/commission/v1/pdf/:uuid',
    access: 'billing.read',
    summary: 'A frozen statement as PDF.',
    params: z.object({ uuid }),
    response: bytes,
  }),
  csv: endpoint({
    method: 'POST',
    path: '/api/commission/v1/csv',
    reads: true,
    access: 'billing.read',
    summary: 'A month of all managers as CSV, account by account.',
    body: asked,
    response: bytes,
  }),
  setTerms: endpoint({
    method: 'POST',
    path: '/api/commission/v1/set-terms',
    access: 'billing.approve',
    key: 'never',
    summary: 'Gives a manager terms of their own, or those of all; they hold for months that are not frozen.',
    body: z.object({
      manager_uuid: uuid,
      /** Otherwise those of all, and what else is said is read past. */ own: z.boolean(),
      basis,
      percent: share,
    }),
    response: z.object({}),
  }),
}
