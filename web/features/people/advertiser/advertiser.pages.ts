import { loadLateTexts } from '#web/i18n/language.ts'
import { searchOf, type Pages } from '#web/shell/page.ts'
import type english from './advertiser.late.en.json'

declare module '#web/i18n/texts.ts' {
  interface Texts {
    advertiser: typeof english
  }
}

export const pages: Pages<'advertisers' | 'advertiserCreate'> = {
  advertisers: {
    page: async () => (await Promise.all([import('#web/advertisers-screen.tsx'), loadLateTexts('advertiser')]))[0].AdvertisersScreen,
    search: searchOf(
      'advertiserEdit',
      async () => (await import('#contract/people/advertiser.ts')).advertiserApi.list,
      ({ id, name }) => ({ label: name, detail: String(id) }),
    ),
  },
  advertiserCreate: {
    page: async () =>
      (await Promise.all([import('#web/features/people/advertiser/advertiser-form.tsx'), loadLateTexts('advertiser')]))[0].AdvertiserCreate,
  },
}
