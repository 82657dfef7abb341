import { IconBuildingStore } from '@tabler/icons-react'
import type { Pages } from '#web/shell/page.ts'
import type english from './advertiser.en.json'

declare module '#web/i18n/texts.ts' {
  interface Texts {
    advertiser: typeof english
  }
}

export const pages: Pages<'advertisers' | 'advertiserCreate' | 'advertiserEdit'> = {
  advertisers: {
    page: async () => (await import('#web/features/people/advertiser/advertiser-list.tsx')).AdvertiserList,
    icon: IconBuildingStore,
  },
  advertiserCreate: { page: async () => (await import('#web/features/people/advertiser/advertiser-form.tsx')).AdvertiserCreate },
  advertiserEdit: { page: async () => (await import('#web/features/people/advertiser/advertiser-detail.tsx')).AdvertiserDetail },
}
