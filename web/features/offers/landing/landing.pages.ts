import { IconLayout } from '@tabler/icons-react'
import { searchOf, type Pages } from '#web/shell/page.ts'
import type english from './landing.en.json'

declare module '#web/i18n/texts.ts' {
  interface Texts {
    landing: typeof english
  }
}

export const pages: Pages<'landings' | 'landingCreate' | 'landingEdit'> = {
  landings: {
    page: async () => (await import('#web/features/offers/landing/landing-list.tsx')).LandingList,
    icon: IconLayout,
    search: searchOf(
      'landingEdit',
      async () => (await import('#contract/offers/landing.ts')).landingApi.list,
      ({ id, name, url }) => ({ label: name, detail: `${id} · ${url}` }),
    ),
    waiting: ['landings'],
  },
  landingCreate: { page: async () => (await import('#web/features/offers/landing/landing-form.tsx')).LandingCreate },
  landingEdit: { page: async () => (await import('#web/features/offers/landing/landing-edit.tsx')).LandingEdit },
}
