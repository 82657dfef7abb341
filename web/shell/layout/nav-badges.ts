import { useQuery } from '@tanstack/react-query'
import { offerApi } from '#contract/offers/offer.ts'
import type { ScreenId } from '#contract/screens.ts'
import { query } from '#web/api/query.ts'
import { useCan } from '#web/shell/access.ts'

/** How many things wait on each screen for the person who may decide them; asked again every minute. */
export function useNavBadges(): Partial<Record<ScreenId, number>> {
  const decides = useCan()('offer.write')
  const requests = useQuery({ ...query(offerApi.pendingAccess, {}, { quiet: true }), enabled: decides, refetchInterval: 60_000 })
  return { offers: requests.data?.rows }
}
