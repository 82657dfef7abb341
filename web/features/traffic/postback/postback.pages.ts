import { loadLateTexts } from '#web/i18n/language.ts'
import type { Pages } from '#web/shell/page.ts'
import type english from './postback.late.en.json'
import type message from './postback-message.late.en.json'

declare module '#web/i18n/texts.ts' {
  interface Texts {
    postback: typeof english
    postbackMessage: typeof message
  }
}

export const pages: Pages<'settingsPostback'> = {
  settingsPostback: {
    page: async () =>
      (
        await Promise.all([
          import('#web/features/traffic/postback/own-postbacks.tsx'),
          loadLateTexts('postback'),
          loadLateTexts('postbackMessage'),
        ])
      )[0].OwnPostbacks,
  },
}
