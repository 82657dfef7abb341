import { IconUserCircle } from '@tabler/icons-react'
import { Login } from '#web/features/people/auth/login.tsx'
import type { Pages } from '#web/shell/page.ts'

export const pages: Pages<'login' | 'setPassword' | 'settingsProfile'> = {
  // no page is opened cold more often: it comes with the start
  login: { page: async () => Login },
  setPassword: { page: async () => (await import('#web/features/people/auth/set-password.tsx')).SetPassword },
  settingsProfile: {
    page: async () => (await import('#web/features/people/auth/own-profile.tsx')).OwnProfile,
    icon: IconUserCircle,
  },
}
