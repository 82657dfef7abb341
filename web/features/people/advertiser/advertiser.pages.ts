import { IconBuildingStore } from '@tabler/icons-react'
import type { Pages } from '#web/shell/page.ts'

export const advertiserPages: Pages<'advertisers' | 'advertiserCreate' | 'advertiserEdit'> = {
  advertisers: {
    page: async () => (await import('#web/features/people/advertiser/advertiser-list.tsx')).AdvertiserList,
    icon: IconBuildingStore,
  },
  advertiserCreate: { page: async () => (await import('#web/features/people/advertiser/advertiser-create.tsx')).AdvertiserCreate },
  advertiserEdit: { page: async () => (await import('#web/features/people/advertiser/advertiser-edit.tsx')).AdvertiserEdit },
}
