import type { ConversionStatus } from '#contract/traffic/conversion.ts'
import { readableAddress } from '#server/platform/address.ts'
import { columnMacros } from '../click/click.ts'
import type { Carried } from '../click/click-row.ts'
import type { MacroValues } from '#contract/traffic/macro-template.ts'
import { reasonForAffiliate } from './reason.ts'

type Conversion = {
  uuid: string
  click_id: string
  aff_click_id: string
  offer_id: number
  affiliate_id: number
  transaction_id: string | null
  status: ConversionStatus
  reason: string
  payout: string
  currency: string
  click_at: Date
  created_at: Date
  landing: number
  geo: string
  ip: string
  ua: string
  os: string
  browser: string
  device: string
  lang: string
  source: string
  subs: readonly string[]
  /** What it took along from its click. */
  carried?: Carried
}
/** `externalId`: what the affiliate is called on another platform. */
type Names = { offer: string; goal: string; goalCode: string; externalId: string }

/**
 * The values of the macros in an affiliate's postback; the address is cut unless the network lets affiliates see whole ones.
 * Times are ISO 8601 in UTC, `timestamp` is seconds since 1970.
 */
export function postbackValues(
  conversion: Conversion,
  names: Names,
  oldStatus: ConversionStatus | null,
  now: number,
  { whole_addresses }: { whole_addresses: boolean },
): MacroValues {
  const subs = Object.fromEntries(Array.from({ length: 10 }, (_value, index) => [`sub${index + 1}`, conversion.subs[index] ?? '']))
  return {
    ...columnMacros({ ...conversion.carried, ...conversion, ...subs }),
    click_id: conversion.click_id,
    offer_id: String(conversion.offer_id),
    offer_name: names.offer,
    pid: String(conversion.affiliate_id),
    aff_external_id: names.externalId,
    landing_id: String(conversion.landing),
    ip: readableAddress(conversion.ip, !whole_addresses),
    ua: conversion.ua,
    timestamp: String(Math.floor(now / 1000)),
    date: new Date(now).toISOString().slice(0, 10),
    // stays the same when a delivery is tried again
    random: String(Number.parseInt(conversion.uuid.slice(0, 8), 16)),
    reason: reasonForAffiliate(conversion.reason),
    conversion_id: conversion.uuid,
    transaction_id: conversion.transaction_id ?? '',
    goal: names.goalCode,
    goal_name: names.goal,
    status: conversion.status,
    old_status: oldStatus ?? '',
    payout: conversion.payout.replace(/0{1,2}$/, ''),
    currency: conversion.currency,
    click_time: conversion.click_at.toISOString(),
    conversion_time: conversion.created_at.toISOString(),
  }
}
