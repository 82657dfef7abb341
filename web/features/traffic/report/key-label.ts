import { useTranslation } from '#web/i18n/use-translation.ts'
import { DIMENSIONS, type DimensionId } from '#contract/traffic/dimension.ts'
import { locale } from '#web/notation.ts'
import { clockAt } from '#web/zone-time.ts'

type Key = { id: string; label: string }

/** How a value of a grouping reads: names of people and offers as they are, codes and times in the language of the page. */
export function useKeyLabel(): (dimension: DimensionId, key: Key) => string {
  const { t } = useTranslation('report')
  const { t: lead } = useTranslation('userSession')
  return (dimension, { id, label }) => {
    if (dimension === 'hour') return hourOf(id)
    if (DIMENSIONS[dimension].type === 'time') return timeOf(dimension, id)
    if (dimension === 'weekday') return weekdayOf(id)
    if (label === '' && (dimension === 'landing' || dimension === 'prelanding')) return t(`none.${dimension}`)
    if (label === '' && dimension === 'product') return t('none.product')
    if (label === '' || id === '') return t('empty')
    // codes a file does not know stay as they are
    if (dimension === 'lead_status') return lead(`status.${id}` as 'status.received', { defaultValue: label })
    if (dimension === 'lead_reason') return lead(`reason.${id}` as 'reason.repeat', { defaultValue: label })
    if (dimension === 'send_outcome') return lead(`send.${id}` as 'send.accepted', { defaultValue: label })
    if (dimension === 'geo') return id === 'ZZ' ? t('unknown') : (regionName(id) ?? id)
    if (dimension === 'language') return named('language', id)
    if (dimension === 'device' || dimension === 'connection' || dimension === 'reason')
      return t(`code.${id}` as 'code.desktop', { defaultValue: label }) // codes the file does not know stay as they are
    return label
  }
}

/** Whether a key stands for nothing: an empty text, or no landing at all. */
export function isNumberless(dimension: DimensionId, id: string): boolean {
  return id === '' || (id === '0' && DIMENSIONS[dimension].type === 'entity')
}

/** Whether a key of a time grouping is the hour, day, week or month that still runs in a zone. */
export function runsNow(dimension: DimensionId, id: string, zone: string): boolean {
  if (DIMENSIONS[dimension].type !== 'time') return false
  const clock = clockAt(new Date().toISOString(), zone).replace(' ', 'T')
  if (dimension === 'hour') return id.slice(0, 13) === clock.slice(0, 13)
  if (dimension !== 'week') return id === clock.slice(0, id.length)
  const days = (Date.parse(clock.slice(0, 10)) - Date.parse(id)) / 86_400_000
  return days >= 0 && days < 7
}

function named(type: 'region' | 'language', code: string): string {
  try {
    return new Intl.DisplayNames(locale(), { type }).of(code) ?? code
  } catch {
    return code
  }
}

const regionName = (code: string) => (/^[A-Z]{2}$/.test(code) ? named('region', code) : undefined)

/** `2026-11-21T14:00+02:00` → 21 Nov, 14:00: the clock of the report's zone stands in the text itself. */
function hourOf(id: string): string {
  return `${timeOf('day', id.slice(0, 10))}, ${id.slice(11, 16)}`
}

function timeOf(dimension: DimensionId, id: string): string {
  const at = new Date(`${id.length === 7 ? `${id}-01` : id}T00:00:00Z`)
  if (Number.isNaN(at.getTime())) return id
  const parts =
    dimension === 'month'
      ? ({ month: 'long', year: 'numeric' } as const)
      : ({ weekday: dimension === 'day' ? 'short' : undefined, day: 'numeric', month: 'short', year: 'numeric' } as const)
  return new Intl.DateTimeFormat(locale(), { timeZone: 'UTC', ...parts }).format(at)
}

/** '1' is Monday; 5 January 1970 was one. */
function weekdayOf(id: string): string {
  return new Intl.DateTimeFormat(locale(), { timeZone: 'UTC', weekday: 'long' }).format(new Date((Number(id) + 3) * 86_400_000))
}
