import { loadLateTexts } from '#web/i18n/language.ts'
import { searchOf, type Pages } from '#web/shell/page.ts'
import type english from './affiliate.en.json'

declare module '#web/i18n/texts.ts' {
  interface Texts {
    affiliate: typeof english
  }
}

export const pages: Pages<'affiliates' | 'affiliateCreate'> = {
  affiliates: {
    page: async () => (await Promise.all([import('#web/affiliates-screen.tsx'), loadLateTexts('application')]))[0].AffiliatesScreen,
    search: searchOf(
      'affiliateEdit',
      async () => (await import('#contract/people/affiliate.ts')).affiliateApi.list,
      ({ id, name, email }) => ({ label: name, detail: `${id} · ${email}` }),
    ),
    waiting: ['affiliates', 'deliveries'],
  },
  affiliateCreate: { page: async () => (await import('#web/features/people/affiliate/affiliate-form.tsx')).AffiliateCreate },
}
