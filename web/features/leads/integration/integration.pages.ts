import { loadLateTexts } from '#web/i18n/language.ts'
import type { Pages } from '#web/shell/page.ts'
import type english from './integration.late.en.json'

declare module '#web/i18n/texts.ts' {
  interface Texts {
    integration: typeof english
  }
}

export const pages: Pages<'settingsTestApiIntegrations' | 'integrationEdit'> = {
  settingsTestApiIntegrations: {
    page: async () =>
      (
        await Promise.all([
          import('#web/features/leads/integration/integration-list.tsx'),
          loadLateTexts('integration'),
          loadLateTexts('callReason'),
        ])
      )[0].IntegrationList,
  },
  integrationEdit: {
    page: async () =>
      (
        await Promise.all([
          import('#web/features/leads/integration/integration-edit.tsx'),
          loadLateTexts('integration'),
          loadLateTexts('callReason'),
        ])
      )[0].IntegrationEdit,
  },
}
