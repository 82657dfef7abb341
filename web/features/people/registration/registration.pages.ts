import { withinChunkTimeout } from '#web/chunk.ts'
import { loadPanelTexts } from '#web/i18n/language.ts'
import type { Pages } from '#web/shell/page.ts'
import type english from './registration.en.json'

declare module '#web/i18n/texts.ts' {
  interface Texts {
    registration: typeof english
  }
}

export const pages: Pages<'signup' | 'settingsRegistration'> = {
  signup: {
    page: async () => {
      const load = () => Promise.all([import('#web/features/people/registration/signup.tsx'), loadPanelTexts()])
      return (await withinChunkTimeout(load))[0].Signup
    },
  },
  settingsRegistration: {
    page: async () => (await import('#web/registration-screen.tsx')).RegistrationScreen,
  },
}
