import type { Say } from '#web/i18n/use-translation.ts'
import type { Currency } from '#contract/money/amount.ts'
import { money, percent, UNKNOWN } from '#web/format.ts'
import { locale } from '#web/notation.ts'

const ZERO = /^0(\.0*)?$/

/** What a row of terms brings, in words: €18.00, 12 %, or both. */
export function payoutText(fixed: string, share: string, currency: Currency): string {
  const parts = [...(ZERO.test(fixed) ? [] : [money(fixed, currency)]), ...(ZERO.test(share) ? [] : [percent(share)])]
  return parts.length === 0 ? UNKNOWN : parts.join(' + ')
}

/** Whom a row of terms is for, in words; "everywhere" when it is for all. */
export function conditionText(
  t: Say<'partnerOffer'>,
  row: { landings: string[]; geos: string[]; devices: string[]; oses: string[] },
): string {
  const regions = new Intl.DisplayNames(locale(), { type: 'region' })
  const parts = [row.landings, row.geos.map((code) => (code === 'ZZ' ? code : (regions.of(code) ?? code))), row.devices, row.oses].filter(
    (list) => list.length > 0,
  )
  return parts.length === 0 ? t('everywhere') : parts.map((list) => list.join(', ')).join(' · ')
}
