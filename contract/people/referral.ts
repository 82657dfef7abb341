import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { countryCode, tags } from '#contract/fields.ts'
import { percent } from '#contract/money/amount.ts'
import { defineSetting } from '#contract/network/define-setting.ts'
import { listOf, paging } from '#contract/paging.ts'

const MONTHS = 'A whole number of months from 1 to 120'
const months = z.int(MONTHS).min(1, MONTHS).max(120, MONTHS)

/** What affiliates get for bringing others. Who signs up keeps the terms of that day: a change is for those who come after it. */
export const referralSetting = defineSetting(
  'referrals',
  { access: 'setting.referrals', about: 'whether affiliates may bring others, who of them, and for what share' },
  {
    on: z.boolean(),
    /** Of what those they bring are paid for approved conversions. */
    percent: percent.refine((text) => Number(text) <= 100, 'A percentage from 0 to 100'),
    /** Counted from the sign-up. */
    months,
    /** Only affiliates with one of these tags bring others; none = everybody does. */
    tags,
  },
  { on: false, percent: '5', months: 12, tags: [] },
)

/** A code as one chooses it; case does not matter. */
export const referralCode = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^[a-z0-9]{4,20}$/, 'Four to twenty Latin letters and digits')

/** How far somebody who signed up by a code has come: nothing else of their account is told. */
export const REFERRAL_STATES = ['waiting', 'active', 'ended'] as const

const month = z.string()

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
      terms: z.object({ percent: z.string(), months: z.int() }).nullable(),
    }),
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
      }),
    ),
  }),
}

export const referralSettingApi = { settings: referralSetting.read, updateSettings: referralSetting.update }
