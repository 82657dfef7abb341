import type { Pages } from '#web/shell/page.ts'
import type english from './report.en.json'

declare module '#web/i18n/texts.ts' {
  interface Texts {
    report: typeof english
  }
}

export const pages: Pages<'statisticDirectGeneral'> = {
  statisticDirectGeneral: {
    page: async () => (await import('#web/features/traffic/report/report-page.tsx')).ReportPage,
    waiting: ['conversions'],
  },
}
