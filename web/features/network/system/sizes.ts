import { locale } from '#web/notation.ts'

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const

/** Bytes in the largest unit that leaves a whole figure before the point; units of 1,024. */
export function bytesText(bytes: number): string {
  const step = bytes === 0 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log2(Math.abs(bytes)) / 10))
  const value = bytes / 1024 ** step
  const digits = step > 1 && Math.abs(value) < 10 ? 1 : 0
  return new Intl.NumberFormat(locale(), { style: 'unit', unit: UNITS[step], unitDisplay: 'short', maximumFractionDigits: digits }).format(
    value,
  )
}

/** A span in the largest unit it fills: 40 ms, 12 min, 3 h, 5 days. */
export function spanText(seconds: number): string {
  const [value, unit] =
    seconds < 1
      ? ([Math.round(seconds * 1_000), 'millisecond'] as const)
      : seconds < 120
        ? ([seconds, 'second'] as const)
        : seconds < 7_200
          ? ([seconds / 60, 'minute'] as const)
          : seconds < 172_800
            ? ([seconds / 3_600, 'hour'] as const)
            : ([seconds / 86_400, 'day'] as const)
  const digits = value < 10 && unit === 'second' ? 1 : 0
  return new Intl.NumberFormat(locale(), { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: digits }).format(value)
}
