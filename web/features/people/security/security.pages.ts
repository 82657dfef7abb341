import { loadLateTexts } from '#web/i18n/language.ts'
import type { Pages } from '#web/shell/page.ts'
import type english from './security.late.en.json'

declare module '#web/i18n/texts.ts' {
  interface Texts {
    security: typeof english
  }
}

export const pages: Pages<'settingsSecurity' | 'settingsSecurityOwn'> = {
  settingsSecurity: {
    page: async () =>
      (await Promise.all([import('#web/features/people/security/security-settings.tsx'), loadLateTexts('security')]))[0].SecuritySettings,
  },
  settingsSecurityOwn: {
    page: async () =>
      (await Promise.all([import('#web/features/people/security/own-security.tsx'), loadLateTexts('security')]))[0].OwnSecurity,
  },
}
