import { IconLayout } from '@tabler/icons-react'
import type { Pages } from '#web/shell/page.ts'

export const landingPages: Pages<'landings' | 'landingCreate' | 'landingEdit'> = {
  landings: {
    page: async () => (await import('#web/features/offers/landing/landing-list.tsx')).LandingList,
    icon: IconLayout,
    search: { opens: 'landingEdit', find: async () => (await import('#web/features/offers/landing/landing-search.ts')).findLandings },
    waiting: async () => (await import('#contract/offers/waiting.ts')).waitingLandings,
  },
  landingCreate: { page: async () => (await import('#web/features/offers/landing/landing-create.tsx')).LandingCreate },
  landingEdit: { page: async () => (await import('#web/features/offers/landing/landing-edit.tsx')).LandingEdit },
}
