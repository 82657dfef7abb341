import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { byUuid, countryCode, line, moment, reference, someOf, tags, uuid } from '#contract/fields.ts'
import { currency, percent } from '#contract/money/amount.ts'
import { defineSetting } from '#contract/network/define-setting.ts'
import { listOf, paging, sorting } from '#contract/paging.ts'

const MONTHS = 'A whole number of months from 1 to 120'
const share = percent.refine((text) => Number(text) <= 100, 'A percentage from 0 to 100')
const months = z.int(MONTHS).min(1, MONTHS).max(120, MONTHS)

/** What affiliates get for bringing others. Who signs up keeps the terms of that day: a change is for those who come after it. */
export const referralSetting = defineSetting(
  'referrals',
  { access: 'setting.referrals', about: 'whether affiliates may bring others, who of them, and for what share' },
  {
    on: z.boolean(),
    /** Of what those they bring are paid for approved conversions. */
    percent: share,
    /** The same of whom those bring, and of whom those bring in turn; 0 = nothing. */
    percent2: share,
    percent3: share,
    /** Counted from the sign-up. */
    months,
    /** Only affiliates with one of these tags bring others; none = everybody does. */
    tags,
  },
  { on: false, percent: '5', percent2: '0', percent3: '0', months: 12, tags: [] },
)

/** A code as one chooses it; case does not matter. */
export const referralCode = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^[a-z0-9]{4,20}$/, 'Four to twenty Latin letters and digits')

/** How far somebody who signed up by a code has come: nothing else of their account is told. */
export const REFERRAL_STATES = ['waiting', 'active', 'ended'] as const

/** Whether commission of a referral is paid: it is, staff look first, or they have said that it is not. */
export const REFERRAL_PAID = ['yes', 'review', 'no'] as const

/** `held`: something tells that both sides are one, and nothing is paid until staff have released or refused it. */
export const REFERRAL_DECISIONS = ['clear', 'held', 'released', 'refused'] as const
/** What both sides have in common. */
export const REFERRAL_CAUSES = ['method', 'address', 'device'] as const

const month = z.string()
const amounts = z.array(z.object({ currency, amount: z.string() }))

export const referralRow = z.object({
  uuid,
  referrer: reference,
  affiliate: reference,
  /** 1 = who came by the code; 2 and 3 = whom those brought in turn. */
  level: z.int(),
  code: z.string(),
  percent: z.string(),
  created_at: moment,
  /** The last month their conversions count in. */
  until: month,
  state: z.enum(REFERRAL_DECISIONS),
  causes: z.array(z.enum(REFERRAL_CAUSES)),
  reason: z.string(),
  held_at: moment.nullable(),
  decided_at: moment.nullable(),
  decided_by: z.string().nullable(),
  /** What stands in the books for it. */
  earned: amounts,
  /** What would, were it not kept back. */
  kept: amounts,
})

/** Somebody on the other side of a referral; null where the reader does not see them. */
const other = reference.nullable()

/** Affiliates who bring others: their code, and who came by it. */
export const referralApi = {
  own: endpoint({
    method: 'GET',
    path: '/api/referral/v1/own',
    access: 'referral.own',
    summary:
      'The own code and link, whether a code may still be chosen, and for what share others are brought; null while that is nothing.',
    response: z.object({
      code: z.string(),
      link: z.string(),
      may_choose: z.boolean(),
      /** The share of whom one brings, and of whom those bring in turn, as far as there is one. */
      terms: z.object({ percent: z.string(), deeper: z.array(z.string()), months: z.int() }).nullable(),
      /** How many opened the sign-up page by the own link on each of the last 30 days (UTC), today last. */
      visits: z.array(z.int()),
      /** Who signed up by the own code, and how many of them are active. */
      signed_up: z.int(),
      active: z.int(),
      /** What was earned so far, and what of it is on invoices. */
      sums: z.array(z.object({ currency, earned: z.string(), invoiced: z.string() })),
    }),
  }),
  earned: endpoint({
    method: 'POST',
    path: '/api/referral/v1/own-earned',
    access: 'referral.own',
    reads: true,
    summary: 'What was earned by bringing others, by month, currency and level, the latest month first.',
    body: z.object(paging),
    response: listOf(
      z.object({
        month,
        currency,
        level: z.int(),
        /** How many it came from. */
        referred: z.int(),
        amount: z.string(),
        invoiced: z.string(),
      }),
    ),
  }),
  choose: endpoint({
    method: 'POST',
    path: '/api/referral/v1/own-code',
    access: 'referral.own',
    summary: 'Chooses a code, once. The one there was goes on working.',
    body: z.object({ code: referralCode }),
    response: z.object({ code: z.string(), link: z.string() }),
  }),
  brought: endpoint({
    method: 'POST',
    path: '/api/referral/v1/own-list',
    access: 'referral.own',
    reads: true,
    summary: 'Who signed up by the own code, the latest first: first letter, country, month and how far they came, with their terms.',
    body: z.object(paging),
    response: listOf(
      z.object({
        letter: z.string(),
        country: countryCode.nullable(),
        /** `2026-11`, in the zone of who asks. */
        month,
        state: z.enum(REFERRAL_STATES),
        percent: z.string(),
        /** The last month their conversions count in. */
        until: month,
        paid: z.enum(REFERRAL_PAID),
        earned: amounts,
      }),
    ),
  }),
  list: endpoint({
    method: 'POST',
    path: '/api/referral/v1/list',
    access: 'billing.read',
    reads: true,
    summary: 'Who brought whom, what came of it, and what is kept back because both seem to be one.',
    body: z.object({
      ...paging,
      ...sorting(['created_at', 'id', 'held_at']),
      state: someOf(z.enum(REFERRAL_DECISIONS)),
      referrer_uuid: z.array(uuid).max(100).default([]),
      affiliate_uuid: z.array(uuid).max(100).default([]),
    }),
    response: listOf(referralRow),
  }),
  decide: endpoint({
    method: 'POST',
    path: '/api/referral/v1/decide/:uuid',
    access: 'billing.approve',
    key: 'never',
    summary: 'Releases what is kept back of a referral, or refuses it for good; either may be changed later.',
    params: z.object({ uuid }),
    body: z.object({ state: z.enum(['released', 'refused']), reason: line(300) }),
    response: referralRow,
  }),
  of: endpoint({
    method: 'POST',
    path: '/api/referral/v1/of/:uuid',
    access: 'affiliate.read',
    reads: true,
    summary: 'Who brought an affiliate in the own scope, and whom it brought; others are named where the caller sees them.',
    params: byUuid,
    body: z.object(paging),
    response: listOf(
      z.object({
        who: other,
        level: z.int(),
        percent: z.string(),
        created_at: moment,
        until: month,
        state: z.enum(REFERRAL_DECISIONS),
        earned: amounts,
      }),
    ).extend({
      brought_by: z.object({ who: other, percent: z.string(), until: month, state: z.enum(REFERRAL_DECISIONS) }).nullable(),
    }),
  }),
}

export const referralSettingApi = { settings: referralSetting.read, updateSettings: referralSetting.update }
