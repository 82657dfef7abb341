import { IconLayoutDashboard } from '@tabler/icons-react'
import type { Pages } from '#web/shell/page.ts'

export const dashboardPages: Pages<'dashboard' | 'dashboardOwn'> = {
  dashboard: {
    page: async () => (await import('#web/features/network/dashboard/staff-dashboard.tsx')).StaffDashboard,
    icon: IconLayoutDashboard,
  },
  dashboardOwn: {
    page: async () => (await import('#web/features/network/dashboard/affiliate-dashboard.tsx')).AffiliateDashboard,
    icon: IconLayoutDashboard,
  },
}
