import { PERIOD_PRESETS } from '#contract/traffic/period.ts'
import type { ReportInput } from '#contract/traffic/report.ts'
import { firstDay } from '#web/first-day.ts'
import type { Held } from '#web/kit/list/condition.ts'
import type { AskedPeriod } from '#web/period.ts'

/** Where an address holds a period and its zone. */
export const PERIOD_KEYS = ['period', 'from', 'to', 'zone'] as const

/** The period an address asks for; null where it names none, or half of one. */
export function readPeriod(held: Held): AskedPeriod | null {
  const preset = PERIOD_PRESETS.find((one) => one === held['period']?.[0])
  const [from, to] = [dayOf(held['from']?.[0]), dayOf(held['to']?.[0])]
  if (preset === undefined || (preset === 'custom' && (from === null || to === null))) return null
  return preset === 'custom' ? { preset, from, to } : { preset, from: null, to: null }
}

/** The zone an address asks for; null where it names none that there is. */
export function readZone(held: Held): string | null {
  const zone = held['zone']?.[0] ?? ''
  try {
    return zone === '' ? null : new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone && zone
  } catch {
    return null
  }
}

/** The same for an address: what is absent is left out. */
export function writePeriod(period: AskedPeriod | null): Record<'period' | 'from' | 'to', string[] | undefined> {
  const custom = period?.preset === 'custom' && period.from !== null && period.to !== null
  return {
    period: period === null ? undefined : [period.preset],
    from: custom ? [period.from ?? ''] : undefined,
    to: custom ? [period.to ?? ''] : undefined,
  }
}

/** A period as requests have it. */
export function periodBody({ preset, from, to }: AskedPeriod): NonNullable<ReportInput['period']> {
  const first = firstDay()
  return { preset, ...(preset === 'custom' && { from, to }), ...(first !== 'monday' && { first_day: first }) }
}

/** A day of an address (`YYYY-MM-DD`); null where it is none. */
export function dayOf(text: string | null | undefined): string | null {
  return text && /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00Z`)) ? text : null
}
