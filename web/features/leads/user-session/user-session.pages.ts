import { loadLateTexts } from '#web/i18n/language.ts'
import type { Pages } from '#web/shell/page.ts'
import type english from './user-session.late.en.json'

declare module '#web/i18n/texts.ts' {
  interface Texts {
    userSession: typeof english
  }
}

export const pages: Pages<'statisticApiUserSession'> = {
  statisticApiUserSession: {
    page: async () =>
      (
        await Promise.all([
          import('#web/features/leads/user-session/user-session-list.tsx'),
          loadLateTexts('userSession'),
          loadLateTexts('callReason'),
        ])
      )[0].UserSessionList,
  },
}
