import type { Pages } from '#web/shell/page.ts'
import type english from './postback-log.en.json'

declare module '#web/i18n/texts.ts' {
  interface Texts {
    postbackLog: typeof english
  }
}

export const pages: Pages<'statisticPostbacks'> = {
  statisticPostbacks: {
    page: async () => (await import('#web/features/traffic/postback-log/postback-log.tsx')).PostbackLog,
    waiting: ['deliveries', 'postbacks'],
  },
}
