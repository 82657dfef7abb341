import { loadLateTexts } from '#web/i18n/language.ts'
import type { Pages } from '#web/shell/page.ts'
import type english from './postback-log.en.json'

declare module '#web/i18n/texts.ts' {
  interface Texts {
    postbackLog: typeof english
  }
}

export const pages: Pages<'statisticPostbacks'> = {
  statisticPostbacks: {
    page: async () => (await Promise.all([import('#web/postbacks-screen.tsx'), loadLateTexts('dialect')]))[0].PostbacksScreen,
    waiting: ['deliveries', 'postbacks'],
  },
}
