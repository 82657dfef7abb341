import { loadLateTexts } from '#web/i18n/language.ts'
import type { Pages } from '#web/shell/page.ts'
import type english from './report.en.json'

declare module '#web/i18n/texts.ts' {
  interface Texts {
    report: typeof english
  }
}

const page = async () => (await Promise.all([import('#web/features/traffic/report/report-page.tsx'), loadLateTexts('click')]))[0].ReportPage

export const pages: Pages<'statisticDirectGeneral' | 'statisticApiGeneral'> = {
  statisticDirectGeneral: {
    page,
    waiting: ['conversions'],
  },
  statisticApiGeneral: {
    // what became of leads is called as in their list
    page: async () => (await Promise.all([page(), loadLateTexts('userSession')]))[0],
    waiting: ['leads', 'sends', 'stuck'],
  },
}
