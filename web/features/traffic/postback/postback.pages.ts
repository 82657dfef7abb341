import type { Pages } from '#web/shell/page.ts'
import type english from './postback.en.json'

declare module '#web/i18n/texts.ts' {
  interface Texts {
    postback: typeof english
  }
}

export const pages: Pages<'settingsPostback'> = {
  settingsPostback: {
    page: async () => (await import('#web/features/traffic/postback/own-postbacks.tsx')).OwnPostbacks,
  },
}
