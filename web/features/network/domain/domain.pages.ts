import { loadLateTexts } from '#web/i18n/language.ts'
import type { Pages } from '#web/shell/page.ts'
import type english from './domain.late.en.json'

declare module '#web/i18n/texts.ts' {
  interface Texts {
    domain: typeof english
  }
}

export const pages: Pages<'settingsDomains'> = {
  settingsDomains: {
    page: async () => (await Promise.all([import('#web/features/network/domain/domain-list.tsx'), loadLateTexts('domain')]))[0].DomainList,
  },
}
