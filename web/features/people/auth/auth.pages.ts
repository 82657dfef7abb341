import type { Pages } from '#web/shell/page.ts'

export const authPages: Pages<'login' | 'setPassword'> = {
  login: { page: async () => (await import('#web/features/people/auth/login.tsx')).Login },
  setPassword: { page: async () => (await import('#web/features/people/auth/set-password.tsx')).SetPassword },
}
