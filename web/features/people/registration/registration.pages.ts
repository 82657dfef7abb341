import type { Pages } from '#web/shell/page.ts'
import type english from './registration.en.json'

declare module '#web/i18n/texts.ts' {
  interface Texts {
    registration: typeof english
  }
}

export const pages: Pages<'signup' | 'settingsRegistration'> = {
  signup: { page: async () => (await import('#web/features/people/registration/signup.tsx')).Signup },
  settingsRegistration: {
    page: async () => (await import('#web/registration-screen.tsx')).RegistrationScreen,
  },
}
