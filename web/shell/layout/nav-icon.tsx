import {
  IconArrowsExchange,
  IconBuildingStore,
  IconChartBar,
  IconLayoutDashboard,
  IconPoint,
  IconSettings,
  IconSend,
  IconTarget,
  IconUserCog,
  IconUsers,
  type Icon,
} from '@tabler/icons-react'
import type { ScreenId } from '#contract/screens.ts'

/** The sign of each screen in the sidebar and the palette. A screen without one gets a plain point until it has. */
const ICONS: Partial<Record<ScreenId, Icon>> = {
  dashboard: IconLayoutDashboard,
  dashboardOwn: IconLayoutDashboard,
  offers: IconTarget,
  partnerOffersAll: IconTarget,
  settingsPostback: IconSend,
  affiliates: IconUsers,
  advertisers: IconBuildingStore,
  managers: IconUserCog,
  statisticDirectGeneral: IconChartBar,
  statisticPostbacks: IconArrowsExchange,
  settingsGeneral: IconSettings,
}

/** The icon of a screen. */
export function NavIcon({ id, className }: { id: ScreenId; className?: string }) {
  const Icon = ICONS[id] ?? IconPoint
  return <Icon size={18} stroke={1.7} aria-hidden className={className} />
}
