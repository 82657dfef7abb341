import { loadLateTexts } from '#web/i18n/language.ts'
import type { Pages } from '#web/shell/page.ts'
import type english from './system.late.en.json'

declare module '#web/i18n/texts.ts' {
  interface Texts {
    system: typeof english
  }
}

export const pages: Pages<'system'> = {
  system: {
    page: async () => (await Promise.all([import('#web/features/network/system/system-page.tsx'), loadLateTexts('system')]))[0].SystemPage,
  },
}
