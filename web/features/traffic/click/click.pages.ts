import type { Pages } from '#web/shell/page.ts'
import type english from './click.en.json'

declare module '#web/i18n/texts.ts' {
  interface Texts {
    click: typeof english
  }
}

export const pages: Pages<'statisticDirectClicks'> = {
  statisticDirectClicks: {
    page: async () => (await import('#web/features/traffic/click/click-list.tsx')).ClickList,
    search: {
      opens: 'statisticDirectClicks',
      find: async (text, signal) => (await import('#web/features/traffic/click/find-click.ts')).findClick(text, signal),
    },
  },
}
