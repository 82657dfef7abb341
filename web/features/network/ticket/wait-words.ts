import { useTranslation } from '#web/i18n/use-translation.ts'
import { integer } from '#web/format.ts'

/** A time of waiting in words, by its largest two units: `2 h 5 min`. */
export function useWaitWords(): (seconds: number) => string {
  const { t } = useTranslation('ticket')
  return (seconds) => {
    const minutes = Math.round(seconds / 60)
    const [days, hours, rest] = [Math.floor(minutes / 1440), Math.floor((minutes % 1440) / 60), minutes % 60]
    const parts =
      days > 0
        ? [t('wait.d', { number: integer(days) }), ...(hours > 0 ? [t('wait.h', { number: integer(hours) })] : [])]
        : hours > 0
          ? [t('wait.h', { number: integer(hours) }), ...(rest > 0 ? [t('wait.m', { number: integer(rest) })] : [])]
          : [t('wait.m', { number: integer(rest) })]
    return parts.join(' ')
  }
}
