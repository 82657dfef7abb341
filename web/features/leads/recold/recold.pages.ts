import { loadLateTexts } from '#web/i18n/language.ts'
import { searchOf, type Pages } from '#web/shell/page.ts'
import type english from './recold.late.en.json'

declare module '#web/i18n/texts.ts' {
  interface Texts {
    recold: typeof english
  }
}

const texts = () => Promise.all([loadLateTexts('recold'), loadLateTexts('userSession')])

export const pages: Pages<'recolds' | 'recold'> = {
  recolds: {
    page: async () => (await Promise.all([import('#web/features/leads/recold/recold-list.tsx'), texts()]))[0].Recolds,
    search: searchOf(
      'recold',
      async () => (await import('#contract/leads/recold.ts')).recoldApi.list,
      ({ id, title }) => ({ label: title, detail: String(id) }),
    ),
  },
  recold: {
    page: async () =>
      (await Promise.all([import('#web/recold-screen.tsx'), texts(), loadLateTexts('leadList'), loadLateTexts('callReason')]))[0]
        .RecoldScreen,
  },
}
