import { loadLateTexts } from '#web/i18n/language.ts'
import type { Pages } from '#web/shell/page.ts'
import type english from './partner-api.late.en.json'

declare module '#web/i18n/texts.ts' {
  interface Texts {
    partnerApi: typeof english
  }
}

export const pages: Pages<'partnerApi'> = {
  partnerApi: {
    page: async () =>
      (await Promise.all([import('#web/features/network/partner-api/partner-api-page.tsx'), loadLateTexts('partnerApi')]))[0]
        .PartnerApiPage,
  },
}
