import { loadLateTexts } from '#web/i18n/language.ts'
import { searchOf, type Pages } from '#web/shell/page.ts'
import type english from './landing.late.en.json'

declare module '#web/i18n/texts.ts' {
  interface Texts {
    landing: typeof english
  }
}

export const pages: Pages<'landings' | 'landingCreate' | 'landingEdit'> = {
  landings: {
    page: async () =>
      (await Promise.all([import('#web/features/offers/landing/landing-list.tsx'), loadLateTexts('landing')]))[0].LandingList,
    search: searchOf(
      'landingEdit',
      async () => (await import('#contract/offers/landing.ts')).landingApi.list,
      ({ id, name, url }) => ({ label: name, detail: `${id} · ${url}` }),
    ),
    waiting: ['landings'],
  },
  landingCreate: {
    page: async () =>
      (await Promise.all([import('#web/features/offers/landing/landing-form.tsx'), loadLateTexts('landing')]))[0].LandingCreate,
  },
  landingEdit: {
    page: async () =>
      (await Promise.all([import('#web/features/offers/landing/landing-edit.tsx'), loadLateTexts('landing')]))[0].LandingEdit,
  },
}
