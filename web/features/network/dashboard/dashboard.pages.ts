import type { Pages } from '#web/shell/page.ts'
import type english from './dashboard.en.json'

declare module '#web/i18n/texts.ts' {
  interface Texts {
    dashboard: typeof english
  }
}

export const pages: Pages<'dashboardOwn'> = {
  dashboardOwn: {
    page: async () => (await import('#web/own-dashboard-screen.tsx')).OwnDashboardScreen,
  },
}
