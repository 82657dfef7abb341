import { loadLateTexts } from '#web/i18n/language.ts'
import type { Pages } from '#web/shell/page.ts'
import type english from './postback-log.en.json'
import type strayPath from './stray-path.late.en.json'

declare module '#web/i18n/texts.ts' {
  interface Texts {
    postbackLog: typeof english
    strayPath: typeof strayPath
  }
}

export const pages: Pages<'statisticPostbacks'> = {
  statisticPostbacks: {
    page: async () =>
      (
        await Promise.all([
          import('#web/postbacks-screen.tsx'),
          loadLateTexts('dialect'),
          loadLateTexts('strayPath'),
          loadLateTexts('postbackMessage'),
        ])
      )[0].PostbacksScreen,
    waiting: ['deliveries', 'postbacks'],
  },
}
