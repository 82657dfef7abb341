import { IconLayoutDashboard, IconSettings } from '@tabler/icons-react'
import type { ScreenId } from '#contract/screens.ts'
import type { Pages } from '#web/shell/page.ts'

const FEATURES = import.meta.glob<Partial<Pages<ScreenId>>>('./features/*/*/*.pages.ts', { eager: true, import: 'pages' })

/** What stands behind the screens, as the `<feature>.pages.ts` there are say. A test proves that none but those that only lead on is without. */
export const PAGES: Partial<Pages<ScreenId>> = Object.assign(
  {
    dashboard: { page: async () => (await import('#web/dashboard-screen.tsx')).DashboardScreen, icon: IconLayoutDashboard },
    settingsGeneral: { page: async () => (await import('#web/general-screen.tsx')).GeneralScreen, icon: IconSettings },
    affiliateEdit: { page: async () => (await import('#web/affiliate-screen.tsx')).AffiliateScreen },
    advertiserEdit: { page: async () => (await import('#web/advertiser-screen.tsx')).AdvertiserScreen },
    managerEdit: { page: async () => (await import('#web/manager-screen.tsx')).ManagerScreen },
  },
  ...Object.values(FEATURES),
)
