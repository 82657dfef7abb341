import type { RecoldRow } from '#contract/leads/recold.ts'
import type { RecoldData, RecoldPacing } from '#contract/leads/recold-plan.ts'
import { countryName, integer } from '#web/format.ts'
import type { Words } from '#web/kit/status/status-look.ts'

const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const

/** So many seconds in the two largest units that are not empty: "2 h 30 min". */
export function lastingWords(seconds: number, t: Words): string {
  const parts: string[] = []
  let rest = Math.max(0, Math.round(seconds))
  for (const [unit, size] of UNITS) {
    const whole = Math.floor(rest / size)
    rest -= whole * size
    if (whole > 0 && parts.length < 2) parts.push(t(`lasting.${unit}`, { number: integer(whole) }))
    else if (parts.length > 0) break
  }
  return parts.join(' ') || t('lasting.second', { number: '0' })
}

/** How far apart people are sent. */
export function intervalWords({ interval_min: least, interval_max: most }: RecoldPacing, t: Words): string {
  return least === most ? lastingWords(least, t) : `${lastingWords(least, t)} – ${lastingWords(most, t)}`
}

/** How many there are, how many were sent, and how many were settled without a send. */
export function progressOf({ counts, waiting }: Pick<RecoldRow, 'counts' | 'waiting'>) {
  const sent = counts.accepted + counts.rejected + counts.no_capacity + counts.failed + counts.ambiguous
  const left = counts.skipped + counts.cancelled
  const total = sent + left + counts.pending + counts.scheduled + counts.sending + waiting
  return { sent, left, total, open: total - sent - left }
}

/** How long those it sends take one after the other, without closed hours and limits: whoever is passed over takes none. */
export function periodWords(row: Pick<RecoldRow, 'counts' | 'waiting' | 'pacing'>, t: Words): string {
  const { sent, open } = progressOf(row)
  const { interval_min: least, interval_max: most } = row.pacing
  return sent + open === 0 ? '' : `≈ ${lastingWords((Math.max(0, sent + open - 1) * (least + most)) / 2, t)}`
}

/** The names the constants have for what was chosen. */
export type DataNames = Readonly<Record<'genders' | 'devices' | 'os', (value: string) => string>>
const AS_IT_IS: DataNames = { genders: (value) => value, devices: (value) => value, os: (value) => value }

/** Whom of a list it takes, and what is told of them other than as it was captured. */
export function dataWords({ geos, languages, genders, os, devices, fields }: RecoldData, t: Words, names = AS_IT_IS): string {
  const told = Object.entries(fields).flatMap(([field, said]) => {
    if (said === undefined || said.use === 'captured') return []
    const name = t(`field.${field}`)
    return said.use === 'omit' ? t('data.omitted', { field: name }) : t('data.declared', { field: name, value: said.value })
  })
  const some = [
    geos.map(countryName).join(', '),
    languages.join(', '),
    genders.map(names.genders).join(', '),
    os.map(names.os).join(', '),
    devices.map(names.devices).join(', '),
  ].filter(Boolean)
  return [some.join(' · ') || t('data.everybody'), ...told].join('; ')
}
