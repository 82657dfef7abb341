import type { OfferType } from '#contract/offers/offer-type.ts'
import { screenOf, type ScreenId } from '#contract/screens.ts'
import { useCurrentScreen } from '#web/shell/title.ts'

/** One of the two parts of statistics: the same screens for direct links and for offers of leads. */
export type StatisticPart = {
  type: OfferType
  /** Where the addresses of its tabs begin. */
  below: string
  /** What a saved view of its screens is kept under. */
  named: (name: string) => string
} & Record<'general' | 'clicks' | 'conversions' | 'conversion', ScreenId>

const PARTS: Record<OfferType, StatisticPart> = {
  direct: {
    type: 'direct',
    below: '/statistic/direct-link',
    named: (name) => name,
    general: 'statisticDirectGeneral',
    clicks: 'statisticDirectClicks',
    conversions: 'statisticDirectConversion',
    conversion: 'statisticConversionDetail',
  },
  api: {
    type: 'api',
    below: '/statistic/api',
    named: (name) => `api-${name}`,
    general: 'statisticApiGeneral',
    clicks: 'statisticApiClicks',
    conversions: 'statisticApiConversion',
    conversion: 'statisticApiConversionDetail',
  },
}

/** The part of statistics that offers of a type have. */
export function partOf(type: OfferType): StatisticPart {
  return PARTS[type]
}

/** The part the open screen belongs to; of others that of direct links. */
export function useStatisticPart(): StatisticPart {
  const screen = useCurrentScreen()
  return PARTS[screen !== undefined && screenOf(screen).path.startsWith(PARTS.api.below) ? 'api' : 'direct']
}
