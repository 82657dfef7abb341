import { loadLateTexts } from '#web/i18n/language.ts'
import type { Pages } from '#web/shell/page.ts'
import type english from './test-api.late.en.json'

declare module '#web/i18n/texts.ts' {
  interface Texts {
    testApi: typeof english
  }
}

export const pages: Pages<'settingsTestApiOffer' | 'settingsTestApiDirect'> = {
  settingsTestApiOffer: {
    page: async () => {
      const texts = (['testApi', 'offer', 'product', 'integration', 'userSession', 'callReason'] as const).map((name) =>
        loadLateTexts(name),
      )
      return (await Promise.all([import('#web/lead-test-screen.tsx'), ...texts]))[0].LeadTestScreen
    },
  },
  settingsTestApiDirect: {
    page: async () =>
      (await Promise.all([import('#web/features/traffic/test-api/direct-link.tsx'), loadLateTexts('testApi'), loadLateTexts('click')]))[0]
        .DirectLink,
  },
}
