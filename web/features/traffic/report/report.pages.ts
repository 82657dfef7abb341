import { IconChartBar } from '@tabler/icons-react'
import type { Pages } from '#web/shell/page.ts'

export const reportPages: Pages<'statisticDirectGeneral'> = {
  statisticDirectGeneral: {
    page: async () => (await import('#web/features/traffic/report/report-page.tsx')).ReportPage,
    icon: IconChartBar,
  },
}
