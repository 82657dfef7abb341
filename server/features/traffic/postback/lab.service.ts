import type { z } from 'zod'
import type { ownPostbackApi } from '#contract/traffic/own-postback.ts'
import { getGeneralSettings } from '#server/features/network/setting/setting.queries.ts'
import { AppError } from '#server/platform/errors.ts'
import { sendOutbound } from '#server/platform/outbound/send.ts'
import { checkTarget, type OutboundPolicy } from '#server/platform/outbound/target.ts'
import type { Db } from '#server/platform/pg/database.ts'
import type { MacroValues } from '#contract/traffic/macro-template.ts'
import { readMessage } from '#server/rules/conversion/postback-message.ts'
import { postbackValues } from '#server/rules/conversion/postback-values.ts'
import { hostOf } from '../conversion/delivery.service.ts'
import { asRequest, NO_SECRETS, openSecrets } from './request.service.ts'
import { findTrialConversion, getSealedSecrets } from './own.queries.ts'

type Trial = z.output<(typeof ownPostbackApi)['expand']['body']>
type Parts = { db: Db; policy: OutboundPolicy; secretKey: string | null }

const A_MINUTE = 60_000
/** An affiliate's sends from the lab within a minute: it is for trying, not for traffic. */
const SENDS_A_MINUTE = 30

/**
 * What an address becomes with the values of a conversion, and what goes along; nothing is sent. Secrets are left out. Throws
 * `not_found` for a conversion or a postback that is not the affiliate's.
 */
export async function expandTrial(parts: Omit<Parts, 'policy'>, now: number, affiliateId: number, trial: Trial) {
  const { request, values, message, ...told } = await readTrial(parts, now, affiliateId, trial)
  const secret = new Set(trial.headers.flatMap((one) => (one.secret ? [one.name.toLowerCase()] : [])))
  const headers = Object.entries(request.headers).map(([name, value]) => [name, secret.has(name) ? null : value])
  return {
    ...told,
    url: request.url,
    headers: { ...Object.fromEntries(trial.headers.map(({ name }) => [name.toLowerCase(), null])), ...Object.fromEntries(headers) },
    body: request.body ?? null,
    macros: message.macros.map((name) => ({ name, value: values[name] ?? '' })),
    errors: Object.values(message.errors),
  }
}

/** The same, and whether its host may be reached. */
export async function dryRunTrial(parts: Parts, now: number, affiliateId: number, trial: Trial) {
  const expanded = await expandTrial(parts, now, affiliateId, trial)
  const problem = expanded.errors[0] ?? (await checkTarget(expanded.url, parts.policy)) ?? ''
  return { ...expanded, reachable: problem === '', problem }
}

/** Sends a trial once. Throws `too_many_attempts` above 30 a minute, `invalid_input` for one that could not be saved. */
export async function sendTrial(parts: Parts, limit: SendLimit, now: number, affiliateId: number, trial: Trial) {
  limit(affiliateId, now)
  const { request, message } = await readTrial(parts, now, affiliateId, trial)
  const problem = message.errors.url ?? (await checkTarget(request.url, parts.policy))
  const fields = { ...message.errors, ...(problem !== null && { url: problem }) }
  if (Object.keys(fields).length > 0) throw new AppError('invalid_input', { fields })
  const answer = await sendOutbound({ ...request, timeoutMs: 10_000 }, parts.policy)
  return {
    url: request.url,
    http_status: answer.status,
    error: answer.error,
    duration_ms: answer.durationMs,
    response: answer.body.slice(0, 500),
  }
}

/** A trial with the values of its conversion, as it would leave. */
async function readTrial({ db, secretKey }: Omit<Parts, 'policy'>, now: number, affiliateId: number, trial: Trial) {
  const conversion = await findTrialConversion(db, affiliateId, trial.conversion_uuid)
  if (conversion === undefined && trial.conversion_uuid !== null) throw new AppError('not_found')
  const saved = trial.postback_uuid === null ? undefined : await getSealedSecrets(db, affiliateId, trial.postback_uuid)
  if (saved === undefined && trial.postback_uuid !== null) throw new AppError('not_found')
  const kept = saved === undefined ? NO_SECRETS : openSecrets(saved, secretKey, now)
  const typed = trial.headers.flatMap(({ name, value, secret }) => (secret && value !== null ? [[name.toLowerCase(), value]] : []))
  const headers = trial.headers.map(({ name, value, secret }) => ({ name, value: secret ? null : value }))
  const message = readMessage({ ...trial, headers })
  const values =
    conversion === undefined
      ? sampleValues(now)
      : postbackValues(
          conversion,
          {
            offer: conversion.offer_title,
            goal: conversion.goal_title,
            goalCode: conversion.goal_code,
            externalId: conversion.external_id,
          },
          conversion.old_status ?? null,
          now,
          await getGeneralSettings(db),
        )
  const written = message.write(values)
  // secrets nobody is shown go where they were typed for, and nowhere else
  const known = saved !== undefined && hostOf(saved.url) === hostOf(written.url) ? kept.headers : {}
  const secrets = { keys: kept.keys, headers: { ...known, ...Object.fromEntries(typed) } }
  const request = asRequest({ ...written, uuid: crypto.randomUUID(), tries: 0 }, secrets, now)
  return { request, message, values, sample: conversion === undefined }
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
    { offer: 'Offer', goal: 'Goal', goalCode: 'goal', externalId: 'old-id' },
    'pending',
    now,
    { whole_addresses: true },
  )
}
