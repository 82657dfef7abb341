import {
  IconArrowsExchange,
  IconBuildingStore,
  IconChartBar,
  IconHeartRateMonitor,
  IconLayout,
  IconLayoutDashboard,
  IconMessages,
  IconNews,
  IconPoint,
  IconSettings,
  IconSnowflake,
  IconTarget,
  IconUserCog,
  IconUsers,
  IconWallet,
  type Icon,
} from '@tabler/icons-react'
import type { ScreenId, SCREENS } from '#contract/screens.ts'

/** The screens of the sidebar. */
type NavScreen = { [Id in ScreenId]: (typeof SCREENS)[Id] extends { nav: string } ? Id : never }[ScreenId]

/** Here and not in `<feature>.pages.ts`: those come with the sign-in page, which shows none of them. */
const ICONS: Readonly<Record<NavScreen, Icon>> = {
  dashboard: IconLayoutDashboard,
  dashboardOwn: IconLayoutDashboard,
  news: IconNews,
  offers: IconTarget,
  landings: IconLayout,
  partnerOffersAll: IconTarget,
  billing: IconWallet,
  payments: IconWallet,
  tickets: IconMessages,
  recolds: IconSnowflake,
  affiliates: IconUsers,
  advertisers: IconBuildingStore,
  managers: IconUserCog,
  statisticDirectGeneral: IconChartBar,
  statisticApiGeneral: IconUsers,
  statisticPostbacks: IconArrowsExchange,
  system: IconHeartRateMonitor,
  settingsGeneral: IconSettings,
  settingsProfile: IconSettings,
}
const SIGNS: Readonly<Partial<Record<ScreenId, Icon>>> = ICONS

/** The icon of a screen; a plain point for one that has none. */
export function NavIcon({ id, className }: { id: ScreenId; className?: string }) {
  const Sign = SIGNS[id] ?? IconPoint
  return <Sign size={18} stroke={1.7} aria-hidden className={className} />
}
