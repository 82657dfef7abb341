import type { ReactNode } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { z } from 'zod'
import type { systemLine } from '#contract/network/system.ts'
import { bytesText, spanText } from '#web/features/network/system/sizes.ts'
import { day, integer, UNKNOWN } from '#web/format.ts'
import { Moment } from '#web/kit/show/moment.tsx'
import type { Tone } from '#web/kit/show/status-badge.tsx'

export type Line = z.output<typeof systemLine>

/** How the state of a line looks. */
export const TONES: Record<Line['state'], Tone> = { ok: 'good', warn: 'waiting', bad: 'bad' }

/** What a line is called; trackers by their name. */
export function useLineName(): (line: Line) => string {
  const { t } = useTranslation('system')
  return ({ id, subject }) => (id === 'domain' && subject !== '' ? subject : t(`line.${id}`, { subject }))
}

/** What a line says: its figure. */
export function LineValue({ of }: { of: Line }): ReactNode {
  const { t } = useTranslation('system')
  const { id, count, seconds, at, bytes } = of
  const counted = (key: 'waiting' | 'lost' | 'quarantined' | 'due' | 'failedJobs') =>
    count === null ? null : t(`value.${key}`, { count, number: integer(count) })
  const since = seconds === null ? null : t('value.since', { span: spanText(seconds) })
  if (id === 'tracker') return joined(of.problem === 'silent' ? since : null, count === null ? null : counted('lost')) ?? t('value.runs')
  if (id === 'ingester')
    return joined(of.problem === 'silent' ? since : null, count === null ? null : counted('quarantined')) ?? t('value.runs')
  if (id === 'lag') return seconds === null ? UNKNOWN : spanText(seconds)
  if (id === 'statistics') return seconds === null ? t('value.noAnswer') : t('value.answers', { span: spanText(seconds) })
  if (id === 'outbox') return count === 0 ? t('value.nothing') : joined(counted('waiting'), since)
  if (id === 'deliveries')
    return count === 0 ? t('value.nothing') : joined(of.problem === 'given_up' ? counted('lost') : counted('due'), since)
  if (id === 'mail') return count === 0 ? t('value.nothing') : joined(counted('waiting'), since)
  if (id === 'jobs')
    return count === null || (count === 0 && seconds === null) ? t('value.runs') : joined(count === 0 ? null : counted('failedJobs'), since)
  if (id === 'storage')
    return joined(
      bytes === null ? UNKNOWN : t('value.free', { size: bytesText(bytes) }),
      count === null ? null : t('value.days', { count, number: integer(count) }),
    )
  if (id === 'domain' && of.problem === null) return t('value.domains', { count: count ?? 0, number: integer(count ?? 0) })
  if (id === 'domain')
    return (
      <>
        {t('value.fails')} <Moment at={at} />
        {count !== null && <> · {t('value.moreDomains', { count, number: integer(count) })}</>}
      </>
    )
  if (id === 'places') return at === null ? UNKNOWN : day(at.slice(0, 10))
  if (id === 'self_check' && count !== null) return t('value.differences', { count, number: integer(count) })
  if (id === 'last_postback' && count !== null && count > 0)
    return (
      <>
        <Moment at={at} /> · {counted('waiting')}
      </>
    )
  return at === null ? t('value.never') : <Moment at={at} />
}

function joined(...parts: readonly (string | null)[]): string | null {
  const there = parts.filter((part) => part !== null)
  return there.length === 0 ? null : there.join(' · ')
}
