import { createHash } from 'node:crypto'
import type { z } from 'zod'
import type { Role } from '#contract/access.ts'
import type { PaymentSettings } from '#contract/money/payment.ts'
import type { constants } from '#contract/network/constant.ts'
import { screensFor } from '#contract/screens.ts'
import type { CurrencyRow } from '#server/features/money/currency/currency.queries.ts'
import type { GeneralSettings } from '../setting/setting.queries.ts'
import { CONSTANTS } from './constant.data.ts'

/** The constants for one role. `now` only serves to state the zone's present offset. */
export function constantsFor(
  role: Role,
  general: GeneralSettings,
  currencies: readonly CurrencyRow[],
  trackDomains: readonly string[],
  { systems }: Pick<PaymentSettings, 'systems'>,
  now: number,
): z.input<typeof constants> {
  return {
    ...CONSTANTS,
    currency: Object.fromEntries(currencies.filter(({ active }) => active).map(({ code, name }) => [code, `${code} – ${name}`])),
    currency_format: Object.fromEntries(currencies.map(({ code, decimals, sign }) => [code, { decimals, sign }])),
    payment_systems: namesOf(systems),
    track_domains: [...trackDomains],
    page_access: screensFor(role),
    partner_settings: { time_zone: general.time_zone, zone_hours: offsetOf(general.time_zone, now) },
  }
}

/** The choices of a list of the constants, each with its English name. */
export function choicesOf(list: 'geos' | 'traffic' | 'verticals'): Readonly<Record<string, string>> {
  return CONSTANTS[list]
}

/** Whether a value is one of a list of the constants. */
export function isChoice(list: 'geos' | 'traffic' | 'verticals', value: string): boolean {
  return Object.hasOwn(CONSTANTS[list], value)
}

/** A short name of the constants as they are now; it changes when a release, the settings or the domains change them; `domains` is their mark. */
export function versionOf(
  general: GeneralSettings,
  currencies: readonly CurrencyRow[],
  domains: string,
  { systems }: Pick<PaymentSettings, 'systems'>,
): string {
  const offered = currencies.map(({ in_use: _use, ...currency }) => currency)
  return createHash('sha256')
    .update(JSON.stringify([CONSTANTS, screensFor('admin'), general.time_zone, offered, domains, namesOf(systems)]))
    .digest('hex')
    .slice(0, 12)
}

/** Those that are offered, by their codes, in their order. */
function namesOf(systems: PaymentSettings['systems']): Record<string, string> {
  return Object.fromEntries(systems.filter(({ active }) => active).map(({ code, name }) => [code, name]))
}

/** The offset of a zone at a moment, such as `+02:00`. */
function offsetOf(timeZone: string, now: number): string {
  return Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timeZone).offset
}
