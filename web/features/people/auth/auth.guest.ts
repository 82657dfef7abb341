import { Login } from '#web/features/people/auth/login.tsx'
import type { Pages } from '#web/shell/page.ts'
import type english from './recovery.en.json'

declare module '#web/i18n/texts.ts' {
  interface Texts {
    recovery: typeof english
  }
}

export const pages: Pages<'login' | 'setPassword' | 'passwordRecovery'> = {
  // no page is opened cold more often: it comes with the start
  login: { page: async () => Login },
  setPassword: { page: async () => (await import('#web/features/people/auth/set-password.tsx')).SetPassword },
  passwordRecovery: { page: async () => (await import('#web/features/people/auth/password-recovery.tsx')).PasswordRecovery },
}
