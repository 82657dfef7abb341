import { searchOf, type Pages } from '#web/shell/page.ts'
import type english from './advertiser.en.json'

declare module '#web/i18n/texts.ts' {
  interface Texts {
    advertiser: typeof english
  }
}

export const pages: Pages<'advertisers' | 'advertiserCreate'> = {
  advertisers: {
    page: async () => (await import('#web/advertisers-screen.tsx')).AdvertisersScreen,
    search: searchOf(
      'advertiserEdit',
      async () => (await import('#contract/people/advertiser.ts')).advertiserApi.list,
      ({ id, name }) => ({ label: name, detail: String(id) }),
    ),
  },
  advertiserCreate: { page: async () => (await import('#web/features/people/advertiser/advertiser-form.tsx')).AdvertiserCreate },
}
