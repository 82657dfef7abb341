import { IconPoint, IconUsers, type Icon } from '@tabler/icons-react'
import type { ScreenId } from '#contract/screens.ts'

/** The sign of each screen in the sidebar and the palette. A screen without one gets a plain point until it has. */
const NAV_ICONS: Partial<Record<ScreenId, Icon>> = {
  affiliates: IconUsers,
}

/** The icon of a screen. */
export function navIcon(id: ScreenId): Icon {
  return NAV_ICONS[id] ?? IconPoint
}
