import { getGeneralSettings } from '#server/features/network/setting/setting.queries.ts'
import { AppError } from '#server/platform/errors.ts'
import { sendOutbound } from '#server/platform/outbound/send.ts'
import { checkTarget, type OutboundPolicy } from '#server/platform/outbound/target.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { describeTemplateErrors, expand, parseTemplate, type MacroValues, type Template } from '#server/rules/macros.ts'
import { postbackValues } from '#server/rules/conversion/postback-values.ts'
import { asRequest } from './delivery.service.ts'
import { findTrialConversion } from './own.queries.ts'

type Trial = { url: string; method: 'GET' | 'POST'; conversion_uuid: string | null }
type Parts = { db: Db; policy: OutboundPolicy }

const A_MINUTE = 60_000
/** An affiliate's sends from the lab within a minute: it is for trying, not for traffic. */
const SENDS_A_MINUTE = 30

/** What an address becomes with the values of a conversion; nothing is sent. Throws `not_found` for a conversion that is not the affiliate's. */
export async function expandTrial(db: Db, now: number, affiliateId: number, trial: Trial) {
  const conversion = await findTrialConversion(db, affiliateId, trial.conversion_uuid)
  if (conversion === undefined && trial.conversion_uuid !== null) throw new AppError('not_found')
  const { template, errors } = parseTemplate(trial.url, 'postback')
  const values =
    conversion === undefined
      ? sampleValues(now)
      : postbackValues(
          conversion,
          { offer: conversion.offer_title, goal: conversion.goal_title, goalCode: conversion.goal_code },
          conversion.old_status ?? null,
          now,
          await getGeneralSettings(db),
        )
  const { url, headers, body } = asRequest({ uuid: crypto.randomUUID(), method: trial.method, url: expand(template, values), tries: 0 })
  return {
    url,
    headers,
    body: body ?? null,
    macros: macrosOf(template, values),
    errors: errors.length === 0 ? [] : [describeTemplateErrors(errors)],
    sample: conversion === undefined,
  }
}

/** The same, and whether its host may be reached. */
export async function dryRunTrial({ db, policy }: Parts, now: number, affiliateId: number, trial: Trial) {
  const expanded = await expandTrial(db, now, affiliateId, trial)
  const problem = expanded.errors[0] ?? (await checkTarget(expanded.url, policy)) ?? ''
  return { ...expanded, reachable: problem === '', problem }
}

/** Sends a trial once. Throws `too_many_attempts` above 30 a minute, `invalid_input` for an address that could not be saved. */
export async function sendTrial(parts: Parts, limit: SendLimit, now: number, affiliateId: number, trial: Trial) {
  limit(affiliateId, now)
  const { url, headers, body, problem } = await dryRunTrial(parts, now, affiliateId, trial)
  if (problem !== '') throw new AppError('invalid_input', { fields: { url: problem } })
  const answer = await sendOutbound({ url, method: trial.method, headers, body: body ?? undefined, timeoutMs: 10_000 }, parts.policy)
  return { url, http_status: answer.status, error: answer.error, duration_ms: answer.durationMs, response: answer.body.slice(0, 500) }
}

export type SendLimit = (affiliateId: number, now: number) => void

/** Counts sends per affiliate in this process, and throws when there are too many. */
export function openSendLimit(): SendLimit {
  const sends = new Map<number, number[]>()
  return (affiliateId, now) => {
    const recent = (sends.get(affiliateId) ?? []).filter((at) => at > now - A_MINUTE)
    if (recent.length >= SENDS_A_MINUTE) throw new AppError('too_many_attempts', { retryAfter: 60 })
    sends.set(affiliateId, [...recent, now])
  }
}

/** Made-up values for an affiliate that has no conversion yet. */
export function sampleValues(now: number): MacroValues {
  return postbackValues(
    {
      uuid: '00000000-0000-4000-8000-000000000000',
      click_id: '0'.repeat(40),
      aff_click_id: 'your-click-id',
      offer_id: 1,
      affiliate_id: 1,
      transaction_id: 'order-1',
      status: 'approved',
      reason: '',
      payout: '10.0000',
      currency: 'USD',
      click_at: new Date(now),
      created_at: new Date(now),
      landing: 0,
      geo: 'UA',
      ip: '192.0.2.1',
      ua: 'Mozilla/5.0',
      os: 'Android',
      browser: 'Chrome',
      device: 'mobile',
      lang: 'uk',
      source: 'source',
      subs: Array.from({ length: 10 }, (_value, index) => `sub${index + 1}`),
    },
    { offer: 'Offer', goal: 'Goal', goalCode: 'goal' },
    'pending',
    now,
    { whole_addresses: true },
  )
}

function macrosOf(template: Template, values: MacroValues): { name: string; value: string }[] {
  const names = new Set(template.flatMap((part) => (typeof part === 'string' ? [] : [part.macro])))
  return [...names].map((name) => ({ name, value: values[name] ?? '' }))
}
