import { loadLateTexts } from '#web/i18n/language.ts'
import type { Pages } from '#web/shell/page.ts'
import type english from './registration.late.en.json'

declare module '#web/i18n/texts.ts' {
  interface Texts {
    registration: typeof english
  }
}

export const pages: Pages<'settingsRegistration'> = {
  settingsRegistration: {
    page: async () =>
      (await Promise.all([import('#web/registration-screen.tsx'), loadLateTexts('registration'), loadLateTexts('legalSettings')]))[0]
        .RegistrationScreen,
  },
}
