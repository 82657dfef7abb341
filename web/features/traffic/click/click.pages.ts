import { loadLateTexts } from '#web/i18n/language.ts'
import type { Pages } from '#web/shell/page.ts'
import type english from './click.late.en.json'

declare module '#web/i18n/texts.ts' {
  interface Texts {
    click: typeof english
  }
}

const list = async () => (await Promise.all([import('#web/features/traffic/click/click-list.tsx'), loadLateTexts('click')]))[0].ClickList

export const pages: Pages<'statisticDirectClicks' | 'statisticApiClicks'> = {
  statisticDirectClicks: {
    page: list,
    search: {
      opens: 'statisticDirectClicks',
      find: async (text, signal) => (await import('#web/features/traffic/click/find-click.ts')).findClick(text, signal),
    },
  },
  statisticApiClicks: { page: list },
}
