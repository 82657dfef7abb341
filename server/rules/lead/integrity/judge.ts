import {
  INTEGRITY_ACTIONS,
  INTEGRITY_CHECKS,
  REFUSAL_CODES,
  type IntegrityCheck,
  type IntegrityPart,
  type IntegritySettings,
  type IntegrityVerdict,
  type RefusalCode,
} from '#contract/leads/integrity.ts'
import { checkGeo, checkIp } from './address.ts'
import { checkEmail } from './email.ts'
import { checkPhone } from './phone.ts'
import type { Check, Checks, LeadSnapshot } from './snapshot.ts'

/** What the checks of an offer come to. */
export type Judged = {
  parts: IntegrityPart[]
  /** 0 to 100: how much speaks against it. */
  score: number
  verdict: IntegrityVerdict
}

const VERDICTS = { none: 'clean', flag: 'flagged', hold: 'held', reject: 'rejected' } as const

/** Looks at a lead by every check of its offer that is on. The verdict is the gravest action of what was found. Pure. */
export function judgeLead(lead: LeadSnapshot, settings: IntegritySettings, now: number): Judged {
  const parts = INTEGRITY_CHECKS.flatMap((check) => partsOf(check, lead, settings, now))
  const gravest = INTEGRITY_ACTIONS.findLast((action) => parts.some((part) => part.action === action)) ?? 'none'
  const off = INTEGRITY_CHECKS.every((check) => settings[check].action === 'off')
  return {
    parts,
    score: Math.min(
      100,
      parts.reduce((sum, { weight }) => sum + weight, 0),
    ),
    verdict: off ? 'unchecked' : VERDICTS[gravest === 'off' ? 'none' : gravest],
  }
}

function partsOf(check: IntegrityCheck, lead: LeadSnapshot, settings: IntegritySettings, now: number): IntegrityPart[] {
  const { action } = settings[check]
  if (action === 'off') return []
  const look = CHECKS[check] as Check<IntegritySettings[typeof check]> // the table below ties each to its own settings
  return look(lead, settings[check], now).map(({ found, field, weight, detail = {} }) => ({
    check,
    found,
    field,
    weight,
    action: weight === 0 ? 'none' : action,
    detail,
  }))
}

const checkBlacklist: Check<IntegritySettings['blacklist']> = ({ listed }) =>
  listed.map(({ kind, field, entry }) => ({ found: 'blacklisted', field, weight: 100, detail: { kind, entry } }))

const checkDuplicate: Check<IntegritySettings['duplicate']> = ({ before }, { most, days, within }) =>
  before === null || before.count < most
    ? []
    : [
        {
          found: 'duplicate',
          field: before.by,
          weight: 50,
          detail: {
            count: String(before.count),
            last_at: new Date(before.lastAt).toISOString(),
            whose: before.sameAffiliate ? 'same' : 'other',
            days: String(days),
            within,
          },
        },
      ]

const checkVelocity: Check<IntegritySettings['velocity']> = ({ recent, ip }, { minutes, per_ip, per_device, per_affiliate }) => {
  const over = (count: number, most: number | null) => most !== null && count >= most
  const detail = (count: number, most: number | null) => ({ count: String(count + 1), most: String(most), minutes: String(minutes) })
  return [
    ...(ip !== '' && over(recent.ip, per_ip)
      ? [{ found: 'velocity_ip' as const, field: 'ip', weight: 40, detail: detail(recent.ip, per_ip) }]
      : []),
    ...(ip !== '' && over(recent.device, per_device)
      ? [{ found: 'velocity_device' as const, field: 'user_agent', weight: 40, detail: detail(recent.device, per_device) }]
      : []),
    ...(over(recent.affiliate, per_affiliate)
      ? [{ found: 'velocity_affiliate' as const, field: '', weight: 30, detail: detail(recent.affiliate, per_affiliate) }]
      : []),
  ]
}

const CHECKS: Checks<IntegritySettings> = {
  blacklist: checkBlacklist,
  telephone: checkPhone,
  mail: checkEmail,
  duplicate: checkDuplicate,
  ip: checkIp,
  geo: checkGeo,
  velocity: checkVelocity,
}

/** The words of a verdict for who sent the lead, the gravest first: of what led to it a code for each check, and the field it is about. */
export function codesOf(parts: readonly IntegrityPart[], action: 'hold' | 'reject'): { code: RefusalCode; field: string }[] {
  return parts.filter((part) => part.action === action).map(({ check, field }) => ({ code: REFUSAL_CODES[check], field }))
}
